internal import Synchronization

/// Makes frames of one format whose memory is used again when they are gone; from any thread.
///
/// As many are alive as somebody holds; no more than that are kept.
public final class FramePool: Sendable {
  private let format: PixelFormat
  private let free = Mutex<[PlaneStorage]>([])

  public init(_ format: PixelFormat) { self.format = format }

  /// A frame to be filled: its samples are those of an earlier one, or zero.
  public func frame(time: FrameTime, metadata: HDRMetadata = HDRMetadata(), fieldOrder: FieldOrder? = nil) -> CodedFrame
  {
    let storage = free.withLock { $0.popLast() } ?? PlaneStorage(size: format.size, layout: format.layout)
    return unsafe CodedFrame(
      size: format.size, layout: format.layout, color: format.color, time: time, metadata: metadata,
      fieldOrder: fieldOrder, planes: storage.planes, owner: Loan(storage, self))
  }

  /// Memory on loan to a frame.
  private final class Loan: Sendable {
    private let storage: PlaneStorage
    private let pool: FramePool

    init(_ storage: PlaneStorage, _ pool: FramePool) {
      self.storage = storage
      self.pool = pool
    }

    deinit {
      let storage = storage
      pool.free.withLock { $0.append(storage) }
    }
  }
}
