import Foundation
import TestSupport
import Testing

/// Runs that write the same output: one of them succeeds, and none touches another's file.
@Suite(.serialized) struct TwoRunsTests {
  private func source(_ scratch: Scratch, frames: Int) throws -> String {
    try scratch.clip("in.mkv", size: "640x360", frames: frames, ["-c:v", "libx264", "-preset", "ultrafast"])
  }

  /// The exit statuses of runs that are started at once.
  private func together(_ commands: [[String]]) throws -> [Int32] {
    let processes = try commands.map {
      try Command.start($0, output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
    }
    let limits = processes.map { TimeLimit($0) }
    defer { limits.forEach { $0.end() } }
    return processes.map { process in
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private static let verbs = [
    ["transcode", "-o", "out.mkv", "-c:v", "ffv1"], ["dump", "-o", "out-%03d.png", "--frames", "0-3"],
    ["measure", "-o", "out.json"], ["dump", "-o", "out.exr", "--frames", "2-2"], ["scopes", "-o", "out.mp4"],
    ["scopes", "-o", "out.png", "--at", "0"],
  ]

  @Test(arguments: LongTests.areWanted ? verbs : Array(verbs.prefix(3)))
  func oneSucceeds(_ arguments: [String]) throws {
    let scratch = try Scratch()
    let input = try source(scratch, frames: 12)
    let words = arguments.map { $0.hasPrefix("out") ? scratch.path($0) : $0 }
    let command = [words[0], input] + words.dropFirst() + ["-q"]
    let statuses = try together([[String]](repeating: command, count: 4))
    #expect(statuses.sorted() == [0, 1, 1, 1])
    #expect(scratch.contents.allSatisfy { !$0.hasSuffix(".part") })
    // Where it may be replaced, all do.
    #expect(try together([[String]](repeating: command + ["--overwrite"], count: 3)) == [0, 0, 0])
    #expect(scratch.contents.allSatisfy { !$0.hasSuffix(".part") })
  }

  /// Files left by a killed run are removed when the same output is begun again, but not for another one.
  @Test func whatADeadRunLeft() throws {
    let scratch = try Scratch()
    let input = try source(scratch, frames: 300)
    func parts() -> [String] { scratch.contents.filter { $0.hasSuffix(".part") } }
    let process = try Command.start(
      ["transcode", input, "-o", scratch.path("out.mkv")] + JobTests.encoder, output: FileHandle.nullDevice,
      messages: FileHandle.nullDevice)
    scratch.waitForPart(of: process)
    // While it lives, another run of the same output keeps off, and one that may replace it leaves its file alone.
    kill(process.processIdentifier, SIGSTOP)
    let before = parts()
    let refused = try Command.run(
      ["transcode", input, "-o", scratch.path("out.mkv"), "--frames", "0-1"] + JobTests.encoder)
    #expect(refused.status == 1 && refused.messages.contains("another run"), "\(refused.messages)")
    let other = try Command.run(
      ["transcode", input, "-o", scratch.path("out.mkv"), "--frames", "0-1", "--overwrite"] + JobTests.encoder)
    #expect(other.status == 0, "\(other.messages)")
    #expect(parts() == before)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(parts() == before)
    #expect(
      try Command.run(["transcode", input, "-o", scratch.path("b.mkv"), "--frames", "0-1"] + JobTests.encoder).status
        == 0)
    #expect(parts() == before)
    let again = try Command.run(
      ["transcode", input, "-o", scratch.path("out.mkv"), "--frames", "0-1", "--overwrite"] + JobTests.encoder)
    #expect(again.status == 0, "\(again.messages)")
    #expect(parts().isEmpty)
  }

  /// Of names that leave no room for the mark, too; and those that are too long are refused before the first frame.
  @Test func longNames() throws {
    let scratch = try Scratch()
    let input = try source(scratch, frames: 300)
    let output = scratch.path(String(repeating: "n", count: 245) + ".mkv")
    let process = try Command.start(
      ["transcode", input, "-o", output] + JobTests.encoder, output: FileHandle.nullDevice,
      messages: FileHandle.nullDevice)
    scratch.waitForPart(of: process)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let again = try Command.run(["transcode", input, "-o", output, "--frames", "0-1"] + JobTests.encoder)
    #expect(again.status == 0, "\(again.messages)")
    #expect(scratch.contents.allSatisfy { !$0.hasSuffix(".part") })
    let tooLong = scratch.path(String(repeating: "n", count: 260) + ".mkv")
    let refused = try Command.run(["transcode", input, "-o", tooLong] + JobTests.encoder)
    #expect(refused.status == 1 && refused.messages.contains("name is too long"), "\(refused.messages)")
  }

  /// Left by hand: those of a pattern's pictures go, others stay.
  @Test func whatADeadDumpLeft() throws {
    let scratch = try Scratch()
    let input = try source(scratch, frames: 3)
    let mine = [".f-007.png.headroom-99-1.part", ".f-1234.png.headroom-99-2.part"]
    let others = [".f-07.png.headroom-99-1.part", ".g-007.png.headroom-99-1.part", ".f-007.png.part", "f-x.part"]
    for name in mine + others { try Data().write(to: URL(fileURLWithPath: scratch.path(name))) }
    #expect(try Command.run(["dump", input, "-o", scratch.path("f-%03d.png"), "-q"]).status == 0)
    #expect(Set(scratch.contents) == Set(others + ["in.mkv", "f-000.png", "f-001.png", "f-002.png"]))
  }
}
