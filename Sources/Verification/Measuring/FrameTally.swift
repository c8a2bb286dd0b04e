/// Tracks the sequence of frame numbers.
struct FrameTally: Sendable {
  private struct Gap {
    var result: FrameResult.Gap
    var numbers: Range<Int>
  }

  /// Maximum number of frame indices stored per kind, to bound memory.
  private static let maximumPlaces = 10_000

  private var first: Int?
  private var last = 0
  private var highest = 0
  private var repeated: [Int] = []
  private var reordered: [Int] = []
  private var gaps: [Gap] = []
  private var unreadable = 0

  /// - Parameters:
  ///   - number: The frame's number; nil: unreadable.
  ///   - index: Index in the input, from 0.
  mutating func add(_ number: Int?, at index: Int) {
    guard let number else {
      unreadable += 1
      return
    }
    defer { last = number }
    guard first != nil else {
      first = number
      highest = number
      return
    }
    if number == last {
      if repeated.count < Self.maximumPlaces { repeated.append(index) }
    } else if number > highest {
      if number > highest + 1, gaps.count < Self.maximumPlaces {
        gaps.append(
          Gap(result: .init(after: index - 1, count: number - highest - 1), numbers: highest + 1..<number))
      }
      highest = number
    } else {
      if reordered.count < Self.maximumPlaces { reordered.append(index) }
      // It is late, not lost.
      if let gap = gaps.lastIndex(where: { $0.numbers.contains(number) }) {
        gaps[gap].result.count -= 1
        if gaps[gap].result.count == 0 { gaps.remove(at: gap) }
      }
    }
  }

  /// nil: no number was read.
  var result: FrameResult? {
    guard first != nil || unreadable > 0 else { return nil }
    var result = FrameResult(first: first ?? 0, last: last)
    (result.repeated, result.reordered) = (repeated, reordered)
    result.dropped = gaps.map(\.result)
    result.unreadable = unreadable
    return result
  }
}
