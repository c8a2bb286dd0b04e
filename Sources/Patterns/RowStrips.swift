internal import Dispatch
internal import Synchronization

/// The rows of a picture in strips, which several threads share out.
struct RowStrips: Sendable {
  let rows: Int
  /// The strips do not depend on the number of threads, so that sums over them do not either.
  private static let height = 64

  var count: Int { (rows + Self.height - 1) / Self.height }

  /// Calls `body` once for each strip and returns when all calls have.
  /// - Parameter threads: At most so many at a time; nil: as many as there are processors.
  func run(threads: Int?, _ body: @Sendable (_ strip: Int, _ rows: Range<Int>) -> Void) {
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: min(max(threads ?? count, 1), count)) { _ in
      while true {
        let strip = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard strip < count else { return }
        body(strip, strip * Self.height..<min((strip + 1) * Self.height, rows))
      }
    }
  }
}
