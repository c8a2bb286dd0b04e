internal import Dispatch
internal import Synchronization

/// Allocates frames of one format and reuses their memory once they are released; thread-safe.
///
/// Memory is kept for the maximum number of frames that were alive at the same time, up to the capacity.
public final class FramePool: Sendable {
  private let format: PixelFormat
  private let free = Mutex<[PlaneStorage]>([])
  /// Counts the frames that may still be allocated; nil without a capacity.
  private let room: DispatchSemaphore?

  /// An initially empty pool.
  /// - Parameters:
  ///   - format: Size, layout and colour of its frames.
  ///   - capacity: Frames that may be alive at the same time, at least 1; nil for any number.
  public init(_ format: PixelFormat, capacity: Int? = nil) {
    precondition(capacity ?? 1 > 0, "A pool needs room for a frame.")
    self.format = format
    room = capacity.map { DispatchSemaphore(value: $0) }
  }

  /// An unfilled frame: its samples are left over from an earlier frame, or zero.
  ///
  /// With a capacity, waits while that many frames are alive. A thread that holds all of them waits forever.
  public func frame(time: FrameTime, metadata: HDRMetadata = HDRMetadata(), fieldOrder: FieldOrder? = nil) -> CodedFrame
  {
    room?.wait()
    let storage = free.withLock { $0.popLast() } ?? PlaneStorage(size: format.size, layout: format.layout)
    return unsafe CodedFrame(
      size: format.size, layout: format.layout, color: format.color, time: time, metadata: metadata,
      fieldOrder: fieldOrder, planes: storage.planes, owner: Loan(storage, self))
  }

  /// Memory that is lent to a frame.
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
      pool.room?.signal()
    }
  }
}
