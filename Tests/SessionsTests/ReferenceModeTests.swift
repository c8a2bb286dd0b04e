import ColorScience
import Displays
import Foundation
import Frames
import Patterns
import Sessions
import SessionsTestSupport
import TestSupport
import Testing
import ToneMapping
import Verification

/// What reference mode shows, against vectors of colour-science (`tools/reference-vectors.py`).
@Suite struct ReferenceModeTests {
  private struct Row: Decodable {
    let format: ReferenceFormat
    let primaries: Int
    let transfer: Int
    /// R'G'B'.
    let signal: [Double]
    /// Linear P3 in cd/m².
    let nits: [Double]
  }

  private static let rows: [Row] = Vectors.colors("reference-mode")

  private static let bits = 12
  private static let largest = Double((1 << bits) - 1)
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A frame of R'G'B' codes, one colour a column.
  private func clip(_ rows: [Row], name: String = "input.mkv", tags: [String] = []) throws -> String {
    var planes = Data()
    for plane in [1, 2, 0] {
      let line = rows.map { UInt16(($0.signal[plane] * Self.largest).rounded()) }
      for _ in 0..<4 { planes += line.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }
    }
    let raw = try scratch.file("raw", planes)
    try Tool.ffmpeg.run(
      [
        "-f", "rawvideo", "-pix_fmt", "gbrp12le", "-s", "\(rows.count)x4", "-r", "25", "-i", raw, "-c:v", "ffv1",
        "-color_primaries", "\(rows[0].primaries)", "-color_trc", "\(rows[0].transfer)", "-colorspace", "rgb",
        "-color_range", "pc",
      ] + tags + ["-y", scratch.path(name)])
    return scratch.path(name)
  }

  private func transcode(_ input: String, _ output: String, _ change: (inout TranscodeRequest) -> Void = { _ in })
    throws
    -> TranscodePlan
  {
    var request = TranscodeRequest(input: input, output: scratch.path(output))
    (request.coding.encoder, request.coding.layout) = ("ffv1", PixelLayout(.rgb, bitDepth: Self.bits))
    request.mapping.display = DisplayStatus(.reference)
    change(&request)
    let session = Session()
    let plan = try session.plan(request)
    try session.run(plan)
    return plan
  }

  /// The first line of a picture as light in cd/m², in linear BT.2020.
  private func light(_ name: String, count: Int) throws -> [SIMD3<Double>] {
    let data = try Tool.ffmpeg.run(["-i", scratch.path(name), "-f", "rawvideo", "-pix_fmt", "gbrp12le", "-"])
    let codes = stride(from: 0, to: data.count - 1, by: 2).map { Double(Int(data[$0]) | Int(data[$0 + 1]) << 8) }
    func nits(_ plane: Int, _ x: Int) -> Double { PQ.eotf(codes[plane * count * 4 + x] / Self.largest) }
    return (0..<count).map { SIMD3(nits(2, $0), nits(0, $0), nits(1, $0)) }
  }

  @Test(arguments: ReferenceFormat.allCases)
  func showsWhatColourScienceSays(_ format: ReferenceFormat) throws {
    let rows = Self.rows.filter { $0.format == format }
    try #require(rows.count == 165)
    let plan = try transcode(clip(rows), "output.mkv")
    #expect(plan.target.referenceMode == .enabled)
    let note = "reference mode: \(format.name), for a \(format.surround.rawValue) surround"
    #expect(plan.notes.contains { $0.code == "reference-format" && $0.words.contains(note) } && plan.warnings.isEmpty)
    let toBT2020 = RGBSpace.conversion(from: .displayP3, to: .bt2020)
    let shown = try light("output.mkv", count: rows.count)
    for (row, nits) in zip(rows, shown) {
      let expected = pointwiseMax(toBT2020 * SIMD3(row.nits[0], row.nits[1], row.nits[2]), SIMD3(repeating: 0))
      let error = ICtCp.deltaEITP(ICtCp.fromNits(expected), ICtCp.fromNits(nits))
      #expect(error < 0.5, "\(format) \(row.signal): \(nits), not \(expected)")
    }
  }

  /// Patterns of every format pass where the mode shows them, and where they are read by their own tags.
  @Test(arguments: PatternSignal.Kind.allCases, LongTests.areWanted ? ["ramp", "colorchecker"] : ["ramp"])
  func patternsPass(_ kind: PatternSignal.Kind, _ name: String) throws {
    var pattern = PatternRequest(name, output: scratch.path("pattern.mkv"))
    (pattern.kind, pattern.size, pattern.duration) = (kind, Size(width: 960, height: 540), 0.04)
    (pattern.coding.encoder, pattern.coding.layout) = ("ffv1", PixelLayout(.ycbcr444, bitDepth: 12))
    let session = Session()
    _ = try session.run(session.plan(pattern))
    var verify = VerifyRequest(input: pattern.output, pattern: name)
    verify.kind = kind
    #expect(try Session().run(verify).verification?.faults == [])
    let plan = try transcode(pattern.output, "shown.mkv")
    #expect(plan.target.referenceMode == .enabled)
    var mapping = MappingRequest()
    mapping.display = DisplayStatus(.reference)
    verify.input.name = scratch.path("shown.mkv")
    verify.rendition = RenditionRequest("reference", mapping: mapping)
    let shown = try #require(try Session().run(verify).verification)
    #expect(shown.faults == [] && shown.patches.allSatisfy { $0.measured?.deltaE ?? 9 < 0.5 })
    #expect(shown.ramps.allSatisfy { $0.meanDeltaE < 0.5 })
    // It knows one format from another; the chart is the same light in all of them.
    guard name == "ramp" else { return }
    verify.kind = kind == .hdr10 ? .sdr : .hdr10
    #expect(try Session().run(verify).verification?.faults != [])
  }

  /// SDR ends at 100 cd/m², super-white included.
  @Test func superWhiteIsClipped() throws {
    let input = try scratch.clip(
      "super.mkv", size: "64x48", frames: 2,
      ["-vf", "geq=lum='16+3.74*X':cb=128:cr=128,format=yuv444p", "-c:v", "ffv1", "-color_primaries", "bt709"]
        + ["-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"])
    let plan = try transcode(input, "super-out.mkv")
    #expect(plan.video.metadata.contentLight?.maxCLL == 100)
    let shown = try light("super-out.mkv", count: 64)
    #expect(abs(shown.map { $0.max() }.reduce(0, max) - 100) < 0.3 && shown[30].max() < 40)
  }

  @Test func metadataIsIgnored() throws {
    let rows = Self.rows.filter { $0.format == .pq }
    let input = try clip(rows)
    let plain = try transcode(input, "plain.mkv")
    // The same pictures with metadata of 4000 cd/m².
    var request = TranscodeRequest(input: input, output: scratch.path("hdr10.mkv"))
    (request.coding.encoder, request.mapping.chosenKind) = ("ffv1", .hdr10)
    request.coding.layout = PixelLayout(.rgb, bitDepth: Self.bits)
    request.metadata.contentLight = .value(ContentLight(maxCLL: 4000, maxFALL: 400))
    try Session().run(request)
    let stated = try transcode(scratch.path("hdr10.mkv"), "stated.mkv")
    #expect(stated.source.metadata.contentLight?.maxCLL == 4000)
    #expect(plain.video.metadata == stated.video.metadata)
    func frames(_ name: String) throws -> Data {
      try Tool.ffmpeg.run(["-i", scratch.path(name), "-f", "framemd5", "-"])
    }
    #expect(try frames("plain.mkv") == frames("stated.mkv"))
  }

  /// Gains of P3 exceed 1 in BT.709: SDR white gets darker as a whole, rather than be clipped to another colour.
  @Test func fineTunedWhiteOfSDRIsNotClipped() throws {
    let input = try scratch.clip(
      "white.mkv", size: "64x48", frames: 1,
      ["-vf", "geq=r=255:g=255:b=255,format=gbrp", "-c:v", "ffv1", "-color_primaries", "bt709", "-color_trc", "bt709"]
        + ["-colorspace", "rgb", "-color_range", "pc"])
    var model = DisplayModel("panel", peak: 300, sdrWhite: 300, primaries: .displayP3, transfer: .gamma(2.2))
    model.whitePoint = WhitePointAdaptation(
      measured: .init(Chromaticity(x: 0.3, y: 0.34)), target: .init(.d65))
    let gains = try #require(model.whitePoint?.gains(model.primaries))
    _ = try transcode(input, "white-out.mkv") { $0.mapping.display = DisplayStatus(model) }
    let data = try Tool.ffmpeg.run(
      ["-i", scratch.path("white-out.mkv"), "-f", "rawvideo", "-pix_fmt", "gbrp12le", "-"])
    let planes = (0..<3).map { plane in
      let offset = plane * 64 * 48 * 2
      return Double(Int(data[offset]) | Int(data[offset + 1]) << 8) / Self.largest
    }
    let shown = SIMD3(planes[2], planes[0], planes[1])
    let wanted = RGBSpace.conversion(from: .displayP3, to: .bt709) * gains
    for index in 0..<3 {
      #expect(abs(shown[index] - pow(wanted[index] / wanted.max(), 1 / 2.4)) < 1.5 / Self.largest, "\(shown)")
    }
    #expect(wanted.max() > 1)
  }

  @Test func formatsOfOthersAreColorManaged() throws {
    let rows = Self.rows.filter { $0.format == .pq }
    // P3 in PQ is none of the formats.
    let plan = try transcode(clip(rows, tags: ["-color_primaries", "12"]), "output.mkv")
    #expect(plan.notes.contains { $0.code == "no-reference-format" && $0.words.contains("displayP3 / pq / ") })
    #expect(!plan.target.mapping.isUnmapped && plan.target.display.headroom == 10)
  }

  @Test func limits() throws {
    let rows = Self.rows.filter { $0.format == .pq }
    let input = try clip(rows)
    let sdr = try transcode(input, "sdr.mkv") { $0.mapping.chosenKind = .sdr }
    #expect(sdr.target.referenceMode == .limited)
    func isLimited(_ plan: TranscodePlan, to headroom: String) -> Bool {
      plan.warnings.contains {
        $0.code == "reference-mode-limited" && $0.words.contains("is \(headroom) instead of 10")
      }
    }
    #expect(isLimited(sdr, to: "1"))
    var model = DisplayModel("dim", peak: 400, sdrWhite: 100, primaries: .displayP3, transfer: .pq)
    model.isReferenceModeEnabled = true
    let dim = try transcode(input, "dim.mkv") {
      $0.mapping.display = DisplayStatus(model)
      ($0.mapping.black, $0.mapping.hlgOOTF) = (0.1, .display)
    }
    #expect(isLimited(dim, to: "4"))
    func locked(_ plan: TranscodePlan) -> String? {
      plan.warnings.first { $0.code == "locked-by-reference-mode" }?.words
    }
    #expect(locked(dim)?.hasSuffix(": black, hlgOotf have no effect.") == true)
    #expect(dim.target.display.black == 0)
    let compressed = try transcode(input, "gamut.mkv") {
      $0.mapping.gamut = .compress
      $0.input.overrides.descriptor = DescriptorArgument(rawValue: "hdr10:max=4000")?.stated
    }
    #expect(locked(compressed)?.hasSuffix(": gamut, edrMetadata have no effect.") == true)
    // Clipped in P3, whose white is all that reaches 400.
    for nits in try light("dim.mkv", count: rows.count) { #expect(nits.max() < 401) }
    // The picture of SDR needs no headroom.
    let bars = try transcode(clip(Self.rows.filter { $0.format == .sRGB }, name: "s.mkv"), "s-sdr.mkv") {
      $0.mapping.chosenKind = .sdr
      $0.coding.layout = nil
    }
    #expect(bars.target.referenceMode == .enabled && bars.warnings.isEmpty)
    var none = DisplayModel("monitor", peak: 300, sdrWhite: 300, primaries: .bt709, transfer: .sRGB)
    none.isReferenceModeEnabled = true
    let unsupported = try transcode(input, "none.mkv") {
      $0.mapping.display = DisplayStatus(none)
      $0.coding.layout = nil
    }
    let warning = unsupported.warnings.first { $0.code == "reference-mode-unsupported" }?.words
    #expect(warning?.contains("'monitor'") == true && warning?.contains("headroom is 1:") == true)
    let note = unsupported.notes.first { $0.code == "sdr-chosen" }?.words
    #expect(note?.contains("'monitor' has a potential headroom of 1, below 1.5:") == true)
  }

  @Test func refusals() throws {
    let changes: [(Parameter, (inout MappingRequest) -> Void)] = [
      (.toneMap, { $0.curve = .named(.spline) }), (.peak, { $0.peak = 500 }), (.sdrWhite, { $0.sdrWhite = 80 }),
      (.exposure, { $0.exposure = 1 }), (.referenceWhite, { $0.referenceWhite = 100 }),
    ]
    for (parameter, change) in changes {
      expectRefusal(.exclusive(.display, parameter)) {
        var request = TranscodeRequest(input: Sample.hdr10, output: nil)
        request.coding.format = "null"
        request.mapping.display = DisplayStatus(.reference)
        change(&request.mapping)
        return try $0.plan(request)
      }
    }
    for (light, parameter) in [
      (MetadataRequest.InputLight.measured, Parameter.peakDetection), (.file("light.json"), .measured),
    ] {
      expectRefusal(.exclusive(.display, parameter)) {
        var request = TranscodeRequest(input: Sample.hdr10, output: nil)
        request.coding.format = "null"
        (request.mapping.display, request.metadata.inputLight) = (DisplayStatus(.reference), light)
        return try $0.plan(request)
      }
    }
    for threshold in [0.9, 101, .nan] {
      expectRefusal(.outOfRange(.headroomForHDR, threshold, 1...100)) {
        var request = TranscodeRequest(input: Sample.hdr10, output: nil)
        request.coding.format = "null"
        request.mapping.headroomForHDR = threshold
        return try $0.plan(request)
      }
    }
  }
}
