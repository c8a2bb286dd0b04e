internal import Frames

/// Renders enough frames in sequence for a reliable measurement.
struct FrameLoop {
  /// Minimum seconds per measurement; a single slow frame may take longer.
  private static let duration = 0.15

  private let frames: [CodedFrame]
  private let count: Int
  private let body: (CodedFrame) throws -> Void

  init(_ frames: [CodedFrame], _ body: @escaping (CodedFrame) throws -> Void) throws {
    self.frames = frames
    self.body = body
    // The first frame fills caches and tables; the second determines the number of frames.
    try body(frames[0])
    let start = Clock.monotonic.now
    try body(frames[1 % frames.count])
    let one = Clock.monotonic.now - start
    count = Int(min(max(Self.duration / one, 1), 64))
  }

  /// Seconds per frame by `clock`.
  func measure(_ clock: Clock) throws -> Double {
    let start = clock.now
    try run()
    return (clock.now - start) / Double(count)
  }

  /// Runs the frames; `body` does its own measuring.
  /// - Returns: The number of frames.
  @discardableResult
  func run() throws -> Int {
    for index in 0..<count { try body(frames[index % frames.count]) }
    return count
  }
}
