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

  @Test func endWaitsForWhatIsBeingDone() throws {
    let began = DispatchSemaphore(value: 0)
    let isDone = Mutex(false)
    let thread = RepeatingThread(every: 0.001)
    try thread.begin {
      began.signal()
      usleep(50_000)
      isDone.withLock { $0 = true }
    }
    began.wait()
    thread.end()
    #expect(isDone.withLock { $0 })
  }

  @Test func anEndIsNotWaitedFor() throws {
    let thread = RepeatingThread(every: 1000)
    try thread.begin { Issue.record("It is not due.") }
    thread.end()
  }

  @Test func whatHasNotBegunEnds() { RepeatingThread(every: 1).end() }
}
