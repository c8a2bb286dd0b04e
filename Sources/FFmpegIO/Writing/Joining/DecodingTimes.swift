/// The decoding times of a film, from the presentation times of its pieces.
///
/// Picture k in decoding order is decoded when the k-th picture is shown, `reordering` pictures earlier. Before the
/// first picture, times continue at the intervals of the first ones, as x264 and x265 write them. Thus decoding times
/// increase, and never exceed the presentation times.
public struct DecodingTimes: Sendable {
  /// Maximum reordering of any codec.
  static let largestReordering = 16
  /// Number of obsolete times that are kept before they are dropped.
  private static let surplus = 4096

  private let reordering: Int
  /// Presentation times from index `base` on.
  private var times: [Int64] = []
  private var base = 0
  /// Number of the next packet.
  private var number = 0
  /// How far ahead the first pictures are decoded.
  private var lead: Int64?

  /// - Parameter reordering: Pictures that are held back, 0 to 16: the greatest `PieceReader.reordering` of all pieces.
  public init(reordering: Int) { self.reordering = min(max(reordering, 0), Self.largestReordering) }

  /// Adds the presentation times of the next piece. Before the first call of `next()`, more than `reordering` times
  /// must have been added, unless the film has fewer.
  public mutating func append(_ presentations: CodedTimes) { times += presentations.values }

  /// The decoding time of the next packet; nil: no presentation time is left for it.
  public mutating func next() -> Int64? {
    guard number < base + times.count else { return nil }
    defer { number += 1 }
    guard number >= reordering else {
      let lead = lead ?? times[min(reordering, times.count - 1)] &- times[0]
      self.lead = lead
      return times[number] &- lead
    }
    let place = number - reordering - base
    let time = times[place]
    if place > Self.surplus {
      times.removeFirst(place)
      base += place
    }
    return time
  }
}
