import Foundation
import TestSupport
import Testing

/// Numbered pictures as input of every verb.
@Suite struct SequenceCommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Frames of the sample as small pictures.
  private func dump(_ pattern: String, _ arguments: [String] = []) throws -> String {
    let result = try Command.run(
      ["dump", DumpTests.sample, "-q", "-o", scratch.path(pattern), "--frames", "0-4", "--scale", "240x-2"] + arguments)
    #expect(result.status == 0, "\(result.messages)")
    return scratch.path(pattern)
  }

  private func packets(_ path: String) throws -> Int { try Probe(path, ["-show_packets"]).packets?.count ?? 0 }

  @Test(arguments: ["png", "tif", "exr", "avif"]) func whatDumpWroteIsRead(_ suffix: String) throws {
    let input = try dump("f%03d.\(suffix)")
    let probe = try Command.run(["probe", "--json", input])
    #expect(probe.output.contains("\"color_primaries\" : \"bt2020\""), "\(probe.output)")
    #expect(probe.output.contains(suffix == "exr" ? "\"linear\"" : "smpte2084"), "\(probe.output)")
    let output = scratch.path("out.mkv")
    let result = try Command.run(["transcode", input, "-o", output, "-c:v", "ffv1", "--frame-rate", "24"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(!result.messages.contains("not fully tagged"), "\(result.messages)")
    let stream = try #require(try Probe(output, ["-show_streams"]).streams?.first)
    #expect(stream.avg_frame_rate == "24/1")
    #expect(try packets(output) == 5)
  }

  /// A sequence measures as its first picture does alone.
  @Test func measureAndScopesAndVerifyAndLUTTakeThem() throws {
    let input = try dump("f%03d.png")
    let measured = try Command.run(["measure", input, "-q", "--frames", "2"])
    let alone = try Command.run(["measure", scratch.path("f002.png"), "-q"])
    #expect(measured.status == 0 && alone.status == 0, "\(measured.messages)\(alone.messages)")
    func level(_ text: String) throws -> Double? {
      (try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["max_cll"] as? Double
    }
    #expect(try level(measured.output) == level(alone.output))
    let scopes = try Command.run(["scopes", input, "-q", "-o", scratch.path("s%d.png"), "--frames", "0-1"])
    #expect(scopes.status == 0, "\(scopes.messages)")
    #expect(try Command.run(["lut", input, "-q", "-o", scratch.path("a.cube")]).status == 0)
    let verified = try Command.run(["verify", input, "-q", "--pattern", "bt2111-pq"])
    #expect([0, 3].contains(verified.status), "\(verified.messages)")
  }

  /// The frames before a gap are in the output, and the status is 1.
  @Test func aGapIsAnErrorAfterWhatWasRead() throws {
    let input = try dump("f%03d.png")
    try FileManager.default.removeItem(atPath: scratch.path("f003.png"))
    let output = scratch.path("out.mkv")
    let result = try Command.run(["transcode", input, "-o", output, "-c:v", "ffv1", "-q"])
    #expect(result.status == 1)
    #expect(result.messages.contains("f003.png") && result.messages.contains("f004.png"), "\(result.messages)")
    #expect(try packets(output) == 3)
    // Nothing is wrong with the frames that are asked for.
    #expect(try Command.run(["measure", input, "-q", "--frames", "0-2"]).status == 0)
    #expect(try Command.run(["measure", input, "-q"]).status == 1)
    #expect(try Command.run(["dump", input, "-q", "-o", scratch.path("g%d.tif")]).status == 1)
    #expect(FileManager.default.fileExists(atPath: scratch.path("g2.tif")))
    let rest = try Command.run([
      "transcode", input, "-o", output, "-c:v", "ffv1", "-q", "--overwrite", "--input-start-number", "4",
    ])
    #expect(rest.status == 0, "\(rest.messages)")
    #expect(try packets(output) == 1)
  }

  /// No verb replaces a file that it reads.
  @Test(arguments: [
    ["scopes", "-o", "f%03d.png"], ["scopes", "-o", "f002.png", "--at", "0"], ["dump", "-o", "f%03d.png"],
    ["measure", "-o", "f001.png"], ["transcode", "-f", "null", "--report", "f004.png"],
    ["transcode", "-f", "null", "--stats", "f000.png"],
  ])
  func filesOfTheInputAreNotReplaced(_ arguments: [String]) throws {
    let input = try dump("f%03d.png")
    let words = arguments.map { $0.hasPrefix("f") && $0.hasSuffix(".png") ? scratch.path($0) : $0 }
    let result = try Command.run([words[0], input] + words.dropFirst() + ["--overwrite"])
    #expect(result.status == 2 && result.messages.contains("files of the input"), "\(result.messages)")
    #expect(try Command.run(["measure", input, "-q"]).status == 0)
  }

  /// Light that a file does not announce is kept in PQ, which has room for it.
  @Test func lightOfFloatsIsKept() throws {
    let input = scratch.path("in.exr")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "color=white:size=64x32", "-vf", "format=gbrpf32le,geq=r='60':g='60':b='60'", "-frames:v",
      "1", "-c:v", "exr", "-format", "float", "-y", input,
    ])
    let probe = try Command.run(["measure", input, "-q"])
    #expect(probe.output.contains("\"max_cll\" : 60"), "\(probe.output)")
    let output = scratch.path("out.png")
    let result = try Command.run(["transcode", input, "--to", "hdr10", "-o", output])
    #expect(result.status == 0 && result.messages.contains("--max-cll measure"), "\(result.messages)")
    #expect(try Command.run(["measure", output, "-q"]).output.contains("\"max_cll\" : 60"))
  }

  @Test func optionsOfPicturesAreForPictures() throws {
    for option in [["--frame-rate", "24"], ["--input-start-number", "1"]] {
      let result = try Command.run(["measure", DumpTests.sample, "-q"] + option)
      #expect(result.status == 2, "\(result.messages)")
    }
    #expect(try Command.run(["measure", DumpTests.sample, "--background", "red"]).status == 2)
  }

  /// A sheet of what says no size: an error, and no trap.
  @Test(arguments: ["png", "jpg", "m4v"]) func garbageHasNoContactSheet(_ suffix: String) throws {
    var state: UInt32 = 1
    let bytes = (0..<20_000).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let input = scratch.path("garbage.\(suffix)")
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    let result = try Command.run([
      "dump", input, "--contact", "3x2", "--duration", "1", "-o", scratch.path("sheet.png"),
    ])
    #expect(result.status == 1, "\(result.messages)")
  }
}
