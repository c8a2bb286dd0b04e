import ColorScience
import Foundation
import Frames
import ImageFiles
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Messages about pictures, before the first is written.
@Suite struct PictureMessageTests {
  /// Pictures of two frames.
  private static func pictures(
    _ format: ImageFormat, _ input: String = Sample.hdr10, _ change: (inout PictureRequest) -> Void = { _ in }
  ) throws -> (Session) throws -> PicturePlan {
    let scratch = try Scratch()
    let suffix = format.suffixes.first ?? ""
    var request = PictureRequest(input: input, output: scratch.path("f%03d.\(suffix)"), format: format)
    request.selection.range = FrameRange(first: 0, last: 1)
    change(&request)
    return { session in
      // The folder lasts as long as the request.
      _ = scratch
      return try session.plan(request)
    }
  }

  private func refuses(
    _ code: Message.Code, _ format: ImageFormat, _ part: String = ".",
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout PictureRequest) -> Void
  ) throws {
    expectRefusal(code, part, sourceLocation: sourceLocation, try Self.pictures(format, Sample.hdr10, change))
  }

  @Test func filesThatHoldOnePicture() throws {
    let scratch = try Scratch()
    let output = scratch.path("a.png")
    expectRefusal("file-holds-one-picture", "'\(output)'", "frame-%06d.png") {
      try $0.plan(PictureRequest(input: Sample.hdr10, output: output, format: .png))
    }
  }

  @Test func whatIsForVideo() throws {
    let output = "/nowhere/a.png"
    let changes: [(Parameter, (inout TranscodeRequest) -> Void)] = [
      (.preset, { $0.coding.preset = "slow" }), (.crf, { $0.coding.crf = 20 }),
      (.encoderOptions, { $0.coding.encoderOptions = [] }),
      (.pixelFormat, { $0.coding.layout = PixelLayout(.rgb, bitDepth: 8) }), (.report, { $0.report = "a.json" }),
      (.map, { $0.streams.map = [StreamRequest.Entry("0:v")] }), (.audioEncoder, { $0.streams.audioEncoder = "aac" }),
      (.audioFallback, { ($0.streams.audioEncoder, $0.streams.audioFallback) = (nil, "aac") }),
      (.audioBitRate, { ($0.streams.audioEncoder, $0.streams.audioBitRate) = (nil, 192_000) }),
      (.downmix, { $0.streams.downmix = .stereo }),
      (.hardwareDevice, { $0.coding.hardwareDevice = "/dev/dri/renderD128" }),
      (.subtitleEncoder, { $0.streams.subtitleEncoder = "srt" }), (.burnSubtitles, { $0.burnedSubtitles = "s:0" }),
      (.muxerOptions, { $0.coding.muxerOptions = [CodingRequest.Option("a", "1")] }),
      (.bitrate, { $0.coding.rate.average = 1_000_000 }), (.maxBitrate, { $0.coding.rate.maximum = 1_000_000 }),
      (.bufferSize, { $0.coding.rate.buffer = 1_000_000 }), (.twoPass, { $0.coding.rate.isTwoPass = true }),
      (.x265Params, { $0.coding.ownOptions = [CodingRequest.OwnOptions(.x265, [])] }),
      (.follow, { $0.following = DisplayFollowing(.events([])) }),
    ]
    for (parameter, change) in changes {
      var request = TranscodeRequest(input: Sample.hdr10, output: output)
      change(&request)
      expectRefusal("parameter-for-video", "\(parameter.rawValue) is for video", "'\(output)'") { _ in
        try PictureRequest(request)
      }
    }
    var scopes = ScopesRequest(input: Sample.hdr10, output: output)
    scopes.coding.crf = 20
    expectRefusal("parameter-for-video", "crf is for video", "'\(output)'") { try $0.plan(scopes) }
  }

  @Test func whatFormatsDoNotHold() throws {
    try refuses("picture-space-unsupported", .png, "png cannot carry \(ImageSpace.linearBT2020.name): it takes ") {
      $0.space = .linearBT2020
    }
    try refuses("picture-space-unsupported", .y4m, "y4m cannot carry sRGB: it holds frames as they are coded") {
      $0.space = .sRGB
    }
    let depth: Message.Code = "picture-bit-depth-unsupported"
    try refuses(depth, .png, "png takes bitDepth 16, 8, not 12.") { $0.bitDepth = 12 }
    try refuses(depth, .avif, "avif takes bitDepth 10, 12, 8, not \(Int.min).") { $0.bitDepth = .min }
    try refuses("picture-bit-depth-fixed", .exr, "exr of linear light") { $0.bitDepth = 16 }
    try refuses("compression-for-exr", .png, "not for png") { $0.compression = .zip }
    try refuses("format-always-lossless", .png, "png is always lossless") { $0.isLossless = true }
  }

  @Test func lightThatIsNotMapped() throws {
    try refuses("decoded-light-not-mapped", .exr) { ($0.stage, $0.mapping.peak) = (.decoded, 500) }
    try refuses("picture-space-for-sdr", .png, "sRGB is for SDR, not for hdr10") {
      ($0.space, $0.mapping.chosenKind) = (.sRGB, .hdr10)
    }
    try refuses("picture-metadata-needs-pq", .png) { ($0.space, $0.metadata.masteringDisplay) = (.sRGB, .copied) }
    try refuses("picture-metadata-needs-pq", .y4m) { $0.metadata.contentLight = .measured }
  }

  @Test func filtersAndStages() throws {
    try refuses("filtered-stage-needs-filter", .exr) { $0.stage = .filtered }
    for stage in [PictureRequest.Stage.decoded, .mapped] {
      try refuses("stage-before-filters", .exr, "stage \(stage.rawValue) is") {
        ($0.stage, $0.filters) = (stage, ["highlight=gamut=p3"])
      }
    }
    try refuses("clip-warning-needs-mapping", .exr) { $0.filters = ["clip-warning"] }
  }

  @Test func shapesThatAreNotSaid() throws {
    let scratch = try Scratch()
    let wide = try scratch.plain("wide.mkv", ["-vf", "setsar=4/3"])
    let stretched = try Self.pictures(.png, wide)
    try expectWarning("picture-samples-not-square", "(4:3)", "png") { try stretched($0) }
    let turned = try scratch.rotated("turned.mov", 0, 0x10000, -0x10000, 0)
    let heard = try heard(try Self.pictures(.y4m, turned))
    #expect(heard.warnings.map(\.code) == ["y4m-not-rotated"])
    #expect(heard.warnings.first?.words.contains(#/by -?90°/#) == true, "\(heard.warnings)")
  }

  @Test func lightThatOthersMistake() throws {
    let scene = try Self.pictures(.exr, Sample.hlg)
    try expectWarning("hlg-scene-light") { try scene($0) }
    let clipped = try Self.pictures(.png) { ($0.space, $0.stage) = (.bt2100HLG, .decoded) }
    try expectWarning(
      "light-clipped-in-space", "above 1000 cd/m² is clipped in \(ImageSpace.bt2100HLG.name)"
    ) { try clipped($0) }
    let strict = try Self.pictures(.exr, Sample.hlg) { $0.input.isStrict = true }
    expectRefusal("hlg-scene-light", kind: .failed, strict: true) { try strict($0) }
  }

  /// Refused while planning: a plan that is printed can be carried out.
  @Test func contactSheetsThatCannotBe() throws {
    func sheet(_ request: inout PictureRequest, _ columns: Int = 2, _ rows: Int = 2) {
      request.selection.range = nil
      request.contact = PictureRequest.Grid(columns: columns, rows: rows)
    }
    try refuses("contact-sheet-needs-codes", .exr) { sheet(&$0) }
    try refuses("contact-sheet-needs-codes", .y4m) { sheet(&$0) }
    try refuses("contact-sheet-needs-codes", .png) {
      sheet(&$0)
      $0.stage = .output
    }
    try refuses("contact-sheet-too-large", .png, "would be \(32 * 1008 + 8)x630:") {
      sheet(&$0, 32, 1)
      $0.geometry.scale = PictureScaling(width: .samples(1000), height: .samples(596))
    }
    try refuses("contact-sheet-not-measured", .png) {
      sheet(&$0)
      ($0.space, $0.metadata.contentLight) = (.bt2100PQ, .measured)
    }
    try refuses("statistics-of-contact-sheet", .png) {
      sheet(&$0)
      $0.statistics = "-"
    }
  }

  @Test func placesThatStayEmpty() throws {
    let scratch = try Scratch()
    let whole = try scratch.made(
      "whole.mkv", frames: 100,
      ["-c:v", "libx264", "-preset", "ultrafast", "-g", "5", "-pix_fmt", "yuv420p"] + Scratch.bt709)
    let data = try scratch.bytes(whole)
    let input = try scratch.file("half.mkv", data.prefix(data.count / 2))
    var request = PictureRequest(input: input, output: scratch.path("sheet.png"), format: .png)
    request.input.acceptsTruncation = true
    request.contact = PictureRequest.Grid(columns: 2, rows: 2)
    try expectWarning("contact-sheet-has-gaps", "'\(input)' is shorter", "2 cells are empty") { try $0.run(request) }
  }
}
