internal import HTMLReports

/// The tasks of a job array: chunk numbers minus an offset, because Slurm limits task numbers.
public struct ArraySpecification: Sendable, Hashable {
  /// The difference between chunk and task numbers.
  public let offset: Int
  /// Chunk numbers, ascending.
  public let numbers: [Int]
  /// Maximum number of tasks to run at once; nil: unlimited.
  public let limit: Int?

  /// The specification for sbatch, such as "0-3,7%8".
  public var text: String { Self.text(of: numbers.map { $0 - offset }) + suffix }

  private var suffix: String { limit.map { "%\($0)" } ?? "" }

  /// Maximum text length in bytes. Slurm's controller refuses more than 4096 (22.05: job_mgr.c, array_inx), which is
  /// undocumented.
  package static let longest = 4000

  /// Distributes chunks over as few arrays as possible.
  /// - Parameters:
  ///   - numbers: Chunk numbers from 0, in any order.
  ///   - size: The exclusive upper limit of task numbers; at least 1.
  ///   - tasks: Maximum number of tasks per array, at least 1.
  ///   - limit: Maximum number of tasks of an array to run at once, at least 1; nil: unlimited.
  public static func arrays(
    of numbers: [Int], size: Int, tasks: Int = .max, limit: Int? = nil
  ) -> [ArraySpecification] {
    let size = max(1, size)
    let windows = Dictionary(grouping: Set(numbers).filter { $0 >= 0 }) { $0 / size }
    return windows.sorted { $0.key < $1.key }.flatMap { key, members in
      divided(members.sorted(), offset: key * size, tasks: max(1, tasks), limit: limit.map { max(1, $0) })
    }
  }

  private static func divided(_ numbers: [Int], offset: Int, tasks: Int, limit: Int?) -> [ArraySpecification] {
    let whole = ArraySpecification(offset: offset, numbers: numbers, limit: limit)
    if numbers.count <= tasks, whole.text.utf8.count <= longest { return [whole] }
    // A single number cannot be split.
    let count = min(tasks, (numbers.count + 1) / 2)
    guard count < numbers.count else { return [whole] }
    return divided(Array(numbers[..<count]), offset: offset, tasks: tasks, limit: limit)
      + divided(Array(numbers[count...]), offset: offset, tasks: tasks, limit: limit)
  }

  /// The first half of the tasks.
  var firstHalf: ArraySpecification {
    ArraySpecification(offset: offset, numbers: Array(numbers.prefix((numbers.count + 1) / 2)), limit: limit)
  }

  /// Formats ascending numbers as "0-3,7,9-199".
  package static func text(of numbers: [Int]) -> String {
    numbers.ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  /// Maximum number of numbers in a text; more indicate a fault.
  private static let maximumNumbers = 2_000_000

  /// Parses "0-3,7,9-199"; nil if the text is invalid.
  package static func numbers(of text: String) -> [Int]? {
    var numbers: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) where !text.isEmpty {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first >= 0, last >= first,
        last - first < maximumNumbers - numbers.count
      else { return nil }
      numbers += first...last
    }
    return numbers
  }
}
