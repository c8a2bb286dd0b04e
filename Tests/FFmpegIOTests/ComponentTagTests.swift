import ColorScience
import FFmpegIO
import Foundation
import Frames
import TestSupport
import Testing

/// What tags make of planes: grey of either range, and R'G'B' in planes of Y'CbCr.
@Suite struct ComponentTagTests {
  /// The codes 0, 4, 8, ... of ten bit, row after row.
  private static let codes = (0..<256 * 64).map { UInt16($0 % 256 * 4) }

  private func clip(_ scratch: Scratch, _ arguments: [String], pixels: String = "gray10le") throws -> String {
    let (raw, path) = (scratch.path("codes"), scratch.path("a.mkv"))
    try Data(Self.codes.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }).write(to: URL(fileURLWithPath: raw))
    let rows = pixels.hasPrefix("yuv444") ? 16 : 64
    try Tool.ffmpeg.run(
      [
        "-y", "-f", "rawvideo", "-pix_fmt", pixels, "-s", "256x\(rows)", "-color_range", "tv", "-i", raw, "-frames:v",
        "1",
      ]
        + arguments + [path])
    return path
  }

  /// swscale takes grey for full range, whatever its tags say: code 64 became 119.
  @Test(
    arguments: [
      ["-c:v", "ffv1"], ["-c:v", "libx265", "-x265-params", "lossless=1:log-level=none:range=limited"],
      ["-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "0", "-aom-params", "lossless=1"],
    ], ["tv", "pc"])
  func greyKeepsItsCodes(_ coder: [String], _ range: String) throws {
    let scratch = try Scratch()
    let coder = coder.map { range == "pc" ? $0.replacingOccurrences(of: "range=limited", with: "range=full") : $0 }
    let path = try clip(scratch, ["-vf", "setrange=\(range)", "-color_range", range] + coder)
    let frame = try #require(try MediaReader(url: path).readFrame())
    #expect(frame.layout == PixelLayout(.gray, bitDepth: 10))
    #expect(frame.color.range == (range == "pc" ? .full : .narrow))
    #expect((0..<256).allSatisfy { frame.sample(plane: 0, x: $0, y: 5) == 4 * $0 })
  }

  /// Pictures of grey have full range where they do not say otherwise, and black and white are the ends of it.
  @Test(arguments: ["png", "pgm", "jp2", "pbm"])
  func greyPictures(_ suffix: String) throws {
    let scratch = try Scratch()
    let (raw, path) = (scratch.path("codes"), scratch.path("a.\(suffix)"))
    let isBlackAndWhite = suffix == "pbm"
    let codes: [UInt8] = (0..<256 * 16).map { index in
      let code = UInt8(index & 255)
      return isBlackAndWhite ? (code & 1) * 255 : code
    }
    try Data(codes).write(to: URL(fileURLWithPath: raw))
    try Tool.ffmpeg.run(
      ["-y", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "256x16", "-i", raw, "-frames:v", "1"]
        + (isBlackAndWhite ? ["-sws_dither", "none"] : []) + [path])
    let frame = try #require(try MediaReader(url: path).readFrame())
    #expect(frame.layout == PixelLayout(.gray, bitDepth: 8) && frame.color.range == .full)
    if isBlackAndWhite {
      #expect((0..<256).allSatisfy { [0, 255].contains(frame.sample(plane: 0, x: $0, y: 3)) })
    } else if suffix != "jp2" {
      #expect((0..<256).allSatisfy { frame.sample(plane: 0, x: $0, y: 3) == $0 })
    }
  }

  /// AV1, VP9 and containers say of planes of Y'CbCr that they are G', B' and R'.
  @Test func identityIsRGB() throws {
    let scratch = try Scratch()
    let path = try clip(scratch, ["-c:v", "ffv1"], pixels: "yuv444p10le")
    let tagged = scratch.path("b.mkv")
    try Tool.ffmpeg.run(["-i", path, "-c", "copy", "-colorspace", "0", tagged])
    let frame = try #require(try MediaReader(url: tagged).readFrame())
    #expect(frame.layout == PixelLayout(.rgb, bitDepth: 10))
    #expect(frame.color.matrix == .rgb && frame.color.range == .narrow)
    #expect((0..<3).allSatisfy { frame.sample(plane: $0, x: 77, y: 3) == 4 * 77 })
    #expect(try MediaReader(url: path).readFrame()?.layout == PixelLayout(.ycbcr444, bitDepth: 10))
  }
}
