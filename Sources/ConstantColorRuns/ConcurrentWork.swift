internal import Sessions
internal import Synchronization
internal import Threads

/// Pieces of work that run at once, each but the first on a thread of its own.
final class ConcurrentWork<Value: Sendable>: Sendable {
  private let results: Mutex<[Int: Result<Value, any Error>]> = Mutex([:])
  private let works: [@Sendable () throws -> Value]

  private init(_ works: [@Sendable () throws -> Value]) { self.works = works }

  /// Runs all.
  /// - Returns: What they return, in order.
  /// - Throws: The first error in their order.
  static func run(_ works: [@Sendable () throws -> Value]) throws -> [Value] {
    let all = ConcurrentWork(works)
    let threads = ThreadGroup()
    let others = works.indices.dropFirst().filter { index in
      (try? threads.start { all.run(index) }) == nil
    }
    // What got no thread is done here.
    for index in works.indices.prefix(1) + others { all.run(index) }
    threads.wait()
    return try all.results.withLock { results in try works.indices.map { try results[$0]!.get() } }
  }

  private func run(_ index: Int) {
    let result = Result { try works[index]() }
    results.withLock { $0[index] = result }
  }
}
