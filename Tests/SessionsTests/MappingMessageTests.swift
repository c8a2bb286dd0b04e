import ColorScience
import Displays
import Foundation
import Frames
import Media
import TestSupport
import Testing
import ToneMapping

import Sessions
import SessionsTestSupport

/// Messages about how light is mapped, and the light that outputs state.
@Suite struct MappingMessageTests {
  private static func transcode(
    _ kind: OutputKind, _ input: String = Sample.hdr10, _ change: (inout TranscodeRequest) -> Void = { _ in }
  ) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: nil)
    request.coding.format = "null"
    request.mapping.chosenKind = kind
    change(&request)
    return request
  }

  private static func stating(
    display: MasteringDisplay? = nil, light: ContentLight? = nil
  ) -> TranscodeRequest {
    transcode(.hdr10) {
      $0.metadata.masteringDisplay = display.map { .value($0) }
      $0.metadata.contentLight = light.map { .value($0) }
    }
  }

  private static func display(
    x: UInt16 = 30_000, most: UInt32 = 10_000_000, least: UInt32 = 50
  ) -> MasteringDisplay {
    let point = MasteringDisplay.Chromaticity(x: x, y: 1)
    return MasteringDisplay(
      red: point, green: point, blue: point, white: point, maxLuminance: most, minLuminance: least)
  }

  @Test func displaysThatCannotBe() {
    expectRefusal("peak-below-sdr-white", "peak 50.0 is below sdrWhite 100.0") {
      try $0.plan(Self.transcode(.sdr) { ($0.mapping.peak, $0.mapping.sdrWhite) = (50, 100) })
    }
    expectRefusal("peak-too-low-for-hdr10", "peak 79.0") {
      try $0.plan(Self.transcode(.hdr10) { $0.mapping.peak = 79 })
    }
  }

  @Test func desaturation() {
    for gamut in [GamutMapping.Method.compress, .clip] {
      expectRefusal("desaturation-needs-perceptual-gamut", "which gamut \(gamut.rawValue) replaces") {
        try $0.plan(Self.transcode(.sdr) { ($0.mapping.gamut, $0.mapping.highlightDesaturation) = (gamut, 0.5) })
      }
    }
    for amount in [-0.1, 1.1, .nan] {
      expectRefusal(.outOfRange(.highlightDesaturation, amount, 0...1)) {
        try $0.plan(Self.transcode(.sdr) { $0.mapping.highlightDesaturation = amount })
      }
    }
  }

  @Test func peakPercentile() {
    for percentage in [49.9, 100.1] {
      expectRefusal(.outOfRange(.peakPercentile, percentage, 50...100)) {
        try $0.plan(Self.transcode(.sdr) { $0.metadata.peakPercentile = percentage })
      }
    }
  }

  @Test func exposure() {
    for stops in [-10.5, 11, .nan] {
      expectRefusal(.outOfRange(.exposure, stops, -10...10, unit: "stops")) {
        try $0.plan(Self.transcode(.sdr) { $0.mapping.exposure = stops })
      }
    }
  }

  @Test func expansion() throws {
    expectRefusal("expansion-of-hdr") { try $0.plan(Self.transcode(.hdr10) { $0.mapping.isExpanded = true }) }
    let scratch = try Scratch()
    let sdr = try scratch.plain("sdr.mkv", frames: 1)
    expectRefusal(.outOfRange(.peak, "203.0", "more than 203.0", "10000.0 cd/m²")) {
      try $0.plan(Self.transcode(.hdr10, sdr) { ($0.mapping.isExpanded, $0.mapping.peak) = (true, 203) })
    }
    expectRefusal(.exclusive(.toneMap, .inverseToneMap)) {
      try $0.plan(Self.transcode(.hdr10, sdr) { ($0.mapping.isExpanded, $0.mapping.curve) = (true, .named(.spline)) })
    }
    expectRefusal(.exclusive(.inverseToneMap, .sdrWhite)) {
      try $0.plan(Self.transcode(.hdr10, sdr) { ($0.mapping.isExpanded, $0.mapping.sdrWhite) = (true, 100) })
    }
    // Diffuse white has its place where the content is made darker.
    for (stops, peak) in [(-4.0, 203.0), (1, 500.74)] {
      let plan = try Session().plan(Self.transcode(.hdr10, sdr) { $0.mapping.exposure = stops })
      #expect((plan.target.display.peak - peak).magnitude < 0.02 && plan.target.display.sdrWhite == 203)
      #expect(plan.summary.contains("exposure \(stops > 0 ? "+1" : "-4")"))
    }
    expectRefusal("expansion-to-sdr", "outputKind hdr10", "outputKind hlg") {
      try $0.plan(Self.transcode(.sdr, sdr) { $0.mapping.isExpanded = true })
    }
  }

  @Test func viewingConditions() {
    for (black, most) in [(-1.0, 10.0), (11, 10), (.nan, 10), (3, 2)] {
      expectRefusal(.outOfRange(.black, black, 0...most, unit: "cd/m²")) {
        try $0.plan(Self.transcode(.sdr) { ($0.mapping.peak, $0.mapping.sdrWhite, $0.mapping.black) = (4, 4, black) })
      }
    }
    for surround in [0, -5, 1e6, .infinity] {
      expectRefusal(.outOfRange(.ambient, surround, 0.01...100_000, unit: "cd/m²")) {
        try $0.plan(Self.transcode(.sdr) { $0.mapping.surround = surround })
      }
    }
    expectRefusal("viewing-conditions-with-bt2446a", "toneMap bt2446a") {
      try $0.plan(Self.transcode(.sdr) { ($0.mapping.curve, $0.mapping.black) = (.named(.bt2446a), 0.1) })
    }
    for change: (inout MappingRequest) -> Void in [{ $0.black = 0.1 }, { $0.surround = 100 }] {
      expectRefusal("viewing-conditions-with-hlg") { try $0.plan(Self.transcode(.hlg) { change(&$0.mapping) }) }
    }
  }

  @Test func headrooms() throws {
    func peak(_ kind: OutputKind?, _ headroom: Double, _ change: (inout MappingRequest) -> Void = { _ in }) throws
      -> Double
    {
      var request = TranscodeRequest(input: Sample.hdr10, output: nil)
      request.coding.format = "null"
      (request.mapping.chosenKind, request.mapping.headroom) = (kind, headroom)
      change(&request.mapping)
      return try Session().plan(request).target.display.peak
    }
    let panel = DisplayStatus(try #require(.preset(named: "edr-5")))
    #expect(try peak(.hdr10, 3) == 609)
    #expect(try peak(.hdr10, 3) { $0.sdrWhite = 100 } == 300)
    #expect(try peak(.hlg, 4) { $0.sdrWhite = 200 } == 800)
    #expect(try peak(.hdr10, 400) == 10_000)
    #expect(try peak(nil, 2) { $0.display = panel } == 400)
    #expect(try peak(nil, 20) { $0.display = panel } == 1000)
    for headroom in [0.5, 401, .nan] {
      expectRefusal(.outOfRange(.headroom, headroom, 1...400)) {
        try $0.plan(Self.transcode(.hdr10) { $0.mapping.headroom = headroom })
      }
    }
    expectRefusal("headroom-needs-hdr") { try $0.plan(Self.transcode(.sdr) { $0.mapping.headroom = 2 }) }
    expectRefusal(.exclusive(.peak, .headroom)) {
      try $0.plan(Self.transcode(.hdr10) { ($0.mapping.headroom, $0.mapping.peak) = (2, 900) })
    }
    expectRefusal(.exclusive(.display, .headroom)) {
      try $0.plan(Self.transcode(.hdr10) { ($0.mapping.headroom, $0.mapping.display) = (2, DisplayStatus(.reference)) })
    }
  }

  /// What a display does not say, or says in vain, is said.
  @Test func displaysThatSayTooLittle() throws {
    func warnings(_ file: String, _ change: (inout EDIDBytes) -> Void = { _ in }) throws -> [Message] {
      var bytes = EDIDBytes(try Data(contentsOf: EDIDBytes.folder.appendingPathComponent(file)))
      change(&bytes)
      var request = Self.transcode(.hdr10)
      request.mapping.display = DisplayStatus(DisplayModel(try EDID([UInt8](bytes)), name: "panel"))
      return try Session().plan(request).warnings
    }
    let television = "lg-oled-cx-hdmi.bin"
    let name = "LG TV SSCR"
    let assumed = try warnings(television)
    #expect(assumed.map(\.code) == ["display-peak-assumed"])
    #expect(assumed.first?.words.contains("'\(name)' does not state its peak: assuming 1000 cd/m²") == true)
    let damaged = try warnings(television) { $0[255] ^= 1 }.first { $0.code == "edid-damaged" }
    #expect(damaged?.words.contains("'\(name)' is damaged (block 1 has a wrong checksum)") == true)
    // A monitor that is no HDR display need not state its peak.
    #expect(try warnings("acer-acr0632-dp.bin").allSatisfy { $0.code != "display-peak-assumed" })
  }

  /// HDR10 for a display is mastered for it, whatever the source was mastered on.
  @Test func masteringDisplayOfADisplay() throws {
    var model = DisplayModel("panel", peak: 600, sdrWhite: 200, primaries: .bt709, transfer: .pq)
    model.black = 0.02
    for display in [model, .reference] {
      let plan = try Session().plan(Self.transcode(.hdr10) { $0.mapping.display = DisplayStatus(display) })
      let mastering = try #require(plan.video.metadata.masteringDisplay)
      let unit = MasteringDisplay.chromaticityUnits
      #expect(Double(mastering.red.x) == (display.primaries.red.x * unit).rounded())
      #expect(Double(mastering.green.y) == (display.primaries.green.y * unit).rounded())
      #expect(Double(mastering.maxLuminance) == display.peak * MasteringDisplay.luminanceUnits)
      #expect(Double(mastering.minLuminance) == display.black * MasteringDisplay.luminanceUnits)
    }
  }

  /// A display's white is coded as D65: what is stated holds in the coded light, in which white is R = G = B.
  @Test func masteringDisplayOfAnotherWhite() throws {
    let display = DisplayStatus(try #require(.preset(named: "p3-d50")))
    let plan = try Session().plan(Self.transcode(.hdr10) { $0.mapping.display = display })
    let mastering = try #require(plan.video.metadata.masteringDisplay)
    #expect(mastering.white.x == 15_635 && mastering.white.y == 16_450)
    // colour-science: P3 with a white of (0.3457, 0.3585), adapted to D65 by Bradford, in units of 0.00002.
    let points = [mastering.red, mastering.green, mastering.blue]
    #expect(points.map { Int($0.x) } == [33_876, 12_258, 7289])
    #expect(points.map { Int($0.y) } == [16_028, 35_242, 2771])
  }

  @Test(arguments: [
    ("314", 99.949), ("314 lx", 99.949), ("10lux", 3.1831), ("100cd/m2", 100), ("5 cd/m²", 5), ("1e2 nits", 100),
    ("", nil), ("lx", nil), ("bright", nil), ("5 lumen", nil), ("inf", nil), ("nan lx", nil),
  ])
  func surround(_ text: String, _ nits: Double?) {
    let read = Surround(rawValue: text)?.nits
    #expect(read.map { ($0 - (nits ?? -1)).magnitude < 1e-3 } ?? (nits == nil))
  }

  @Test func curvesThatAreIgnored() {
    expectRefusal("hdr10plus-curve-ignored", "toneMap st2094-40", "dynamicMetadata ignore") {
      try $0.plan(
        Self.transcode(.sdr) {
          $0.mapping.curve = .hdr10Plus
          $0.rendering.usesDynamicMetadata = false
        })
    }
  }

  @Test func metadataIsForHDR10() {
    expectRefusal("metadata-needs-hdr10") {
      try $0.plan(Self.transcode(.sdr) { $0.metadata.masteringDisplay = .copied })
    }
    expectRefusal("metadata-needs-hdr10") {
      try $0.plan(Self.transcode(.hlg) { $0.metadata.contentLight = .copied })
    }
  }

  @Test func thereIsNothingToCopy() {
    expectRefusal("no-mastering-display-to-copy", "masteringDisplay") {
      try $0.plan(Self.transcode(.hdr10, Sample.hlg) { $0.metadata.masteringDisplay = .copied })
    }
    expectRefusal("no-content-light-to-copy", "contentLight measure") {
      try $0.plan(Self.transcode(.hdr10, Sample.hlg) { $0.metadata.contentLight = .copied })
    }
  }

  @Test func whatIsStatedAndNotTrue() throws {
    try expectWarning("copied-metadata-of-source") {
      try $0.plan(
        Self.transcode(.hdr10) {
          $0.mapping.peak = 500
          $0.metadata.masteringDisplay = .copied
        })
    }
    try expectWarning("stated-light-too-low", "MaxCLL is 300,", "may reach 500 cd/m²") {
      try $0.plan(
        Self.transcode(.hdr10) {
          $0.mapping.peak = 500
          $0.metadata.contentLight = .value(ContentLight(maxCLL: 300, maxFALL: 100))
        })
    }
    try expectNote("light-stated-by-input", "The mastering display and MaxCLL 1000,69 are what") {
      try $0.plan(Self.transcode(.hdr10))
    }
  }

  @Test func strictRequestsRefuseWarnings() {
    expectRefusal("copied-metadata-of-source", kind: .failed, strict: true) {
      try $0.plan(
        Self.transcode(.hdr10) {
          $0.input.isStrict = true
          $0.mapping.peak = 500
          $0.metadata.masteringDisplay = .copied
        })
    }
  }

  @Test func systemGammasThatNoFileStates() throws {
    let heard = try heard { try $0.plan(Self.transcode(.hlg) { $0.mapping.peak = 600 }) }
    let warning = try #require(heard.warnings.first)
    #expect(warning.code == "unusual-hlg-peak")
    #expect(warning.words.contains("HLG for a peak of 600 cd/m² has a system gamma of 1.107,"), "\(warning.words)")
  }

  @Test func lightThatHasNoEnd() throws {
    let scratch = try Scratch()
    let input = try scratch.lightPicture()
    try expectNote("output-light-unknown", "contentLight measure") { try $0.plan(Self.transcode(.hdr10, input)) }
    try expectNote("content-peak-assumed", "peakDetection") { try $0.plan(Self.transcode(.sdr, input)) }
  }

  @Test func statedLightThatCannotBe() {
    expectRefusal(.outOfRange(.contentLight, "10001,0", "0,0", "10000,10000 cd/m²")) {
      try $0.plan(Self.stating(light: ContentLight(maxCLL: 10_001, maxFALL: 0)))
    }
    expectRefusal(.outOfRange(.contentLight, "5,9", "0,0", "5,5 cd/m²")) {
      try $0.plan(Self.stating(light: ContentLight(maxCLL: 5, maxFALL: 9)))
    }
  }

  @Test func statedDisplaysThatCannotBe() {
    func limits(_ value: String) -> Message {
      .outOfRange(.masteringDisplay, value, "L(0.0001,0.0)", "L(10000.0,0.0) cd/m²")
    }
    expectRefusal(.outOfRange(.masteringDisplay, "1.2", "0", "1")) {
      try $0.plan(Self.stating(display: Self.display(x: 60_000)))
    }
    expectRefusal(limits("L(1.0,2.0)")) {
      try $0.plan(Self.stating(display: Self.display(most: 10_000, least: 20_000)))
    }
    expectRefusal(limits("L(0.0,0.0)")) { try $0.plan(Self.stating(display: Self.display(most: 0, least: 0))) }
    expectRefusal(limits("L(20000.0,0.005)")) {
      try $0.plan(Self.stating(display: Self.display(most: 200_000_000)))
    }
  }
}

/// EDIDs of real displays.
private typealias EDIDBytes = Data

extension Data {
  fileprivate static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("DisplaysTests/EDIDs")
}
