import Foundation
import TestSupport
import Testing

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
        "mine.json": #"""
        {"coding": {"encoder": "libx265", "crf": 20}, "mapping": {"chosenKind": "hdr10", "headroom": 3, "gamut": "clip"},
         "rendering": {"dithers": false}, "filters": ["highlight"]}
        """#
      ], scratch)
    let own = try request(["--preset-file", "mine"], environment)
    #expect(own.mapping.headroom == 3)
    #expect(own.mapping.gamut == "clip")
    #expect(own.coding.crf == 20)
    #expect(own.rendering.dithers == false)
    let changed = try request(
      [
        "--gamut=perceptual", "--dither", "--filter", "highlight=gamut=p3", "--peak", "700", "--preset-file",
        scratch.path("config/headroom/presets/mine.json"),
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
      ["bad.json": #"{"mapping": {"peek": 1}}"#, "tv-sdr.json": #"{"coding": {"crf": 30}}"#, "note.txt": "x"], scratch)
    let list = try Command.program(["presets"], environment: environment)
    #expect(list.status == 0, "\(list.messages)")
    for part in [
      "bad (", "there is no key 'mapping.peek'", "tv-sdr ('", "--crf 30", "archive-hdr10 (built in)", "--to hdr10",
      "--hdr10plus copy", "master-prores (built in)", "phone-sdr (built in)",
    ] { #expect(list.output.contains(part), "\(part)") }
    #expect(!list.output.contains("tv-sdr (built in)") && !list.output.contains("note"))
    #expect(try Command.program(["presets", "tv-sdr"], environment: environment).output == "--crf 30\n")
    let bad = try Command.program(["presets", "bad"], environment: environment)
    #expect(bad.status == 2 && bad.messages.contains("mapping.peek") && bad.output.isEmpty)
    #expect(try Command.program(["presets", "--json"], environment: environment).status == 2)
  }

  /// What `--json` prints is a preset again.
  @Test(arguments: ["archive-hdr10", "master-prores", "phone-sdr", "tv-sdr"])
  func builtInPresetsAreFilesToBeginWith(_ name: String) throws {
    let scratch = try Scratch()
    let json = try Command.run(["presets", name, "--json"])
    #expect(json.status == 0)
    let path = scratch.path("a.json")
    try Data(json.output.utf8).write(to: URL(fileURLWithPath: path))
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
      try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path("p.json")))
      return scratch.path("p.json")
    }
    try fail("none-such", 2, "'none-such'", "archive-hdr10", scratch.path("config/headroom/presets"))
    try fail(scratch.path("missing.json"), 1, "missing.json", "No such file")
    try fail(file("{"), 2, "p.json", "no", "JSON")
    try fail(file(#"{"output": "b.mkv"}"#), 2, "'output'", "single run")
    try fail(file(#"{"coding": null}"#), 2, "'coding'", "needs a value")
    try fail(file(#"{"coding": {"encoder": "", "crf": 20}}"#), 2, "'coding.encoder'", "-c:v needs a name")
    try fail(file(#"{"coding": {"encoder": "libx264", "crf": 900}}"#), 2, "libx264 accepts --crf 0 to 51, not 900")
    // There are requests that options of transcode cannot make.
    try fail(file(#"{"selection": {"every": 2}}"#), 2, "'selection.every'", "no option")
    try fail(file(#"{"mapping": {"curve": {"named": {"_0": "none-such"}}}}"#), 2, "mapping.curve")
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
