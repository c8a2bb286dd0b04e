import Farm
import Foundation
import TestSupport
import Testing

/// Programs that hang, flood or are not there.
@Suite struct SlurmProgramTests {
  private func run(_ script: String, seconds: Double = 60, largest: Int = 1 << 20) throws(SlurmError)
    -> SlurmProgram.Answer
  {
    try SlurmProgram.run("sh", ["-c", script], environment: ["A=b c"], seconds: seconds, largest: largest)
  }

  @Test func whatAProgramSaysIsKept() throws {
    let answer = try run(#"echo "$A"; echo two >&2; exit 3"#)
    #expect(answer == SlurmProgram.Answer(status: 3, output: Array("b c\n".utf8), errors: Array("two\n".utf8)))
    #expect(try run("kill -9 $$").status == 137)
  }

  @Test func bothStreamsCanBeFull() throws {
    let answer = try run("head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero")
    #expect(answer.output.count == 300_000 && answer.errors.count == 300_000)
  }

  @Test func aProgramThatHangsIsEndedWithItsChildren() throws {
    let begin = ContinuousClock.now
    let scratch = try Scratch()
    let script = "sleep 1000 & echo $! >'\(scratch.path("child"))'; wait"
    #expect(throws: SlurmError.timedOut(program: "sh", seconds: 5)) { try run(script, seconds: 5) }
    #expect(ContinuousClock.now - begin < .seconds(300))
    let child = try #require(pid_t(try String(contentsOfFile: scratch.path("child"), encoding: .utf8).dropLast()))
    // It may wait for its parent to take note.
    let status = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ""
    #expect(status.isEmpty || status.contains(") Z "))
  }

  @Test func aProgramThatFloodsIsEnded() {
    #expect(throws: SlurmError.tooMuchOutput(program: "sh", limit: 1 << 20)) { try run("cat /dev/zero", seconds: 300) }
  }

  @Test func aProgramThatIsNotThere() {
    #expect(throws: SlurmError.notInstalled(program: "no-such-program")) {
      try SlurmProgram.run("no-such-program", [], environment: [], seconds: 1, largest: 1)
    }
  }
}
