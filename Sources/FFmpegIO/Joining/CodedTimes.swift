/// Times of pictures in ticks, in presentation order, as text that stays short where they are regular.
///
/// The first time, then steps: "0 1001*719 2002 1001*30".
public struct CodedTimes: Sendable, Hashable {
  /// The times.
  public private(set) var values: [Int64]

  /// Entries that a text may have: a hundred hours at 25 pictures a second.
  private static let maximumCount = 10_000_000

  /// Times in any order.
  public init(_ values: [Int64] = []) { self.values = values }

  /// Reads the text of `text`.
  /// - Returns: nil for any other text, and for one of more than ten million times.
  public init?(_ text: String) {
    values = []
    var last: Int64 = 0
    for part in text.split(separator: " ") {
      let terms = part.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
      guard let step = Int64(terms[0]), let count = terms.count == 1 ? 1 : Int(terms[1]), count > 0,
        count <= Self.maximumCount - values.count
      else { return nil }
      for _ in 0..<count {
        let (next, overflows) = last.addingReportingOverflow(step)
        if overflows { return nil }
        values.append(next)
        last = next
      }
    }
  }

  /// The times as text.
  public var text: String {
    var parts: [String] = []
    var (step, count): (Int64, Int) = (0, 0)
    func end() { if count > 0 { parts.append(count == 1 ? "\(step)" : "\(step)*\(count)") } }
    var last: Int64 = 0
    for (index, value) in values.enumerated() {
      let next = value &- last
      // The first is no step.
      if index > 1, next == step {
        count += 1
      } else {
        end()
        (step, count) = (next, 1)
      }
      last = value
    }
    end()
    return parts.joined(separator: " ")
  }
}
