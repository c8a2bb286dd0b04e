/// Which fields are of one frame, in the order of presentation.
///
/// The first field of a frame has the parity of the first one that is seen: a random access point is where frames begin.
struct FieldPairing {
  /// A field.
  struct Field {
    let isTop: Bool
    /// Presentation time, and ticks up to the next field; nil if unknown.
    let time: Int64?
    let duration: Int64
  }

  /// What becomes of a field.
  enum Place {
    /// It waits for the second field of its frame.
    case first
    /// It completes the frame of the first field.
    case second
    /// Its frame lacks the first field.
    case alone
    /// It belongs to a frame before the beginning.
    case early
  }

  private var firstIsTop: Bool?
  private var isBeginning = true
  private var waiting: Field?

  /// Forgets the field that waits, after a seek.
  mutating func restart() { (isBeginning, waiting) = (true, nil) }

  /// The next picture is a frame, so that a field that waits stays alone.
  mutating func interrupt() { waiting = nil }

  /// The place of the next field. A field that waits stays without a second one unless this is its second.
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

  /// Nothing is missing between two fields.
  private func isNext(_ second: Field, after first: Field) -> Bool {
    guard let end = second.time, let start = first.time, first.duration > 0 else { return true }
    // Times may be rounded to milliseconds.
    return (end &- start) / 2 < first.duration
  }
}
