import Foundation
import Rendering
import Synchronization
import Testing

@Suite struct WorkerPoolTests {
  /// How often each index came, and whether every worker number was in range.
  final class Tally: Sendable {
    let counts: Mutex<[Int]>
    let isInRange = Atomic(true)

    init(_ count: Int) { counts = Mutex([Int](repeating: 0, count: count)) }

    func run(on pool: WorkerPool) {
      let count = counts.withLock { $0.count }
      pool.run(count) { [self] index, worker in
        if !(0..<pool.count).contains(worker) { isInRange.store(false, ordering: .relaxed) }
        counts.withLock { $0[index] += 1 }
      }
    }
  }

  @Test(arguments: [1, 2, 7])
  func everyIndexOnce(_ workers: Int) {
    let pool = WorkerPool(count: workers)
    #expect(pool.count == workers)
    for job in 0..<300 {
      let tally = Tally(job % 41)
      tally.run(on: pool)
      #expect(tally.counts.withLock { $0.allSatisfy { $0 == 1 } })
      let isInRange = tally.isInRange.load(ordering: .relaxed)
      #expect(isInRange)
    }
  }

  @Test func oneWorkerIsTheCaller() {
    let caller = ObjectIdentifier(Thread.current)
    let pool = WorkerPool(count: 1)
    pool.run(5) { _, worker in #expect(worker == 0 && ObjectIdentifier(Thread.current) == caller) }
    #expect(WorkerPool(count: 0).count == 1)
  }

  /// While one caller's job runs, no other's does.
  @Test func callersTakeTurns() {
    let (pool, callers) = (WorkerPool(count: 3), 4)
    let outer = (0..<callers).map { _ in Tally(500) }
    let running = Mutex([Int](repeating: 0, count: callers))
    let together = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: callers) { caller in
      for _ in 0..<20 {
        outer[caller].run(on: pool)
        pool.run(500) { _, _ in
          let others = running.withLock { running in
            running[caller] += 1
            return running.indices.count { $0 != caller && running[$0] > 0 }
          }
          together.add(others, ordering: .relaxed)
          running.withLock { $0[caller] -= 1 }
        }
      }
    }
    for tally in outer { #expect(tally.counts.withLock { $0.allSatisfy { $0 == 20 } }) }
    #expect(together.load(ordering: .relaxed) == 0)
  }
}
