/// Pairs fields into frames, in order of presentation.
///
/// The first field of a frame has the parity of the first field: frames begin at a random access point.
struct FieldPairing {
  /// A field.
  struct Field {
    let isTop: Bool
    /// Presentation time, and ticks until the next field; nil if unknown.
    let time: Int64?
    let duration: Int64
  }

  /// The position of a field in its frame.
  enum Place {
    /// First field of a frame; waits for the second.
    case first
    /// Second field of the waiting frame.
    case second
    /// The frame lacks its first field.
    case alone
    /// Belongs to a frame before the beginning.
    case early
  }

  private var firstIsTop: Bool?
  private var isBeginning = true
  private var waiting: Field?

  /// Discards the waiting field, after a seek.
  mutating func restart() { (isBeginning, waiting) = (true, nil) }

  /// The next picture is a frame: a waiting field remains alone.
  mutating func interrupt() { waiting = nil }

  /// The position of the next field. A waiting field remains alone unless this is its second one.
  mutating func place(_ field: Field) -> Place {
    let firstIsTop = firstIsTop ?? field.isTop
    self.firstIsTop = firstIsTop
    let first = waiting
    waiting = nil
    if field.isTop == firstIsTop {
      (isBeginning, waiting) = (false, field)
      return .first
    }
    if let first, isNext(field, after: first) { return .second }
    return isBeginning ? .early : .alone
  }

  /// Whether two fields are adjacent.
  private func isNext(_ second: Field, after first: Field) -> Bool {
    guard let end = second.time, let start = first.time, first.duration > 0 else { return true }
    // Times may be rounded to milliseconds.
    return (end &- start) / 2 < first.duration
  }
}
