import ColorScience
import Displays
import Foundation
import TestSupport
import Testing

@Suite struct DisplayModelTests {
  @Test func presetsHaveTheirHeadroom() throws {
    for headroom in [2.0, 5, 8, 16, 400] {
      let model = try #require(DisplayModel.preset(named: "edr-\(Int(headroom))"))
      #expect(abs(model.potentialHeadroom - headroom) < 1e-9)
      #expect(abs(DisplayStatus(model).currentHeadroom - headroom) < 1e-9)
    }
    #expect(Set(DisplayModel.presets.map(\.name)).count == DisplayModel.presets.count)
    for model in DisplayModel.presets where model.format.map({ !$0.isHDR }) ?? false {
      #expect(DisplayStatus(model).currentHeadroom == 1 && model.referenceHeadroom == 0)
    }
  }

  /// Supported, enabled, headroom: every state, and how it is reached.
  @Test(arguments: [
    (false, false, 1.0, ReferenceMode.Status.notSupported), (false, true, 16, .notSupported),
    (true, false, 1, .notEnabled), (true, false, 16, .notEnabled), (true, true, 9.99, .limited),
    (true, true, 1, .limited), (true, true, 10, .enabled), (true, true, 16, .enabled),
  ])
  func referenceModeStatus(isSupported: Bool, isEnabled: Bool, headroom: Double, status: ReferenceMode.Status) {
    #expect(ReferenceMode.status(isSupported: isSupported, isEnabled: isEnabled, headroom: headroom) == status)
  }

  @Test func referenceModeOfDisplays() throws {
    func status(peak: Double, white: Double, isEnabled: Bool) -> ReferenceMode.Status {
      var model = DisplayModel("d", peak: peak, sdrWhite: white, primaries: .displayP3, transfer: .pq)
      model.isReferenceModeEnabled = isEnabled
      return DisplayStatus(model, brightness: 0.3).referenceMode
    }
    #expect(status(peak: 300, white: 300, isEnabled: true) == .notSupported)
    #expect(status(peak: 1600, white: 400, isEnabled: false) == .notEnabled)
    #expect(status(peak: 600, white: 200, isEnabled: true) == .limited)
    #expect(status(peak: 1600, white: 400, isEnabled: true) == .enabled)
    // It locks SDR white and headroom, whatever the brightness is.
    var model = try #require(DisplayModel.preset(named: "edr-16"))
    model.isReferenceModeEnabled = true
    let locked = DisplayStatus(model, brightness: 0.2)
    #expect(locked.sdrWhite == 100 && locked.currentHeadroom == 10)
    // Its SDR white may be lower than that of any brightness.
    var bright = DisplayModel("d", peak: 1000, sdrWhite: 200, primaries: .displayP3, transfer: .pq)
    bright.isReferenceModeEnabled = true
    #expect(DisplayStatus(bright).currentHeadroom == 10 && DisplayStatus(bright).potentialHeadroom == 10)
  }

  @Test func brightnessIsHeadroom() {
    let model = DisplayModel(
      "d", peak: 1000, sdrWhite: 500, minimumSDRWhite: 100, primaries: .displayP3, transfer: .pq)
    for (brightness, white, headroom) in [(1.0, 500.0, 2.0), (0.5, 250, 4), (0.2, 100, 10), (0.1, 50, 10), (0, 1, 10)] {
      let status = DisplayStatus(model, brightness: brightness)
      #expect(status.sdrWhite == white && status.currentHeadroom == headroom && status.potentialHeadroom == 10)
    }
  }

  @Test func files() throws {
    let scratch = try Scratch()
    func model(_ text: String) throws -> DisplayModel {
      let path = scratch.path("display.json")
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return try DisplayModel(contentsOf: path)
    }
    func failure(_ text: String) -> DisplayError? {
      do {
        _ = try model(text)
        return nil
      } catch { return error as? DisplayError }
    }
    let least = try model(#"{"peak": 800}"#)
    #expect(least.sdrWhite == 100 && least.potentialHeadroom == 8 && least.primaries == .displayP3)
    let all = try model(
      """
      {"name": "Grade 1", "peak": 1000, "black": 0.001, "sdrWhite": 200, "minimumSDRWhite": 50, "bitDepth": 12,
       "primaries": {"red": {"x": 0.68, "y": 0.31}, "green": {"x": 0.2, "y": 0.7}, "blue": {"x": 0.15, "y": 0.05},
                     "white": {"x": 0.3127, "y": 0.329}}, "transfer": "gamma2.35", "referenceMode": true,
       "whitePoint": {"measured": {"chromaticity": {"x": 0.31, "y": 0.33}, "luminance": 100},
                      "target": {"chromaticity": {"x": 0.3127, "y": 0.329}}}}
      """)
    #expect(all.transfer == .gamma(2.35) && all.primaries.red.x == 0.68 && all.potentialHeadroom == 20)
    let data = try JSONEncoder().encode(all)
    #expect(try JSONDecoder().decode(DisplayModel.self, from: data) == all)
    for preset in DisplayModel.presets {
      #expect(try JSONDecoder().decode(DisplayModel.self, from: JSONEncoder().encode(preset)) == preset)
    }
    for (text, key) in [
      (#"{"peak": 0.5}"#, "peak"), (#"{}"#, "peak"), (#"{"peak": 1e9}"#, "peak"),
      (#"{"peak": 100, "sdrWhite": 101}"#, "sdrWhite"), (#"{"peak": 100, "black": 60}"#, "black"),
      (#"{"peak": 100, "primaries": "bt601"}"#, "primaries"), (#"{"peak": 100, "transfer": "gamma9"}"#, "transfer"),
      (#"{"peak": 100, "bitDepth": 4}"#, "bitDepth"), (#"{"peak": "100"}"#, "peak"),
      (#"{"peak": 900, "sdrWhite": 100, "minimumSDRWhite": 200}"#, "minimumSDRWhite"),
      (#"{"peak": 900, "name": "a\u001b[31m"}"#, "name"),
      (
        #"{"peak": 9, "whitePoint": {"measured": {"chromaticity": {"x": 0.31, "y": 0.33}, "luminance": -1}, "target": {"chromaticity": {"x": 0.31, "y": 0.33}}}}"#,
        "whitePoint"
      ),
      (#"{"peak": null, "name": "x"}"#, "peak"), (#"{"peak": 100, "format": "bt708"}"#, "format"),
      (#"{"peak": 100, "whitePoint": {"measured": null}}"#, "whitePoint.measured"),
      (#"{"peak": 100, "primaries": {"red": null}}"#, "primaries.red"),
    ] {
      guard case .invalidValue(_, let named, _) = failure(text) else {
        Issue.record("\(text): \(String(describing: failure(text)))")
        continue
      }
      #expect(named == key)
    }
    for (text, key) in [
      (#"{"peek": 100}"#, "peek"), (#"{"peak": 9, "primaries": {"read": {}}}"#, "primaries.read"),
      (#"{"peak": 9, "whitePoint": {"measured": {"luminence": 180}}}"#, "whitePoint.measured.luminence"),
    ] {
      guard case .unknownKey(_, let named, _) = failure(text) else {
        Issue.record("\(text): \(String(describing: failure(text)))")
        continue
      }
      #expect(named == key)
    }
    for text in ["", "[]", "{", "null"] {
      if case .malformed = failure(text) {} else { Issue.record("\(text): \(String(describing: failure(text)))") }
    }
    #expect(failure("\u{0}\u{1}") == .invalidEDID(path: scratch.path("display.json"), .tooShort(count: 2)))
  }

  /// What is no file is refused; a pipe that nobody writes to does not block.
  @Test func onlyFilesAreRead() throws {
    let scratch = try Scratch()
    let pipe = scratch.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    for (path, reason) in [
      (pipe, "it is not a regular file"), ("/dev/zero", "it is not a regular file"),
      (scratch.folder.path, "it is a folder"), (scratch.path("missing"), "No such file or directory"),
    ] {
      #expect(throws: DisplayError.unreadable(path: path, reason: reason)) { try DisplayModel(contentsOf: path) }
    }
    let large = scratch.path("large")
    try Data(count: 65_537).write(to: URL(fileURLWithPath: large))
    #expect(throws: DisplayError.unreadable(path: large, reason: "it is too large")) {
      try DisplayModel(contentsOf: large)
    }
  }

  @Test func whitePoint() throws {
    let model = DisplayModel("d", peak: 500, sdrWhite: 100, primaries: .displayP3, transfer: .pq)
    let measured = Chromaticity(x: 0.3050, y: 0.3200)
    let adaptation = WhitePointAdaptation(
      measured: .init(measured, luminance: 120), target: .init(.d65, luminance: 90))
    let gains = try #require(adaptation.gains(model.primaries))
    // The measured display, driven by the gains, has the target's white.
    let actual = RGBSpace(
      red: RGBSpace.displayP3.red, green: RGBSpace.displayP3.green, blue: RGBSpace.displayP3.blue, white: measured)
    let shown = DisplayColor(nits: gains * 120, in: actual)
    let white = try #require(shown.chromaticity)
    #expect(abs(white.x - 0.3127) < 1e-6 && abs(white.y - 0.329) < 1e-6 && abs(shown.luminance - 90) < 1e-6)
    #expect(gains.max() <= 1)
    // Brighter than it gets, and outside of its gamut.
    #expect(
      WhitePointAdaptation(measured: .init(measured, luminance: 120), target: .init(.d65, luminance: 130))
        .gains(model.primaries) == nil)
    #expect(
      WhitePointAdaptation(measured: .init(measured), target: .init(Chromaticity(x: 0.7, y: 0.3)))
        .gains(model.primaries) == nil)
  }
}
