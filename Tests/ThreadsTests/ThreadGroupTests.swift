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

  @Test func theErrorSaysWhatToDo() {
    #expect(ThreadError(code: 11).description.contains("use fewer threads"))
  }
}
