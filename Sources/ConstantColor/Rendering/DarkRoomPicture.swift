internal import ColorScience
internal import Frames
internal import Rendering

/// Composes the flash-only picture and its confidence, row by row.
struct DarkRoomPicture: Sendable {
  let pair: LinearPair
  let blocks: PairBlocks
  let confidence: BlockMap
  let filling: FlashFilling
  let transform: FlashTransform
  /// From the input components to the output components.
  let matrix: Matrix3

  /// Confidence up to which a pixel is filled in, and above which it is not.
  static let filledConfidence: ClosedRange<Float> = 0.2...0.8
  /// Saturation up to which a sample is fully trusted, and from which not at all.
  static let saturation: ClosedRange<Float> = 0.95...0.99
  /// How much darker a pixel may be with the flash, as a share of ambient light, because of lamp flicker.
  static let tolerance: Float = 0.1
  /// Pixels by which clipped areas are extended.
  static let reach = 2

  /// Fills the picture and returns its confidence map.
  /// - Returns: The confidence map.
  func compose(into image: SceneImage, pool: WorkerPool) -> ConfidenceMap {
    let size = pair.size
    let plane = ConfidencePlane(size)
    pool.forRows(of: size.height) { rows in
      var row = DarkRoomRow(width: size.width)
      for y in rows {
        unsafe row.compose(self, y, into: image, plane.row(y))
      }
    }
    return plane.map
  }

  /// Whether pixels near row `y` may be clipped.
  func mayBeClipped(_ y: Int) -> Bool {
    let columns = blocks.saturation.size.width
    let first = max(y - Self.reach, 0) / BlockMap.side
    let last = min(y + Self.reach, pair.size.height - 1) / BlockMap.side
    return (first...last).contains { row in
      (row * columns..<(row + 1) * columns).contains { blocks.saturation.values[$0] > Self.saturation.lowerBound }
    }
  }
}

/// Rows of the confidence map, each written by one thread.
@safe
private final class ConfidencePlane: @unchecked Sendable {
  // @unchecked: rows are disjoint, and only read after all threads have finished.
  private let memory: UnsafeMutableBufferPointer<Float>
  private let size: Size

  init(_ size: Size) {
    self.size = size
    unsafe memory = .allocate(capacity: size.width * size.height)
    unsafe memory.initialize(repeating: 0)
  }

  deinit { unsafe memory.deallocate() }

  @unsafe func row(_ y: Int) -> UnsafeMutableBufferPointer<Float> {
    unsafe UnsafeMutableBufferPointer(rebasing: memory[y * size.width..<(y + 1) * size.width])
  }

  var map: ConfidenceMap {
    unsafe ConfidenceMap(size: size, values: Array(memory))
  }
}
