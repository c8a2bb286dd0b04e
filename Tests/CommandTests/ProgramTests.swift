import Foundation
import TestSupport
import Testing

/// The program itself: its status and both of its streams, which a command line inside of the test's process does not have.
/// Libraries write to the streams, too.
@Suite struct ProgramTests {
  private struct Line {
    let words: [String]
    var prints = false
  }

  /// Verbs in the order in which they need one another.
  private func lines(_ scratch: Scratch) -> [Line] {
    let (film, pieces) = (scratch.path("film.mkv"), scratch.path("pieces"))
    let few = ["--frames", "0-3", "-q"]
    let encoders = ["libx264", "libx265", "libsvtav1"].map { encoder in
      Line(
        words: ["transcode", film, "-o", scratch.path("\(encoder).mkv"), "-c:v", encoder, "--scale", "320x180"] + few)
    }
    return [
      Line(words: ["probe", DumpTests.sample, "--json"], prints: true),
      Line(words: ["dump", DumpTests.sample, "-o", scratch.path("picture.avif"), "--frames", "0", "-q"]),
      Line(words: ["measure", DumpTests.sample, "--json", "-q"], prints: true),
      Line(words: ["lut", "-o", scratch.path("table.cube"), "--nodes", "4", "-q"]),
      Line(words: ["pattern", "ramp", "-o", film, "--size", "640x360", "--duration", "0.2", "-c:v", "ffv1", "-q"]),
    ] + encoders + [
      Line(words: ["verify", film, "--pattern", "ramp", "--json", "-q"], prints: true),
      Line(words: ["scopes", film, "-o", scratch.path("scopes.png"), "--frames", "0", "-q"]),
      Line(words: ["preview", film, "--screen", "null", "-q"]),
      Line(
        words: ["plan", DumpTests.sample, "-o", scratch.path("joined.mkv"), "--work", pieces, "--chunks", "2"]
          + ["-c:v", "ffv1"] + few),
      Line(words: ["chunk", pieces, "--all", "-q"]),
      Line(words: ["assemble", pieces, "-q"]),
      Line(words: ["status", pieces, "--json"], prints: true),
      Line(words: ["presets"], prints: true),
      Line(words: ["completions", "bash"], prints: true),
      Line(words: ["doctor"], prints: true),
    ]
  }

  @Test func everyVerb() throws {
    let scratch = try Scratch()
    for line in lines(scratch) {
      let result = try Command.program(line.words)
      #expect(result.status == 0 && result.messages.isEmpty, "\(line.words): \(result.status) \(result.messages)")
      #expect(result.output.isEmpty != line.prints, "\(line.words): \(result.output)")
      if line.words.contains("--json") {
        #expect(throws: Never.self, "\(line.words)") {
          try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        }
      }
    }
  }

  /// Refusals go to standard error alone.
  @Test(arguments: [
    (["probe", "/nothing.mkv"], 1), (["transcode", "a.mkv"], 2), (["lut", "-o", "t.cube", "--nodes", "1"], 2),
  ])
  func refusals(_ words: [String], _ status: Int) throws {
    let result = try Command.program(words)
    #expect(result.status == Int32(status) && result.output.isEmpty)
    #expect(result.messages.hasPrefix("headroom: ") || result.messages.hasPrefix("Error: "), "\(result.messages)")
  }

  /// FFmpeg prints nothing of its own about a damaged file.
  @Test func garbage() throws {
    let scratch = try Scratch()
    let path = scratch.path("garbage.hevc")
    try Data([0, 0, 0, 1, 0x40, 1] + (0..<3000).map { UInt8($0 * $0 % 251) }).write(to: URL(fileURLWithPath: path))
    let result = try Command.program(["probe", path])
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.messages.split(separator: "\n").allSatisfy { $0.hasPrefix("headroom: ") }, "\(result.messages)")
  }
}
