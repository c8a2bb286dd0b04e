internal import Sessions
internal import Synchronization
internal import Threads

/// Runs pieces of work concurrently, each but the first on a separate thread.
final class ConcurrentWork<Value: Sendable>: Sendable {
  private let results: Mutex<[Int: Result<Value, any Error>]> = Mutex([:])
  private let works: [@Sendable () throws -> Value]

  private init(_ works: [@Sendable () throws -> Value]) { self.works = works }

  /// Runs all pieces of work.
  /// - Returns: Their results, in order.
  /// - Throws: The first error in this order.
  static func run(_ works: [@Sendable () throws -> Value]) throws -> [Value] {
    let all = ConcurrentWork(works)
    let threads = ThreadGroup()
    let others = works.indices.dropFirst().filter { index in
      (try? threads.start { all.run(index) }) == nil
    }
    // Work that got no thread runs here.
    for index in works.indices.prefix(1) + others { all.run(index) }
    threads.wait()
    return try all.results.withLock { results in try works.indices.map { try results[$0]!.get() } }
  }

  private func run(_ index: Int) {
    let result = Result { try works[index]() }
    results.withLock { $0[index] = result }
  }
}
