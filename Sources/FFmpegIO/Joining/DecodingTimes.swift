/// Decoding times of pictures that are joined from pieces: those that x264 and x265 give a stream that is coded in one go.
///
/// A picture is decoded when the one that is a fixed number of places before it in presentation order is shown, and the
/// first ones as much earlier as those places last.
public struct DecodingTimes: Sendable {
  private let reordering: Int
  /// Presentation times whose turn has not come.
  private var waiting: [Int64] = []
  private var position = 0
  /// Pictures so far.
  private var count = 0
  private var first: (time: Int64, delay: Int64)?
  private var last: Int64?

  /// - Parameter reordering: Pictures that reordering holds back at most.
  public init(reordering: Int) { self.reordering = reordering }

  /// Adds the times of the next piece, in presentation order.
  public mutating func append(_ times: [Int64]) {
    waiting.removeFirst(position)
    position = 0
    waiting += times
  }

  /// The decoding time of the next picture in decoding order.
  /// - Parameter presentation: Its presentation time, which it never exceeds.
  public mutating func next(presentation: Int64) -> Int64 {
    if first == nil, let begin = waiting.first {
      // A short first piece does not reach as far; its last step is as good as any.
      let far = waiting[min(reordering, waiting.count - 1)]
      first = (begin, far &- begin)
    }
    var time = presentation
    if count < reordering, let first {
      time = (waiting.indices.contains(count) ? waiting[count] : first.time) &- first.delay
    } else if position < waiting.count {
      time = waiting[position]
      position += 1
    }
    count += 1
    time = min(time, presentation)
    if let last, time <= last { time = min(last &+ 1, presentation) }
    last = time
    return time
  }
}
