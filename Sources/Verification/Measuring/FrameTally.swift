/// The numbers of frames as they come.
struct FrameTally: Sendable {
  /// Frames that are missing after one.
  private struct Gap {
    var after: Int
    var numbers: Range<Int>
    var count: Int
  }

  /// Places are kept for so many of a kind, so that memory does not grow with a film.
  private static let mostPlaces = 10_000

  private var first: Int?
  private var last = 0
  private var highest = 0
  private var repeated: [Int] = []
  private var reordered: [Int] = []
  private var gaps: [Gap] = []
  private var unreadable = 0

  /// - Parameters:
  ///   - number: What the frame says; nil: it could not be read.
  ///   - index: Place in the input, from 0.
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
      if repeated.count < Self.mostPlaces { repeated.append(index) }
    } else if number > highest {
      if number > highest + 1, gaps.count < Self.mostPlaces {
        gaps.append(Gap(after: index - 1, numbers: highest + 1..<number, count: number - highest - 1))
      }
      highest = number
    } else {
      if reordered.count < Self.mostPlaces { reordered.append(index) }
      // It is late, not lost.
      if let gap = gaps.lastIndex(where: { $0.numbers.contains(number) }) {
        gaps[gap].count -= 1
        if gaps[gap].count == 0 { gaps.remove(at: gap) }
      }
    }
  }

  /// nil where no number was read.
  var result: FrameResult? {
    guard let first else {
      return unreadable > 0 ? FrameResult(first: 0, last: 0, unreadable: unreadable) : nil
    }
    return FrameResult(
      first: first, last: last, repeated: repeated, dropped: gaps.map { (after: $0.after, count: $0.count) },
      reordered: reordered, unreadable: unreadable)
  }
}
