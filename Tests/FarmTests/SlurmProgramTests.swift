import Farm
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

  @Test func aProgramThatHangsIsEnded() {
    let begin = ContinuousClock.now
    // A child of it keeps the pipe open.
    #expect(throws: SlurmError.takesTooLong(program: "sh", seconds: 0.3)) { try run("sleep 1000 & wait", seconds: 0.3) }
    #expect(ContinuousClock.now - begin < .seconds(100))
  }

  @Test func aProgramThatFloodsIsEnded() {
    #expect(throws: SlurmError.saysTooMuch(program: "sh", limit: 1 << 20)) { try run("cat /dev/zero", seconds: 300) }
  }

  @Test func aProgramThatIsNotThere() {
    #expect(throws: SlurmError.isNotInstalled(program: "no-such-program")) {
      try SlurmProgram.run("no-such-program", [], environment: [], seconds: 1, largest: 1)
    }
  }
}
