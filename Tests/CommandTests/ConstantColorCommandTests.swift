import Foundation
import TestSupport
import Testing

/// The verb `constant-color`: what it writes and says, its exit statuses, and what it refuses.
@Suite struct ConstantColorCommandTests {
  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func aPairIsShown() throws {
    let scratch = try Scratch()
    let (ambient, flash) = try scratch.flashPair()
    let result = try Command.run([
      "constant-color", "--without-flash", ambient, "--flash", flash, "-o", scratch.path("out.png"), "--confidence-map",
      scratch.path("map.png"), "--exposure-ratio", "1", "--roi", "2,2,12,12=corner", "--roi", "20,20,8,8",
    ])
    #expect(result.status == 0, "\(result.messages)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 6 && lines[0].hasPrefix("confidence  ") && lines[1].contains("1, as stated"))
    #expect(lines[4].hasPrefix("corner  2,2,12,12  L* ") && lines[5].hasPrefix("region 2  20,20,8,8  L* "))
    #expect(result.messages.contains("--flash-temperature"))
    for name in ["out.png", "map.png"] {
      let size = try Tool.ffprobe.run([
        "-v", "error", "-show_entries", "stream=width,height,pix_fmt", "-of", "csv=p=0", scratch.path(name),
      ])
      #expect(String(decoding: size, as: UTF8.self).hasPrefix("96,64,rgb48be"), "\(name)")
    }
  }

  @Test func theReportIsPrinted() throws {
    let scratch = try Scratch()
    let (ambient, flash) = try scratch.flashPair()
    let report = scratch.path("report.json")
    let result = try Command.run([
      "constant-color", "--without-flash", ambient, "--flash", flash, "-o", scratch.path("out.exr"), "--json",
      "--report",
      report, "-q", "--neutral", "1,1,1",
    ])
    #expect(result.status == 0, "\(result.messages)")
    let printed = try object(result.output)
    #expect(
      try printed["format"] as? Int == 1 && result.output == String(contentsOfFile: report, encoding: .utf8) + "\n")
    #expect(printed["exposure_source"] as? String == "assumed_equal")
    #expect((printed["warnings"] as? [String])?.contains { $0.contains("--exposure-ratio") } ?? false)
  }

  /// Twelve frames, of which one is lit by the flash.
  @Test(arguments: [[], ["--flash-frames", "4,6"]]) func aClipHasThePair(_ choice: [String]) throws {
    let scratch = try Scratch()
    let (ambient, flash) = try scratch.flashPair()
    let list = (0..<12).map { "file '\($0 == 6 ? flash : ambient)'\nduration 0.04\n" }.joined()
    try Data(list.utf8).write(to: URL(fileURLWithPath: scratch.path("list.txt")))
    let clip = scratch.path("clip.mkv")
    try Tool.ffmpeg.run([
      "-f", "concat", "-safe", "0", "-i", scratch.path("list.txt"), "-r", "25", "-c:v", "ffv1", "-pix_fmt",
      "gbrp16le", "-color_trc", "iec61966-2-1", "-color_primaries", "bt709", "-y", clip,
    ])
    let result = try Command.run(
      ["constant-color", "--from", clip, "-o", scratch.path("out.png"), "--exposure-ratio", "1"] + choice)
    #expect(result.status == 0 && result.messages.contains("frame 6 with it"), "\(result.messages)")
    let still = try Command.run(["constant-color", "--from", ambient, "-o", scratch.path("still.png")])
    #expect(still.status == 1 && still.messages.contains("--flash-frames"), "\(still.messages)")
  }

  /// Without a flash there is nothing to believe.
  @Test func exitStatusOfWhatCannotBeBelieved() throws {
    let scratch = try Scratch()
    var pair = FlashScene()
    pair.flash = SIMD3(repeating: 0)
    let (ambient, flash) = try scratch.flashPair(pair)
    let arguments = ["constant-color", "--without-flash", ambient, "--flash", flash, "-o", scratch.path("out.png")]
    let result = try Command.run(arguments + ["--fallback", scratch.path("ambient.png")])
    #expect(result.status == 3 && result.messages.contains("cannot be believed"), "\(result.messages)")
    #expect(Set(scratch.contents) == ["ambient.ppm", "flash.ppm", "ambient.png"])
  }

  @Test func refusals() throws {
    let scratch = try Scratch()
    let (ambient, flash) = try scratch.flashPair()
    var other = FlashScene()
    other.width = 80
    try other.writeFlash(scratch.path("small.ppm"))
    try Data("kept".utf8).write(to: URL(fileURLWithPath: scratch.path("kept.png")))
    try Data(Data(contentsOf: URL(fileURLWithPath: ambient)).prefix(9000)).write(
      to: URL(fileURLWithPath: scratch.path("torn.ppm")))
    let before = Set(scratch.contents)
    let out = scratch.path("out.png")
    let pair = ["--without-flash", ambient, "--flash", flash]
    let cases: [(Int32, String, [String])] = [
      (2, "-o", pair), (2, "--without-flash", ["-o", out]), (2, "--without-flash", ["-o", out, "--flash", flash]),
      (2, "--from", pair + ["-o", out, "--from", "a.mkv"]),
      (2, "--flash-frames", pair + ["-o", out, "--flash-frames", "AUTO"]),
      (2, "--flash-frames", ["-o", out, "--from", "a.mkv", "--flash-frames", "3,3"]),
      (2, ".png", pair + ["-o", scratch.path("out.mkv")]),
      (2, ".exr", pair + ["-o", out, "--confidence-map", "m.avif"]),
      (2, "--roi", pair + ["-o", out, "--roi", "1,2,3"]), (2, "--roi", pair + ["-o", out, "--roi", "1,2,0,4"]),
      (2, "--roi", pair + ["-o", out, "--roi", "1,2,3,4", "--roi", "90,2,30,4"]),
      (2, "--roi", pair + ["-o", out, "--roi", "1,2,3,4=a", "--roi", "1,2,3,4=a"]),
      (2, "--exposure-ratio", pair + ["-o", out, "--exposure-ratio", "0"]),
      (2, "--min-confidence", pair + ["-o", out, "--min-confidence", "1.5"]),
      (2, "--flash-temperature", pair + ["-o", out, "--flash-temperature", "10"]),
      (2, "--neutral", pair + ["-o", out, "--neutral", "1,0,1"]),
      (2, "--neutral", pair + ["-o", out, "--neutral", "1"]),
      (2, "choose one", pair + ["-o", out, "--neutral", "1,1,1", "--flash-temperature", "5000"]),
      (2, "--bit-depth", pair + ["-o", out, "--bit-depth", "12"]), (2, "--space", pair + ["-o", out, "--space", "x"]),
      (2, "cannot carry", pair + ["-o", out, "--space", "linear-srgb"]),
      (2, "same file", pair + ["-o", out, "--confidence-map", out]),
      (2, "is an input", pair + ["-o", out, "--report", ambient, "--overwrite"]),
      (2, "--json", pair + ["-o", out, "--report", "-"]),
      (2, "same file", ["--without-flash", flash, "--flash", flash, "-o", out]),
      (1, "--overwrite", pair + ["-o", scratch.path("kept.png")]),
      (1, "does not exist", pair + ["-o", scratch.path("no/out.png")]),
      (1, "missing.png", ["--without-flash", scratch.path("missing.png"), "--flash", flash, "-o", out]),
      (1, "80x64", ["--without-flash", ambient, "--flash", scratch.path("small.ppm"), "-o", out]),
      (1, "swap", ["--without-flash", flash, "--flash", ambient, "-o", out]),
      (1, "torn.ppm", ["--without-flash", scratch.path("torn.ppm"), "--flash", flash, "-o", out]),
      (1, "nowhere", pair + ["-o", out, "--calibration", "/nowhere/c.json"]),
    ]
    for (status, says, arguments) in cases {
      let result = try Command.run(["constant-color"] + arguments)
      #expect(result.status == status && result.messages.contains(says), "\(arguments): \(result.messages)")
      #expect(result.output.isEmpty && Set(scratch.contents) == before, "\(arguments)")
    }
    #expect(try String(contentsOfFile: scratch.path("kept.png"), encoding: .utf8) == "kept")
  }

  /// A file system without room: no output, no part of one.
  @Test func nothingIsLeftOnAFullDisk() throws {
    let scratch = try Scratch()
    let (ambient, flash) = try scratch.flashPair()
    let before = Set(scratch.contents)
    let command =
      "ulimit -f 4; exec '\(Command.url.path)' constant-color --without-flash '\(ambient)' --flash '\(flash)' "
      + "-o '\(scratch.path("out.tiff"))' --confidence-map '\(scratch.path("map.tiff"))' --page '\(scratch.path("page"))' "
      + ">/dev/null 2>&1"
    let status = try Command.shell(command)
    #expect(status == 1 || status == 75)
    #expect(Set(scratch.contents) == before)
  }

  @Test(arguments: [SIGINT, SIGTERM]) func noPartIsLeftAfterASignal(_ signal: Int32) throws {
    let scratch = try Scratch()
    var pair = FlashScene()
    (pair.width, pair.height) = (1200, 900)
    let (ambient, flash) = try scratch.flashPair(pair)
    let before = Set(scratch.contents)
    let process = try Command.start(
      ["constant-color", "--without-flash", ambient, "--flash", flash, "-o", scratch.path("out.tiff")],
      output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
    let limit = TimeLimit(process)
    defer { limit.end() }
    scratch.waitForPart(of: process)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    // It may have been too late: the picture is whole then.
    let made = Set(scratch.contents).subtracting(before)
    if made == ["out.tiff"] {
      #expect(try Command.run(["probe", scratch.path("out.tiff")]).status == 0)
    } else {
      #expect(made.isEmpty && process.terminationStatus == 128 + signal)
    }
  }
}
