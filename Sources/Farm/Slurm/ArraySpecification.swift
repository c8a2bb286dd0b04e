/// The tasks of one job array: numbers of chunks, less an offset, as Slurm can only number tasks up to a limit.
public struct ArraySpecification: Sendable, Hashable {
  /// What is added to the number of a task to get that of its chunk.
  public let offset: Int
  /// Chunks, ascending.
  public let numbers: [Int]
  /// Tasks that may run at once; nil: any number.
  public let limit: Int?

  /// "0-3,7%8", as sbatch reads it.
  public var text: String { Self.text(of: numbers.map { $0 - offset }) + suffix }

  private var suffix: String { limit.map { "%\($0)" } ?? "" }

  /// Bytes of a text. Slurm's controller refuses more than 4096 (22.05: job_mgr.c, array_inx), which its manual does not say.
  package static let longest = 4000

  /// Divides chunks among as few arrays as hold them.
  /// - Parameters:
  ///   - numbers: From 0, in any order.
  ///   - size: The numbers of tasks are below it; at least 1.
  ///   - tasks: The tasks that an array may have, at least 1.
  ///   - limit: Tasks of an array that may run at once, at least 1; nil: any number.
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
    // Half of one number would be nothing.
    let count = min(tasks, (numbers.count + 1) / 2)
    guard count < numbers.count else { return [whole] }
    return divided(Array(numbers[..<count]), offset: offset, tasks: tasks, limit: limit)
      + divided(Array(numbers[count...]), offset: offset, tasks: tasks, limit: limit)
  }

  /// The first half of the tasks.
  var firstHalf: ArraySpecification {
    ArraySpecification(offset: offset, numbers: Array(numbers.prefix((numbers.count + 1) / 2)), limit: limit)
  }

  /// "0-3,7,9-199" of ascending numbers.
  package static func text(of numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  /// Numbers that a text may name: more are a fault of the text.
  private static let mostNumbers = 2_000_000

  /// The numbers of "0-3,7,9-199"; nil if it is not such a text.
  package static func numbers(of text: String) -> [Int]? {
    var numbers: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) where !text.isEmpty {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first >= 0, last >= first,
        last - first < mostNumbers - numbers.count
      else { return nil }
      numbers += first...last
    }
    return numbers
  }
}
