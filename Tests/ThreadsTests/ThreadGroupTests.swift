import Glibc
import Synchronization
import Testing
import Threads

@Suite struct ThreadGroupTests {
  /// All of them run, and none still does after the wait.
  @Test func everyThreadIsWaitedFor() throws {
    let count = Atomic(0)
    let group = ThreadGroup()
    for _ in 0..<2 {
      for _ in 0..<16 { try group.start { count.add(1, ordering: .relaxed) } }
      group.wait()
    }
    #expect(count.load(ordering: .relaxed) == 32)
  }

  /// What a thread holds is gone after the wait: files of a finished piece were still open for a moment.
  @Test func nothingIsHeldAfterTheWait() throws {
    final class Held: Sendable {
      let number: Int

      init(_ number: Int) { self.number = number }
    }
    let sum = Atomic(0)
    // An ending thread that is slow.
    let group = ThreadGroup { body throws(ThreadError) in
      try SystemThread.start {
        body()
        usleep(100_000)
      }
    }
    for number in 1...4 {
      var held: Held? = Held(number)
      weak let observed = held
      try group.start { [held] in sum.add(held!.number, ordering: .relaxed) }
      held = nil
      group.wait()
      #expect(observed == nil)
    }
    #expect(sum.load(ordering: .relaxed) == 10)
  }

  @Test func theErrorSaysWhatToDo() {
    #expect(ThreadError(code: 11).description.contains("use fewer threads"))
  }
}
