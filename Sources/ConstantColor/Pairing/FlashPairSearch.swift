/// Finds the best pair of nearby frames in a stream that differ by a flash.
///
/// A flash adds light, removes none, and keeps the pattern of the scene; a cut replaces the pattern, and in a moving
/// scene or a fade, other frames differ as much. Frames are added one by one, in order; only the last few are kept.
public struct FlashPairSearch: Sendable {
  /// Maximum distance between the frames of a pair: those between may be partly lit by a rolling shutter.
  public static let reach = 3

  /// Frames before and after that show the usual difference between frames.
  static let context = reach + 2

  /// The best pair so far.
  public private(set) var best: FlashPair?
  private var merit = 0.0
  private var recent: [FrameSummary] = []
  /// Number of frames in `recent` already examined as flash frames.
  private var examined = 0

  /// Creates a search without frames.
  public init() {}

  /// Adds the next frame.
  ///
  /// Damaged frames are skipped.
  public mutating func add(_ summary: FrameSummary) {
    recent.append(summary)
    if recent.count - examined > Self.context { examine() }
    while examined > Self.context {
      recent.removeFirst()
      examined -= 1
    }
  }

  /// Examines the remaining frames and forgets them: the stream has ended, or its format changes.
  public mutating func interrupt() {
    while examined < recent.count { examine() }
    (recent, examined) = ([], 0)
  }

  /// Whether an added frame may still become part of the pair.
  public func mayChoose(_ index: Int) -> Bool {
    index == best?.ambient || index == best?.flash
      || recent.dropFirst(max(examined - Self.reach, 0)).contains { $0.index == index }
  }

  /// Compares the next candidate flash frame with its neighbours.
  private mutating func examine() {
    let neighbourhood = FlashNeighbourhood(recent, center: examined)
    examined += 1
    guard let found = neighbourhood.best, found.merit > merit else { return }
    (best, merit) = (found.pair, found.merit)
  }
}
