import ColorScience
import FFmpegIO
import Foundation
import Media
import TestSupport
import Frames
import Testing

@Suite struct WriterErrorTests {
  private func settings(_ url: String, _ encoder: String?) -> MediaWriter.Settings {
    MediaWriter.Settings(
      url: url, encoder: encoder, size: Size(width: 128, height: 96), layout: PixelLayout(.ycbcr420, bitDepth: 10),
      timeBase: Rational(1, 25), color: .bt2100PQ)
  }

  @Test func namesThatDoNotExist() throws {
    let scratch = try Scratch()
    let error = #expect(throws: FFmpegError.self) { try MediaWriter(settings(scratch.path("a.mp4"), "x265")) }
    #expect(error == .unknownEncoder(name: "x265", available: ["libx265"]))
    let path = scratch.path("a.xyz")
    #expect(throws: FFmpegError.unknownFormat(name: path)) { try MediaWriter(settings(path, nil)) }
    let folder = scratch.path("none")
    #expect(throws: FFmpegError.output(.missingFolder(path: folder))) {
      try MediaWriter(settings(folder + "/a.mp4", nil))
    }
    #expect(scratch.contents.isEmpty)
  }

  /// An encoder that lacks memory or a thread may open later; what it does not accept it never will.
  @Test(arguments: [
    ("x264 [error]: malloc of size 2635776 failed", -542_398_533, true, FailureKind.temporary),
    ("", -542_398_533, false, .temporary), ("", -EAGAIN, true, .temporary),
    ("x264 [error]: invalid size", -542_398_533, true, .invalidRequest),
  ])
  func encodersThatDoNotOpen(_ line: String, _ code: Int32, _ hasMemory: Bool, _ kind: FailureKind) {
    #expect(FFmpegError.rejection(of: "libx264", "a.mkv", code, [line], hasMemory: hasMemory).kind == kind)
  }

  @Test(arguments: ["libx265", "libx264", "libsvtav1", "ffv1"])
  func optionsThatDoNotExist(_ encoder: String) throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.mkv"), encoder)
    settings.encoderOptions = [("no-such-thing", "1")]
    let error = #expect(throws: FFmpegError.self) { try MediaWriter(settings) }
    #expect(error?.description.contains("no-such-thing") == true)
    #expect(scratch.contents.isEmpty)
  }

  @Test(arguments: [("libx265", "aq-mode", "2"), ("libx264", "aq-mode", "2"), ("libsvtav1", "tune", "0")])
  func optionsThatExist(_ encoder: String, _ name: String, _ value: String) throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.mkv"), encoder)
    settings.encoderOptions = [(name, value)]
    settings.crf = 30
    try MediaWriter(settings).cancel()
  }

  @Test func layoutsThatTheContainerDoesNotHold() throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.y4m"), "wrapped_avframe")
    settings.layout = PixelLayout(.rgb, bitDepth: 10)
    let error = #expect(throws: FFmpegError.self) { try MediaWriter(settings) }
    #expect(error?.kind == .invalidRequest && error?.description.contains("RGB") == true)
    #expect(scratch.contents.isEmpty)
  }

  @Test func layoutsThatTheEncoderDoesNotTake() throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.mkv"), "libsvtav1")
    settings.layout = PixelLayout(.ycbcr444, bitDepth: 10)
    let error = #expect(throws: FFmpegError.self) { try MediaWriter(settings) }
    #expect(
      error
        == .unsupportedLayout(
          encoder: "libsvtav1", wanted: settings.layout,
          supported: [PixelLayout(.ycbcr420, bitDepth: 8), PixelLayout(.ycbcr420, bitDepth: 10)]))
  }

  @Test func framesThatDoNotFit() throws {
    var settings = settings("-", nil)
    settings.format = "null"
    let writer = try MediaWriter(settings)
    let frame = CodedFrame(size: Size(width: 64, height: 64), layout: settings.layout, color: settings.color)
    #expect(throws: FFmpegError.self) { try writer.write(frame) }
  }

  @Test func defaultsGoByContainerAndDepth() {
    let eight = PixelLayout(.ycbcr420, bitDepth: 8)
    let ten = PixelLayout(.ycbcr420, bitDepth: 10)
    #expect(Encoders.defaultEncoder(forFormat: "mp4", layout: eight, color: .bt709) == "libx264")
    #expect(Encoders.defaultEncoder(forFormat: "mp4", layout: ten, color: .bt2100PQ) == "libx265")
    #expect(Encoders.defaultEncoder(forFormat: "null", layout: ten, color: .bt2100PQ) == "wrapped_avframe")
    #expect(Encoders.defaultEncoder(forFormat: "framemd5", layout: ten, color: .bt2100PQ) == "rawvideo")
    #expect(Encoders.available["libx265"]?.contains(ten) == true)
  }
}
