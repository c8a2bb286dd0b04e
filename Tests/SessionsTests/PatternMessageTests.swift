import ColorScience
import Foundation
import Frames
import ImageFiles
import Media
import Patterns
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Messages about generating test patterns.
@Suite struct PatternMessageTests {
  private func refuses(
    _ code: Message.Code, _ part: String, _ pattern: String, _ output: String,
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout PatternRequest) -> Void
  ) {
    var request = PatternRequest(pattern, output: output)
    change(&request)
    expectRefusal(code, part, sourceLocation: sourceLocation) { try $0.plan(request) }
  }

  @Test func whatPicturesDoNotHold() {
    refuses(
      "pattern-space-unsupported", "HDR10 as png takes space \(ImageSpace.bt2100PQ.name), not sRGB.", "ramp",
      "/nowhere/a.png"
    ) { $0.space = .sRGB }
    let linear = [ImageSpace.linearBT2020, .linearP3, .linearSRGB].map(\.name).joined(separator: ", ")
    refuses(
      "pattern-space-unsupported",
      "SDR BT.709 as exr takes space \(linear), not \(ImageSpace.bt2100PQ.name).", "ramp", "/nowhere/a.exr"
    ) { ($0.kind, $0.space) = (.sdr, .bt2100PQ) }
    refuses(
      "picture-bit-depth-unsupported", "png takes bitDepth 16, 8, not 12.", "ramp", "/nowhere/a.png"
    ) { $0.bitDepth = 12 }
    refuses("picture-bit-depth-fixed", "exr of linear light", "ramp", "/nowhere/a.exr") { $0.bitDepth = .max }
    refuses("pattern-needs-picture-bits", "banding needs 10 bits", "banding", "/nowhere/a.png") { $0.bitDepth = 8 }
    refuses(
      "duration-of-one-picture", "'/nowhere/a.png' holds one picture: number the files, as in 'frame-%04d.png'", "ramp",
      "/nowhere/a.png"
    ) { $0.duration = 2 }
  }

  @Test func whatVideoDoesNotHold() {
    let eight = PixelLayout(.ycbcr420, bitDepth: 8)
    refuses(
      "pattern-needs-video-bits",
      "banding needs 10 bits, but yuv420p has 8: choose pixelFormat yuv420p10le, or an encoder other than libx265.",
      "banding", "/nowhere/a.mkv"
    ) { ($0.coding.encoder, $0.coding.layout) = ("libx265", eight) }
    refuses(
      "pattern-range-unavailable", "bt2111-pq is defined for limited range", "bt2111-pq", "/nowhere/a.mkv"
    ) { $0.range = .full }
    let whole = PixelLayout(.ycbcr444, bitDepth: 10)
    refuses("chroma-location-without-420", "yuv444p10le", "ramp", "/nowhere/a.mkv") {
      ($0.coding.layout, $0.chromaLocation) = (whole, .left)
    }
  }

  @Test func whatIsForOthers() {
    let output = "/nowhere/a.png"
    let isPicture = "is for video, but '\(output)' is a picture"
    refuses("parameter-for-video", "crf \(isPicture)", "ramp", output) { $0.coding.crf = 10 }
    refuses("parameter-for-video", "range \(isPicture)", "ramp", output) { $0.range = .full }
    refuses("parameter-for-video", "chromaLocation \(isPicture)", "ramp", output) { $0.chromaLocation = .left }
    refuses("space-for-pictures", "space is for pictures", "ramp", "/nowhere/a.mkv") { $0.space = .sRGB }
    refuses("bit-depth-for-pictures", "bitDepth is for pictures", "ramp", "/nowhere/a.mkv") { $0.bitDepth = 10 }
  }

  @Test func sizesKindsAndLengths() {
    let size = Size(width: 32, height: 64)
    refuses("pattern-size-out-of-range", "not 32x64:", "ramp", "/nowhere/a.mkv") { $0.size = size }
    refuses("pattern-size-out-of-range", "not 128x32768:", "ramp", "/nowhere/a.mkv") {
      ($0.size, $0.scale) = (Size(width: 32, height: 8192), 4)
    }
    refuses(
      "pattern-kind-unavailable", "edr is available as hdr10, not as sdr", "edr", "/nowhere/a.mkv"
    ) { $0.kind = .sdr }
    refuses(
      "pattern-too-long", "1000000000 s is more than 10000000 frames", "ramp", "/nowhere/a.mkv"
    ) { $0.duration = 1e9 }
  }

  @Test func levelsThatAreClipped() throws {
    let scratch = try Scratch()
    var request = PatternRequest("bt2111-pq", output: scratch.path("a.png"))
    request.size = Size(width: 192, height: 108)
    try expectWarning("pattern-levels-clipped", "bt2111-pq") { try $0.run($0.plan(request)) }
    #expect(scratch.contents == ["a.png"])
  }

  /// The warning about 8-bit HDR applies to patterns as to transcodes.
  @Test func eightBitsOfHDR() throws {
    let scratch = try Scratch()
    var request = PatternRequest("ramp", output: scratch.path("a.nut"))
    (request.coding.encoder, request.coding.layout) = ("ffv1", PixelLayout(.ycbcr420, bitDepth: 8))
    (request.size, request.duration) = (Size(width: 128, height: 128), 0.04)
    try expectWarning("eight-bit-hdr") { try $0.run($0.plan(request)) }
  }
}
