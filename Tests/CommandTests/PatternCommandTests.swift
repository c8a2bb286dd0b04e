import Foundation
import Patterns
import TestSupport
import Testing

/// The verb `pattern`: what it lists, describes, writes and refuses.
@Suite struct PatternCommandTests {
  @Test func listsAll() throws {
    let result = try Command.run(["pattern", "--list"])
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").count == TestPattern.all.count)
    let json = try Command.run(["pattern", "--list", "--json"])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect((object["patterns"] as? [[String: Any]])?.count == TestPattern.all.count)
  }

  @Test(arguments: TestPattern.all.map(\.name))
  func describes(_ name: String) throws {
    let text = try Command.run(["pattern", name, "--describe", "--size", "640x360"])
    #expect(text.status == 0 && text.output.hasPrefix(name))
    let json = try Command.run(["pattern", name, "--describe", "--json", "--size", "640x360"])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["name"] as? String == name)
    for patch in object["patches"] as? [[String: Any]] ?? [] {
      let area = try #require(patch["rectangle"] as? [String: Int])
      #expect(area["x", default: -1] >= 0 && area["x", default: 0] + area["width", default: 9999] <= 640)
      #expect((patch["codes"] as? [Int])?.count == 3)
    }
  }

  @Test(arguments: [
    (["pattern"], "Name a pattern"),
    (["pattern", "nonsense", "-o", "x.mkv"], "There is no pattern 'nonsense'"),
    (["pattern", "window=size=3", "-o", "x.mkv"], "has no parameter 'size'"),
    (["pattern", "window=percent=300", "-o", "x.mkv"], "'300' is not a value for percent"),
    (["pattern", "window=percent=nan", "-o", "x.mkv"], "'nan' is not a value for percent"),
    (["pattern", "ramp"], "Name the output with -o FILE"),
    (["pattern", "ramp", "--json"], "add --describe"),
    (["pattern", "ramp=labels=2", "-o", "x.mkv"], "it takes on or off"),
    (["pattern", "ramp", "-o", "x.mkv", "--size", "8x8"], "choose another --size"),
    (["pattern", "ramp", "-o", "x.mkv", "--size", "99999999999999999999x8"], "size"),
    (["pattern", "ramp", "-o", "x.mkv", "--size", "9000000000000000000x9000000000000000000"], "choose another --size"),
    (["pattern", "ramp", "-o", "x.mkv", "--rate", "0"], "rate"),
    (["pattern", "ramp", "-o", "x.mkv", "--duration", "100000000"], "shorter --duration"),
    (["pattern", "bt2111-hlg", "-o", "x.mkv", "--to", "hdr10"], "omit --to"),
    (["pattern", "bt2111-hlg", "-o", "x.mkv", "--range", "full"], "limited range"),
    (["pattern", "banding", "-o", "x.mkv", "--pixel-format", "yuv420p"], "needs 10 bits"),
    (["pattern", "ramp", "-o", "x.png", "--crf", "3"], "--crf is for video"),
    (["pattern", "ramp", "-o", "x.mkv", "--space", "pq"], "--space is for pictures"),
    (["pattern", "ramp", "-o", "x.exr", "--space", "srgb"], "takes --space"),
    (["pattern", "ramp", "-o", "x.png", "--duration", "2"], "holds one picture"),
    (["pattern", "ramp", "--list"], "omit the name"),
  ])
  func refusesWrongUsage(_ arguments: [String], _ words: String) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 2, "\(result.messages)")
    #expect(result.messages.contains(words), "\(result.messages)")
    #expect(!FileManager.default.fileExists(atPath: "x.mkv"))
  }

  @Test func keepsWhatExists() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.png")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    let arguments = ["pattern", "ramp", "-o", path, "--size", "320x180", "-q"]
    #expect(try Command.run(arguments).status == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    #expect(try Command.run(arguments + ["--overwrite"]).status == 0)
    // Nothing is made where one of several files is in the way.
    let second = scratch.path("b.png")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: scratch.path("b@2x.png")))
    #expect(
      try Command.run(["pattern", "ramp", "-o", second, "--size", "320x180", "--point-scale", "1,2"]).status == 1)
    #expect(!scratch.contents.contains("b.png"))
  }

  @Test func signalLeavesAPlayableFile() throws {
    let scratch = try Scratch()
    let path = scratch.path("long.mkv")
    let process = try Command.start(
      ["pattern", "counter", "-o", path, "--size", "640x360", "--duration", "2000", "-c:v", "ffv1", "-q"],
      output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
    let limit = TimeLimit(process, seconds: 60)
    defer { limit.end() }
    scratch.waitForPart(of: process, bytes: 1 << 20)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let frames = try Probe(path, ["-show_packets"]).packets?.count ?? 0
    #expect(frames > 0)
  }
}

extension PatternCommandTests {
  /// Dark content may say so: MaxCLL of 27 cd/m² is right.
  @Test func darkPatternsAreNotWarnedOf() throws {
    let scratch = try Scratch()
    let path = try Verdict.make("pluge=labels=off", "pluge.mkv", in: scratch, ["--to", "hdr10", "-c:v", "ffv1"])
    let result = try Command.run(["verify", path, "--pattern", "pluge=labels=off"])
    #expect(result.status == 0 && !result.messages.contains("MaxCLL"), "\(result.messages)")
    #expect(result.output.contains("MaxCLL 27,") || result.output.contains("MaxCLL 26,"), "\(result.output)")
  }
}
