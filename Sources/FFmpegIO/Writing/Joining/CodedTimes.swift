/// A table of times or durations in ticks, small where they are regular.
///
/// As text it is the first number and then the steps from one to the next, with repetitions: "0 1001*719 2002 1001*30"
/// are 751 numbers, and the durations of 750 equal frames are "1001 0*749". Without numbers, the text is empty.
public struct CodedTimes: Sendable, Hashable {
  /// Maximum count of numbers in a text: four days at 25 frames a second.
  public static let limit = 10_000_000

  private struct Run: Hashable {
    var step: Int64
    var count: Int
  }

  /// The first number; nil if the table is empty.
  public private(set) var first: Int64?
  /// The last number; nil if the table is empty.
  public private(set) var last: Int64?
  /// The count of numbers.
  public private(set) var count = 0
  private var runs: [Run] = []

  /// A table of these numbers.
  public init(_ values: [Int64] = []) {
    for value in values { append(value) }
  }

  /// Adds a number at the end.
  public mutating func append(_ value: Int64) {
    if let last {
      add(Run(step: value &- last, count: 1))
    } else {
      first = value
    }
    last = value
    count += 1
  }

  private mutating func add(_ run: Run) {
    if let latest = runs.indices.last, runs[latest].step == run.step {
      runs[latest].count += run.count
    } else {
      runs.append(run)
    }
  }

  /// The table with each number that does not increase moved to one after the previous, as a writer moves frames.
  /// - Parameter previous: The number before the first; nil: none.
  public func increasing(after previous: Int64?) -> CodedTimes {
    guard let first else { return self }
    if isIncreasing, previous.map({ $0 < first }) ?? true { return self }
    var result = CodedTimes()
    var latest = previous
    for value in values {
      let moved = max(value, latest.map { $0 &+ 1 } ?? value)
      result.append(moved)
      latest = moved
    }
    return result
  }

  /// The numbers.
  public var values: [Int64] {
    guard var value = first else { return [] }
    var result = [value]
    result.reserveCapacity(count)
    for run in runs {
      for _ in 0..<run.count {
        value &+= run.step
        result.append(value)
      }
    }
    return result
  }

  /// Whether every number is greater than the previous one.
  public var isIncreasing: Bool { runs.allSatisfy { $0.step > 0 } }

  /// Reads a text.
  /// - Throws: `FFmpegError.invalidTimes` if it has another form, has more than `limit` numbers, or exceeds 64 bits.
  public init(parsing text: String) throws(FFmpegError) {
    var rest = Substring(text).utf8
    while !rest.isEmpty || count > 0 {
      let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
      try add(word: rest[..<end])
      if end == rest.endIndex { return }
      rest = rest[rest.index(after: end)...]
    }
  }

  private mutating func add(word: Substring.UTF8View) throws(FFmpegError) {
    let parts = word.split(separator: UInt8(ascii: "*"), maxSplits: 1, omittingEmptySubsequences: false)
    let repetitions = parts.count > 1 ? Self.number(parts[1]).flatMap { Int(exactly: $0) } : 1
    guard let value = Self.number(parts[0]), let repetitions, (1...Self.limit).contains(repetitions),
      count + repetitions <= Self.limit, last != nil || parts.count == 1
    else { throw .invalidTimes(place: count) }
    guard let last else { return append(value) }
    let (span, isTooLong) = value.multipliedReportingOverflow(by: Int64(repetitions))
    let (end, isTooFar) = last.addingReportingOverflow(span)
    if isTooLong || isTooFar { throw .invalidTimes(place: count) }
    add(Run(step: value, count: repetitions))
    self.last = end
    count += repetitions
  }

  private static func number(_ text: Substring.UTF8View) -> Int64? {
    // The largest has 19 digits and a sign.
    text.count > 20 || text.first == UInt8(ascii: "+") ? nil : Int64(Substring(text))
  }

  /// The table as text.
  public var text: String {
    guard let first else { return "" }
    return runs.reduce(into: "\(first)") { $0 += $1.count == 1 ? " \($1.step)" : " \($1.step)*\($1.count)" }
  }
}

/// The exact times of a piece's frames, which Matroska rounds to milliseconds.
public struct PieceTimes: Sendable, Hashable {
  /// Presentation times in order, in units of the time base, without the offset due to
  /// `MediaWriter.Settings.timeOrigin`.
  public var presentations = CodedTimes()
  /// Durations in the same units and order; 0: unknown.
  public var durations = CodedTimes()

  /// Empty by default.
  public init(presentations: CodedTimes = CodedTimes(), durations: CodedTimes = CodedTimes()) {
    (self.presentations, self.durations) = (presentations, durations)
  }

  mutating func append(_ presentation: Int64, duration: Int64) {
    presentations.append(presentation)
    durations.append(duration)
  }
}
