/// Finds the two neighbouring frames of a stream that a flash told apart best.
///
/// A flash adds light, nowhere takes any, and leaves the pattern of the scene; a film cut replaces the pattern, and a
/// moving scene or a fade differs as much from frame to frame at other times. Frames are added one by one, in order; only
/// the last few are kept.
public struct FlashPairSearch: Sendable {
  /// Frames that the two of a pair are apart at most: those between may be lit in part, while a shutter rolls.
  public static let reach = 3

  /// Frames before and after that show how much frames differ otherwise.
  static let context = reach + 2

  /// The best pair so far; later frames may give a better one.
  public private(set) var best: FlashPair?
  private var merit = 0.0
  private var recent: [FrameSummary] = []
  /// Number of frames of `recent` that were looked at as the flash's.
  private var examined = 0

  /// Nothing has been found yet.
  public init() {}

  /// Takes the next frame.
  ///
  /// Damaged frames are left out.
  public mutating func add(_ summary: FrameSummary) {
    recent.append(summary)
    if recent.count - examined > Self.context { examine() }
    while examined > Self.context {
      recent.removeFirst()
      examined -= 1
    }
  }

  /// No later frame can be compared with those before: the stream has ended, or changes its format.
  public mutating func interrupt() {
    while examined < recent.count { examine() }
    (recent, examined) = ([], 0)
  }

  /// Whether a frame that was added may still be one of the pair.
  public func mayChoose(_ index: Int) -> Bool {
    index == best?.ambient || index == best?.flash
      || recent.dropFirst(max(examined - Self.reach, 0)).contains { $0.index == index }
  }

  /// Compares the next frame, as the one with the flash, with its neighbours.
  private mutating func examine() {
    let neighbourhood = FlashNeighbourhood(recent, center: examined)
    examined += 1
    guard let found = neighbourhood.best, found.merit > merit else { return }
    (best, merit) = (found.pair, found.merit)
  }
}
