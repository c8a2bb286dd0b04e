internal import Frames

/// Renders enough frames, one after the other, for a clock to measure.
struct FrameLoop {
  /// Minimum seconds of one measurement, except for slower frames.
  private static let duration = 0.15

  private let frames: [CodedFrame]
  private let count: Int
  private let body: (CodedFrame) throws -> Void

  init(_ frames: [CodedFrame], _ body: @escaping (CodedFrame) throws -> Void) throws {
    self.frames = frames
    self.body = body
    // The first frame fills caches and tables; the second shows how many it takes.
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

  /// Runs the frames, for a body that measures itself.
  /// - Returns: Number of frames.
  @discardableResult
  func run() throws -> Int {
    for index in 0..<count { try body(frames[index % frames.count]) }
    return count
  }
}
