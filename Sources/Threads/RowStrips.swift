internal import Foundation
internal import Synchronization

/// The rows of a picture in strips that are shared among threads.
package struct RowStrips: Sendable {
  package let rows: Int
  /// Independent of the number of threads, so that sums over strips are reproducible.
  private static let height = 64
  private static let processors = ProcessInfo.processInfo.activeProcessorCount

  package init(rows: Int) { self.rows = rows }

  package var count: Int { (rows + Self.height - 1) / Self.height }

  /// Calls `body` once for each strip and returns when all calls have returned.
  /// - Parameter threads: Maximum number of threads; nil: one per processor.
  package func run(threads: Int?, _ body: @Sendable (_ strip: Int, _ rows: Range<Int>) -> Void) {
    withoutActuallyEscaping(body) { body in
      let work = Work(strips: self, body: body)
      let group = ThreadGroup()
      // The calling thread is one of them.
      for _ in 1..<max(min(threads ?? Self.processors, count), 1) {
        guard (try? group.start(work.run)) != nil else { break }
      }
      work.run()
      group.wait()
    }
  }

  /// Strips that several threads take in turn.
  private final class Work: Sendable {
    private let strips: RowStrips
    private let body: @Sendable (Int, Range<Int>) -> Void
    private let next = Atomic(0)

    init(strips: RowStrips, body: @escaping @Sendable (Int, Range<Int>) -> Void) {
      self.strips = strips
      self.body = body
    }

    @Sendable func run() {
      while true {
        let strip = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard strip < strips.count else { return }
        body(strip, strip * RowStrips.height..<min((strip + 1) * RowStrips.height, strips.rows))
      }
    }
  }
}
