import Dispatch
import Glibc
import Synchronization
import Testing

import Threads

/// What is done again and again.
@Suite struct RepeatingThreadTests {
  @Test func itIsDoneUntilItIsEnded() throws {
    let count = Mutex(0)
    let thrice = DispatchSemaphore(value: 0)
    let thread = RepeatingThread(every: 0.001)
    try thread.begin {
      let done = count.withLock { count in
        count += 1
        return count
      }
      if done == 3 { thrice.signal() }
    }
    thrice.wait()
    thread.end()
    let last = count.withLock { $0 }
    #expect(last >= 3)
    usleep(20_000)
    #expect(count.withLock { $0 } == last)
  }

  @Test func anEndIsNotWaitedFor() throws {
    let thread = RepeatingThread(every: 1000)
    try thread.begin { Issue.record("It is not due.") }
    thread.end()
  }

  @Test func whatHasNotBegunEnds() { RepeatingThread(every: 1).end() }
}
