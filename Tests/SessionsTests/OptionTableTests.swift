import Displays
import Foundation
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// What options make of a request, and how a request is written as options.
@Suite struct OptionTableTests {
  /// Values of every option, as they are written again.
  private static let lines: [[(Parameter, String)]] = [
    [(.destination, "b.mkv"), (.overwrite, "yes"), (.report, "r.json"), (.statistics, "s.jsonl")],
    [
      (.format, "mov"), (.encoder, "libx265"), (.preset, "slow"), (.crf, "17.5"),
      (.encoderOptions, "aq-mode=2:a=b=c"), (.pixelFormat, "yuv422p10le"), (.scale, "1280x-2"),
    ],
    [(.encoderOptions, ""), (.scale, "-1x720"), (.bakeRotation, "yes"), (.copyTimestamps, "yes")],
    [(.encoder, "hevc_vaapi"), (.hardwareDevice, "/dev/dri/renderD129")],
    [(.bitrate, "4500000"), (.maxBitrate, "6000000"), (.bufferSize, "12000000"), (.twoPass, "yes")],
    [(.x264Params, "keyint=50:zones=0,10,q=20")], [(.x265Params, "aq-mode=2:no-sao=1")], [(.svtav1Params, "tune=0")],
    [(.muxerOptions, #"movflags=+faststart:metadata=a\:b\\c"#), (.keepPartialName, "yes")],
    [(.deinterlace, "field"), (.crop, "1920:800:0:140")], [(.crop, "1920:800")],
    [(.crop, "auto"), (.cropLimit, "0.1")], [(.pad, "1920:1080"), (.sampleAspect, "64:45")],
    [(.pad, "1920:1080:0:140")], [(.pad, "1920:1080:2:0:#10F0A0")],
    [(.audioEncoder, "libopus"), (.audioBitRate, "192000"), (.downmix, "stereo")], [(.audioFallback, "ac3")],
    [(.burnSubtitles, "s:0"), (.subtitlePalette, "bt2020-pq")],
    [(.start, "62.5"), (.duration, "0.04")], [(.frames, "3-")], [(.frames, "3-7")],
    [
      (.map, "0:v:0"), (.map, "-0:d"), (.map, "0:s:m:language:eng?"), (.map, "0"), (.audioEncoder, "aac"),
      (.subtitleEncoder, "mov_text"),
    ],
    [(.outputKind, "hdr10"), (.toneMap, "bt2390"), (.peak, "600.25"), (.sdrWhite, "150"), (.referenceWhite, "200")],
    [(.outputKind, "hlg"), (.headroom, "4"), (.exposure, "-1.5"), (.gamut, "clip"), (.hlgOotf, "display")],
    [(.toneMap, "st2094-40"), (.highlightDesaturation, "0.25"), (.black, "0.05"), (.ambient, "64 cd/m2")],
    [(.outputKind, "hdr10"), (.inverseToneMap, "yes"), (.peak, "1000")],
    [(.display, "edr-5"), (.headroomForHDR, "2")],
    [
      (.dynamicMetadata, "ignore"), (.dither, "no"), (.threads, "3"), (.kernels, "baseline"), (.filter, "highlight"),
      (.filter, "highlight=gamut=p3:tint=orange"),
    ],
    [(.measured, "m.json"), (.masteringDisplay, "copy"), (.contentLight, "copy"), (.outputKind, "hdr10")],
    [
      (.peakDetection, "yes"), (.peakPercentile, "99.9"),
      (.masteringDisplay, "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50)"),
      (.contentLight, "900,300"),
    ], [(.contentLight, "measure"), (.hdr10Plus, "copy")],
    [
      (.inputFormat, "matroska"), (.allowProtocols, "https,http"), (.strict, "yes"), (.inputMatrix, "ycgco"),
      (.inputRange, "full"), (.chromaLocation, "topleft"), (.maxErrors, "7"), (.keepPartial, "yes"),
      (.gainMapHeadroom, "2.5"), (.background, "#10F0A0"), (.frameRate, "24000/1001"), (.inputStartNumber, "12"),
    ], [(.background, "none"), (.inputTransfer, "sdr"), (.inputPrimaries, "p3")],
    [(.inputTransfer, "hlg"), (.edrMetadata, "hlg")], [(.edrMetadata, "none"), (.inputTransfer, "pq")],
    [(.edrMetadata, "hdr10:min=0.01:max=600.0:scale=203.0")],
  ]

  private static func option(_ parameter: Parameter) throws -> RequestOption<TranscodeRequest> {
    try #require(TranscodeOptions.options.first { $0.parameter == parameter }, "\(parameter)")
  }

  private static func request(_ values: [(Parameter, String)]) throws -> TranscodeRequest {
    var request = TranscodeRequest.defaults
    for (parameter, text) in values { try option(parameter).change(text)(&request) }
    return request
  }

  private static func written(_ request: TranscodeRequest) -> [(Parameter, String)] {
    TranscodeOptions.options.flatMap { option in option.texts(request).map { (option.parameter, $0) } }
  }

  @Test(arguments: lines.indices) func valuesComeBack(_ index: Int) throws {
    let values = Self.lines[index]
    let request = try Self.request(values)
    let written = Self.written(request)
    func sorted(_ values: [(Parameter, String)]) -> [String] { values.map { "\($0) \($1)" }.sorted() }
    // A percentile is measured, which is said once more.
    #expect(sorted(written).filter { $0 != "peakDetection yes" } == sorted(values).filter { $0 != "peakDetection yes" })
    #expect(try Self.request(written) == request)
  }

  @Test func defaultsAreNotWritten() { #expect(Self.written(.defaults).isEmpty) }

  @Test func everyOptionIsTried() {
    let tried = Set(Self.lines.joined().map(\.0)).union([.follow, .headroomRamp])
    let missing = TranscodeOptions.options.map(\.parameter).filter { !tried.contains($0) }
    #expect(missing.isEmpty, "\(missing)")
    #expect(Set(TranscodeOptions.options.map(\.parameter)).count == TranscodeOptions.options.count)
  }

  @Test func displaysThatAreFollowed() throws {
    let scratch = try Scratch()
    let path = scratch.path("d.json")
    try Data(#"{"name": "d", "peak": 800, "sdrWhite": 150, "primaries": "p3-d65"}"#.utf8).write(
      to: URL(fileURLWithPath: path))
    let values: [(Parameter, String)] = [(.display, path), (.follow, "yes"), (.headroomRamp, "2.5")]
    let request = try Self.request(values)
    #expect(request.following?.source == .live(.file(path: path)) && request.following?.rampDuration == 2.5)
    #expect(Self.written(request).map(\.1) == [path, "yes", "2.5"])
  }

  @Test(arguments: [
    (Parameter.peak, "abc"), (.crop, "1:2:3"), (.crop, "0:5"), (.scale, "1280"), (.frames, "7-3"), (.start, "1:60"),
    (.frameRate, "0"), (.frameRate, "25/0"), (.map, "1:v"), (.toneMap, "none-such"), (.bitrate, "8X"), (.bitrate, "0"),
    (.masteringDisplay, "G(1,1)"), (.contentLight, "20000,1"), (.background, "grey"), (.ambient, "bright"),
    (.display, "none-such"), (.edrMetadata, "hdr10:max=1"), (.encoderOptions, "=5"), (.threads, "many"),
    (.pad, "1920"), (.pad, "1920:1080:4"), (.pad, "1920:1080:0:0:grey"), (.sampleAspect, "4/3"), (.sampleAspect, "0:1"),
  ])
  func otherTextsAreRefused(_ parameter: Parameter, _ text: String) throws {
    let option = try Self.option(parameter)
    let error = #expect(throws: InvalidValue.self) { try option.change(text) }
    #expect(error?.description.hasSuffix(".") == true)
  }

  @Test func combinationsAreChecked() throws {
    func refusal(_ parameters: Parameter...) -> Refusal? {
      do throws(Refusal) { try TranscodeOptions.check(parameters) } catch { return error }
      return nil
    }
    #expect(refusal(.peak, .sdrWhite) == nil)
    #expect(refusal(.headroom, .peak)?.message == .exclusive(.peak, .headroom))
    #expect(refusal(.headroomRamp)?.message.code == "needs-other-option")
    #expect(refusal(.headroomRamp, .follow) == nil)
    #expect(refusal(.follow, .twoPass)?.message == .exclusive(.follow, .twoPass))
  }

  @Test func valuesAreChecked() {
    var request = TranscodeRequest.defaults
    request.filters = ["none-such"]
    let refusal = #expect(throws: Refusal.self) { try TranscodeOptions.checkValues(of: request) }
    #expect(refusal?.message.code == "invalid-filter")
  }
}
