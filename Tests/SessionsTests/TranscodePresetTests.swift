import ColorScience
import Foundation
import Media
import Rendering
import Testing
import ToneMapping

import Sessions

/// Requests with holes, and why some are none.
@Suite struct TranscodePresetTests {
  private func preset(_ json: String) throws -> TranscodePreset {
    try TranscodePreset(name: "a", json: Data(json.utf8))
  }

  private func expect(_ error: PresetError, _ json: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(throws: error, sourceLocation: sourceLocation) { try preset(json) }
  }

  @Test func holesAreTheDefaults() throws {
    #expect(try preset("{}").request == TranscodePreset.defaultRequest)
    let stated = try preset(
      #"""
      {"description": "A film", "mapping": {"peak": 600, "chosenKind": "hdr10", "curve": {"named": {"_0": "bt2390"}}},
      "input": {"background": null, "overrides": {"transfer": 16}}, "filters": ["highlight"],
      "streams": {"map": [{"specifier": "v", "isNegative": false, "isOptional": true}]}, "selection": {"every": 1}}
      """#)
    var expected = TranscodePreset.defaultRequest
    (expected.mapping.peak, expected.mapping.chosenKind) = (600, .hdr10)
    expected.mapping.curve = .named(try #require(ToneCurve.named("bt2390")))
    (expected.input.background, expected.input.overrides.transfer, expected.filters) = (nil, .pq, ["highlight"])
    var entry = StreamRequest.Entry("v")
    entry.isOptional = true
    expected.streams.map = [entry]
    #expect(stated.request == expected && stated.description == "A film")
    #expect(stated.json.contains("A film") && stated.json.contains("\"peak\" : 600"))
  }

  @Test func mistakesAreNamedByTheirPath() throws {
    expect(.unknownKey("codec"), #"{"codec": "libx265"}"#)
    expect(.unknownKey("mapping.Peak"), #"{"mapping": {"peak": 600, "Peak": 500}}"#)
    expect(
      .unknownKey("streams.map[1].name"),
      #"{"streams": {"map": [{"specifier": "v", "isNegative": false, "isOptional": false}, "#
        + #"{"specifier": "a", "isNegative": false, "isOptional": false, "name": 1}]}}"#)
    expect(.invalidValue(key: "mapping.peak", allowed: "it has to be a number"), #"{"mapping": {"peak": "600"}}"#)
    expect(.invalidValue(key: "coding", allowed: "it has to be an object"), #"{"coding": 1}"#)
    expect(.invalidValue(key: "filters", allowed: "it has to be a list"), #"{"filters": "highlight"}"#)
    expect(
      .invalidValue(key: "filters[1]", allowed: "it has to be a string"), #"{"filters": ["highlight", true]}"#)
    expect(
      .invalidValue(key: "bakesRotation", allowed: "it has to be true or false"), #"{"bakesRotation": 1}"#)
    expect(.invalidValue(key: "mapping.gamut", allowed: "there is no such value"), #"{"mapping": {"gamut": "wide"}}"#)
    expect(
      .invalidValue(key: "scale", allowed: "it needs the key 'height'"),
      #"{"scale": {"width": {"samples": {"_0": 4}}}}"#)
    expect(.invalidValue(key: "description", allowed: "it has to be a string"), #"{"description": 1}"#)
    for key in ["output", "report", "statistics"] { expect(.belongsToRun(key: key), "{\"\(key)\": \"a.mkv\"}") }
    expect(.belongsToRun(key: "input.name"), #"{"input": {"name": "a.mkv"}}"#)
  }

  @Test func impossibleValuesAreRefused() throws {
    let error = #expect(throws: PresetError.self) {
      try preset(#"{"coding": {"crf": 900, "preset": ""}, "mapping": {"peak": 600}}"#)
    }
    guard case .isRefused(let key, let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(key == "coding.preset" && message.code == "empty-name" && message.words.contains("preset needs"))
    // No key alone is to blame.
    expect(
      .isRefused(key: nil, .exclusive(.frames, .startOrDuration)),
      #"{"selection": {"start": 1, "range": {"first": 3}}}"#)
    expect(
      .isRefused(key: "mapping.exposure", .outOfRange(.exposure, "1e+300", "-10.0", "10.0 stops")),
      #"{"mapping": {"exposure": 1e300}}"#)
  }

  /// What `--dry-run --json` prints is a preset, without the files of its run.
  @Test func plansArePresets() throws {
    let request =
      #"{"coding": {"crf": 19}, "input": {"name": "a"}, "output": "b", "report": "c", "metadata": "#
      + #"{"inputLight": {"file": {"_0": "d"}}}}"#
    var expected = TranscodePreset.defaultRequest
    expected.coding.crf = 19
    #expect(try preset(#"{"checksum": "0", "plan": {"transcode": {"request": "# + request + "}}}").request == expected)
    expect(.isOtherPlan("scopes"), #"{"plan": {"scopes": {"request": {}}}}"#)
  }

  @Test func otherFilesAreNoPresets() {
    for text in ["", "[]", "3", "{", "\u{0}", "{\"a\": }", String(repeating: "{\"a\":", count: 5000)] {
      #expect(throws: PresetError.self) { try preset(text) }
    }
  }

  /// Whatever is changed in a preset, reading it ends without a trap.
  @Test func damagedPresets() {
    var random = SystemRandomNumberGenerator()
    for builtIn in TranscodePreset.builtIn {
      let whole = Array(builtIn.json.utf8)
      for _ in 0..<60 {
        var bytes = whole
        for _ in 0..<3 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 32...126, using: &random)
        }
        _ = try? TranscodePreset(name: "a", json: Data(bytes))
      }
    }
  }

  @Test func builtInPresets() {
    #expect(TranscodePreset.builtIn.map(\.name) == ["archive-hdr10", "master-prores", "phone-sdr", "tv-sdr"])
    #expect(TranscodePreset.builtIn.allSatisfy { $0.description != nil })
  }

  @Test func differencesAreNamedByTheirPath() throws {
    let one = try preset(#"{"mapping": {"peak": 600}}"#)
    #expect(one.firstKey(differingIn: one.request) == nil)
    #expect(one.firstKey(differingIn: TranscodePreset.defaultRequest) == "mapping.peak")
    var other = one.request
    other.mapping.black = 0.1
    #expect(one.firstKey(differingIn: other) == "mapping.black")
  }
}
