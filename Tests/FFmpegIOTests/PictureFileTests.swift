import ColorScience
import FFmpegIO
import Foundation
import Frames
internal import Media
import TestSupport
import Testing

/// Files of pictures that FFmpeg reads, which say less than those of video.
@Suite struct PictureFileTests {
  @Test(arguments: [
    ("a.png", "rgb24", VideoRange.full), ("b.png", "gray", .full), ("a.jpg", "yuvj420p", .full),
    ("b.jpg", "gray", .full), ("a.webp", "yuv420p", .narrow),
  ])
  func untaggedPicturesAreSRGB(_ name: String, _ format: String, _ range: VideoRange) throws {
    let scratch = try Scratch()
    let path = try scratch.clip(name, frames: 1, ["-pix_fmt", format])
    let color = try #require(try MediaReader(url: path).readFrame()).color
    #expect((color.primaries, color.transfer) == (.bt709, .sRGB))
    #expect(color.range == range)
    // Source: JFIF 1.02 (1992), "Standards"; 5 and 6 of H.273 are one matrix.
    #expect([.rgb, .bt470BG, .smpte170M].contains(color.matrix))
  }

  /// swscale would cut them off at 1.0. OpenEXR comes to FFmpeg through pipes.
  @Test(arguments: [("a.pfm", "gbrpf32le", nil), ("b.pfm", "grayf32le", nil), ("a.exr", "gbrapf32le", "exr_pipe")])
  func floatingPointSamplesAreRefused(_ name: String, _ pixels: String, _ format: String?) throws {
    let scratch = try Scratch()
    let path = try scratch.clip(name, frames: 1, ["-pix_fmt", pixels])
    #expect(throws: FFmpegError.floatingPointSamples(name: pixels, path: path)) {
      try MediaReader(url: path, format: format).readFrame()
    }
  }

  @Test func untaggedVideoStaysSo() throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.mkv", frames: 2, ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"])
    let color = try #require(try MediaReader(url: path).readFrame()).color
    #expect((color.primaries, color.transfer) == (.unspecified, .unspecified))
  }

  /// The code of the tag, and what it asks for. Source: CIPA DC-008 (Exif 2.32), 4.6.4.
  @Test(arguments: [
    (UInt8(1), Orientation.identity), (3, .upsideDown), (6, .clockwise), (8, .counterclockwise),
  ])
  func exifTurnsPictures(_ code: UInt8, _ orientation: Orientation) throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.jpg", frames: 1, ["-pix_fmt", "yuvj420p"])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, code, 0, 0, 0, 0, 0, 0]
    let content = Array("Exif".utf8) + [0, 0] + tiff
    bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content, at: 2)
    try bytes.write(to: URL(fileURLWithPath: path))
    let reader = try MediaReader(url: path)
    #expect((reader.video.displayMatrix?.orientation ?? .identity) == orientation)
    #expect(reader.info.streams.first?.video?.displayMatrix == reader.video.displayMatrix)
    // The picture that was looked at is still read, once, and in the size that is asked for.
    reader.prepare(PicturePreparation(scaling: PictureScaling(width: .samples(64), height: .samples(48))))
    #expect(try reader.readFrame()?.size == Size(width: 64, height: 48))
    #expect(try reader.readFrame() == nil)
    #expect(reader.statistics.frames == 1)
  }
}
