import Foundation
import TestSupport
import Testing

import headroom

/// Presets on the command line.
@Suite struct PresetCommandTests {
  private static let media = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("media/hdr10-sample.mp4").path

  /// A user's folder with these presets.
  private func home(_ presets: [String: String], _ scratch: Scratch) throws -> [String: String] {
    let folder = scratch.path("config/headroom/presets")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in presets { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    return ["XDG_CONFIG_HOME": scratch.path("config")]
  }

  /// The request of a plan, as far as the tests ask.
  private struct Request: Decodable {
    struct Mapping: Decodable {
      let headroom: Double?
      let peak: Double?
      let gamut: String
    }
    struct Coding: Decodable { let crf: Double? }
    struct Rendering: Decodable { let dithers: Bool }
    let mapping: Mapping
    let coding: Coding
    let rendering: Rendering
    let filters: [String]
  }

  private struct Plan: Decodable { let request: Request }

  private func request(_ arguments: [String], _ environment: [String: String]) throws -> Request {
    let result = try Command.program(
      ["transcode", Self.media, "-o", "/nowhere/a.mkv", "--dry-run", "--json", "-q"] + arguments,
      environment: environment)
    #expect(result.status == 0, "\(result.messages)")
    let whole = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let plan = try #require(Self.object(with: "request", in: whole))
    return try JSONDecoder().decode(Plan.self, from: JSONSerialization.data(withJSONObject: plan)).request
  }

  /// The outermost object that has a key.
  private static func object(with key: String, in value: Any) -> [String: Any]? {
    guard let object = value as? [String: Any] else { return nil }
    return object[key] == nil ? object.values.lazy.compactMap { Self.object(with: key, in: $0) }.first : object
  }

  /// Options win, also where they state the default, whatever comes first on the command line.
  @Test func optionsReplaceThoseOfThePreset() throws {
    let scratch = try Scratch()
    let environment = try home(
      [
        "mine.conf": """
        # Names with and without dashes
        -c:v libx265
        crf = 20
          to=hdr10

        --headroom 3
        gamut clip
        no-dither
        filter highlight
        """
      ], scratch)
    let own = try request(["--preset-file", "mine"], environment)
    #expect(own.mapping.headroom == 3)
    #expect(own.mapping.gamut == "clip")
    #expect(own.coding.crf == 20)
    #expect(own.rendering.dithers == false)
    let changed = try request(
      [
        "--gamut=perceptual", "--dither", "--filter", "highlight=gamut=p3", "--peak", "700", "--preset-file",
        scratch.path("config/headroom/presets/mine.conf"),
      ], environment)
    #expect(changed.mapping.gamut == "perceptual")
    #expect(changed.rendering.dithers == true)
    #expect(changed.filters == ["highlight=gamut=p3"])
    #expect(changed.mapping.peak == 700)
    #expect(changed.mapping.headroom == nil)
    #expect(changed.coding.crf == 20)
  }

  @Test func presetsAreListed() throws {
    let scratch = try Scratch()
    let environment = try home(
      ["bad.conf": "crf 20\npeek 1", "tv-sdr.conf": "--crf 30", "note.txt": "x"], scratch)
    let list = try Command.program(["presets"], environment: environment)
    #expect(list.status == 0, "\(list.messages)")
    for part in [
      "bad (", "line 2: transcode has no option 'peek'", "tv-sdr ('", "--crf 30", "archive-hdr10 (built in)",
      "--to hdr10",
      "--hdr10plus copy", "master-prores (built in)", "phone-sdr (built in)",
    ] { #expect(list.output.contains(part), "\(part)") }
    #expect(!list.output.contains("tv-sdr (built in)") && !list.output.contains("note"))
    #expect(try Command.program(["presets", "tv-sdr"], environment: environment).output == "--crf 30\n")
    let bad = try Command.program(["presets", "bad"], environment: environment)
    #expect(bad.status == 2 && bad.messages.contains("peek") && bad.output.isEmpty)
    #expect(try Command.program(["presets", "--file"], environment: environment).status == 2)
  }

  /// What `--file` prints is a preset again.
  @Test(arguments: ["archive-hdr10", "master-prores", "phone-sdr", "tv-sdr"])
  func builtInPresetsAreFilesToBeginWith(_ name: String) throws {
    let scratch = try Scratch()
    let file = try Command.run(["presets", name, "--file"])
    #expect(file.status == 0 && file.output.hasPrefix("# "))
    let path = scratch.path("a.conf")
    try Data(file.output.utf8).write(to: URL(fileURLWithPath: path))
    let (copy, original) = (try Command.run(["presets", path]), try Command.run(["presets", name]))
    #expect(copy.status == 0 && copy.output == original.output && !copy.output.isEmpty)
  }

  @Test func mistakesAreNamed() throws {
    let scratch = try Scratch()
    let environment = try home([:], scratch)
    func fail(_ name: String, _ status: Int32, _ parts: String...) throws {
      let result = try Command.program(
        ["transcode", Self.media, "-o", scratch.path("a.mkv"), "--preset-file", name], environment: environment)
      #expect(result.status == status)
      for part in parts { #expect(result.messages.contains(part), "\(part) in: \(result.messages)") }
      #expect(!FileManager.default.fileExists(atPath: scratch.path("a.mkv")))
    }
    func file(_ text: String) throws -> String {
      try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path("p.conf")))
      return scratch.path("p.conf")
    }
    try fail("none-such", 2, "'none-such'", "archive-hdr10", scratch.path("config/headroom/presets"))
    try fail(scratch.path("missing.conf"), 1, "missing.conf", "No such file")
    try fail(file("{"), 2, "p.conf", "line 1", "no option '{'")
    try fail(file("# a\n-o b.mkv"), 2, "line 2", "-o belongs to a single run")
    try fail(file("measured a.json"), 2, "--measured belongs to a single run")
    try fail(file("crf"), 2, "--crf needs a value")
    try fail(file("strict yes"), 2, "--strict takes no value")
    try fail(file("peak high"), 2, "'high' is not a value of --peak: it takes a number.")
    try fail(file("exposure 11"), 2, "--exposure takes -10 to 10 stops, not 11.")
    try fail(file("-c:v=\ncrf 20"), 2, "-c:v needs a name")
    try fail(file("-c:v libx264\ncrf 900"), 2, "libx264 accepts --crf 0 to 51, not 900")
    try fail(file("peak 600\nheadroom 2"), 2, "--peak cannot be combined with --headroom")
  }

  /// Whatever a file holds, reading it ends without a trap.
  @Test func damagedPresets() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.conf")
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let bytes = (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
      try (Data("crf 20\n--to=hdr10\n".utf8) + Data(bytes)).write(to: URL(fileURLWithPath: path))
      #expect([0, 2].contains(try Command.run(["presets", path]).status))
    }
  }

  /// What belongs to an encoder goes with it, and options that say the same replace each other.
  @Test(arguments: [
    (["-c:v", "libx265"], [], ["--crf", "--preset"]), (["-c:v", "h264"], ["--crf 18", "--preset slow"], []),
    (["--bitrate", "8M"], ["--preset slow"], ["--crf"]), (["--encoder-options", "crf=20"], [], ["--crf"]),
    (["-c:a", "copy"], [], ["--audio-bitrate", "--downmix"]), (["-c:a", "flac"], ["--downmix"], ["--audio-bitrate"]),
    (["--inverse-tone-map"], [], ["--tone-map"]), (["--frames", "0-3"], [], ["--start"]),
    (["--start", "1"], ["--duration"], ["--start 2"]), (["-o", "a.mp4"], [], ["-f"]), (["-o", "-"], ["-f mov"], []),
  ])
  func whatGoesWithWhat(_ own: [String], _ kept: [String], _ dropped: [String]) throws {
    let words = try Preset(
      """
      -c:v libx264
      crf 18
      preset slow
      -c:a aac
      audio-bitrate 160k
      downmix stereo
      tone-map bt2390
      start 2
      duration 3
      -f mov
      """
    ).words(beside: own).joined(separator: " ")
    for part in kept { #expect(words.contains(part), "\(words)") }
    for part in dropped { #expect(!words.contains(part), "\(words)") }
  }

  /// A run of a built-in preset, and a film in pieces with it.
  @Test func presetsRun() throws {
    let scratch = try Scratch()
    let result = try Command.run([
      "transcode", Self.media, "-o", scratch.path("a.mp4"), "--preset-file", "phone-sdr", "--frames", "0-3", "--scale",
      "320x-2", "--preset", "ultrafast",
    ])
    #expect(result.status == 0, "\(result.messages)")
    let stream = try #require(try Probe(scratch.path("a.mp4"), ["-show_streams"]).streams?.first)
    #expect(stream.codec_name == "h264" && stream.width == 320 && stream.color_transfer == "bt709")
    let film = try Command.run([
      "plan", Self.media, "-o", scratch.path("b.mp4"), "--work", scratch.path("work"), "--preset-file", "tv-sdr",
      "--dry-run",
    ])
    #expect(film.status == 0 && film.output.contains("preset slow, CRF 18"), "\(film.messages)")
  }
}
