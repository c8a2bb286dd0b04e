import ColorScience
import Foundation
import Frames
import ImageFiles
import Media
import TestSupport
import Testing

import Sessions

/// Diagnostics about pictures, before the first is written.
@Suite struct PictureDiagnosticTests {
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
    _ diagnostic: Diagnostic, _ format: ImageFormat, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout PictureRequest) -> Void
  ) throws {
    expectRefusal(diagnostic, sourceLocation: sourceLocation, try Self.pictures(format, Sample.hdr10, change))
  }

  @Test func filesThatHoldOnePicture() throws {
    let scratch = try Scratch()
    let output = scratch.path("a.png")
    expectRefusal(.picture(.holdsOne(output: output, .png))) {
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
      expectRefusal(.picture(.isForVideo(parameter, output: output))) { _ in try PictureRequest(request) }
    }
    var scopes = ScopesRequest(input: Sample.hdr10, output: output)
    scopes.coding.crf = 20
    expectRefusal(.picture(.isForVideo(.crf, output: output))) { try $0.plan(scopes) }
  }

  @Test func whatFormatsDoNotHold() throws {
    try refuses(.picture(.cannotCarry(.png, .linearBT2020)), .png) { $0.space = .linearBT2020 }
    try refuses(.picture(.cannotCarry(.y4m, .sRGB)), .y4m) { $0.space = .sRGB }
    try refuses(.picture(.bitDepth(12, .png, isLinear: false)), .png) { $0.bitDepth = 12 }
    try refuses(.picture(.bitDepth(.min, .avif, isLinear: false)), .avif) { $0.bitDepth = .min }
    try refuses(.picture(.bitDepth(16, .exr, isLinear: true)), .exr) { $0.bitDepth = 16 }
    try refuses(.picture(.compressionIsForEXR(.png)), .png) { $0.compression = .zip }
    try refuses(.picture(.isLosslessAnyway(.png)), .png) { $0.isLossless = true }
  }

  @Test func lightThatIsNotMapped() throws {
    try refuses(.picture(.decodedIsNotMapped), .exr) { ($0.stage, $0.mapping.peak) = (.decoded, 500) }
    try refuses(.picture(.isForSDR(.sRGB, .hdr10)), .png) { ($0.space, $0.mapping.chosenKind) = (.sRGB, .hdr10) }
    try refuses(.picture(.metadataNeedsPQ), .png) { ($0.space, $0.metadata.masteringDisplay) = (.sRGB, .copied) }
    try refuses(.picture(.metadataNeedsPQ), .y4m) { $0.metadata.contentLight = .measured }
  }

  @Test func filtersAndStages() throws {
    try refuses(.picture(.stageNeedsFilter), .exr) { $0.stage = .filtered }
    for stage in [PictureRequest.Stage.decoded, .mapped] {
      try refuses(.picture(.stageIsBeforeFilters(stage)), .exr) {
        ($0.stage, $0.filters) = (stage, ["highlight=gamut=p3"])
      }
    }
    try refuses(.picture(.clipWarningNeedsMapping), .exr) { $0.filters = ["clip-warning"] }
  }

  @Test func shapesThatAreNotSaid() throws {
    let scratch = try Scratch()
    let wide = try scratch.plain("wide.mkv", ["-vf", "setsar=4/3"])
    try expectWarning(.picture(.hasNonSquareSamples(Rational(4, 3), .png)), try Self.pictures(.png, wide))
    let turned = try scratch.rotated("turned.mov", 0, 0x10000, -0x10000, 0)
    let heard = try heard(try Self.pictures(.y4m, turned))
    guard case .picture(.isNotTurned(let degrees)) = heard.warnings.first else {
      Issue.record("\(heard.warnings)")
      return
    }
    #expect(heard.warnings.count == 1 && abs(degrees) == 90)
  }

  @Test func lightThatOthersMistake() throws {
    try expectWarning(.picture(.isSceneLight), try Self.pictures(.exr, Sample.hlg))
    try expectWarning(
      .picture(.clips(.bt2100HLG)),
      try Self.pictures(.png) { ($0.space, $0.stage) = (.bt2100HLG, .decoded) })
    expectRefusal(
      .picture(.isSceneLight), .failed, strict: true, try Self.pictures(.exr, Sample.hlg) { $0.input.isStrict = true })
  }

  /// Refused while planning: a plan that is printed can be carried out.
  @Test func contactSheetsThatCannotBe() throws {
    func sheet(_ request: inout PictureRequest, _ columns: Int = 2, _ rows: Int = 2) {
      request.selection.range = nil
      request.contact = PictureRequest.Grid(columns: columns, rows: rows)
    }
    try refuses(.picture(.contactSheetNeedsCodes), .exr) { sheet(&$0) }
    try refuses(.picture(.contactSheetNeedsCodes), .y4m) { sheet(&$0) }
    try refuses(.picture(.contactSheetNeedsCodes), .png) {
      sheet(&$0)
      $0.stage = .output
    }
    try refuses(.picture(.contactSheetIsTooLarge(Size(width: 32 * 1008 + 8, height: 630))), .png) {
      sheet(&$0, 32, 1)
      $0.scale = PictureScaling(width: .samples(1000), height: .samples(596))
    }
    try refuses(.picture(.contactSheetIsNotMeasured), .png) {
      sheet(&$0)
      ($0.space, $0.metadata.contentLight) = (.bt2100PQ, .measured)
    }
    try refuses(.picture(.statisticsOfContactSheet), .png) {
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
    try expectWarning(.picture(.contactSheetHasGaps(name: input, 2))) { try $0.run(request) }
  }
}
