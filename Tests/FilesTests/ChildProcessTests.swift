import Files
import Foundation
import Testing

/// Programs as processes of their own.
@Suite struct ChildProcessTests {
  @Test func theStatusIsThatOfTheProgram() throws {
    #expect(try ChildProcess("/bin/sh", ["-c", "exit 7"]).wait() == 7)
    #expect(try ChildProcess("/bin/sh", ["-c", "kill -KILL $$"]).wait() == 128 + SIGKILL)
  }

  @Test func signalsReachIt() throws {
    let process = try ChildProcess("/bin/sh", ["-c", "exec sleep 100"])
    process.signal(SIGKILL)
    #expect(process.wait() == 128 + SIGKILL)
  }

  /// Nothing is read unless something is given.
  @Test func theInputIsADescriptor() throws {
    #expect(try ChildProcess("/bin/sh", ["-c", "! read line"]).wait() == 0)
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("light\n".utf8))
    let process = try ChildProcess(
      "/bin/sh", ["-c", "read line && test \"$line\" = light"],
      input: .descriptor(pipe.fileHandleForReading.fileDescriptor))
    #expect(process.wait() == 0)
  }

  @Test func whatIsNoProgramIsAnError() {
    let failure = #expect(throws: ChildProcess.Failure.self) { try ChildProcess("/nonexistent/program") }
    #expect(failure?.code == ENOENT)
  }
}
