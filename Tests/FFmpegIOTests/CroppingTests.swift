import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Pictures that are cropped while they are read.
@Suite struct CroppingTests {
  private func samples(_ frame: CodedFrame) -> [Int] {
    (0..<frame.layout.planeCount).flatMap { plane in
      let extent = frame.layout.planeSize(plane, of: frame.size)
      return (0..<extent.height).flatMap { y in (0..<extent.width).map { frame.sample(plane: plane, x: $0, y: y) } }
    }
  }

  private static let area = PictureArea(x: 6, y: 10, width: 98, height: 62)
  private static let size = Size(width: 128, height: 96)

  private func reader(_ path: String, _ area: PictureArea, scaling: PictureScaling? = nil) throws -> MediaReader {
    let reader = try MediaReader(url: path)
    reader.prepare(PicturePreparation(crop: PictureCrop(area, of: Self.size), scaling: scaling))
    return reader
  }

  @Test(arguments: ["yuv420p10le", "yuv422p10le", "yuv444p12le", "yuv420p", "nv12", "gbrp10le", "gray"])
  func equalsFFmpegsFilter(_ format: String) throws {
    let scratch = try Scratch()
    let isRaw = format == "nv12"
    let path = try scratch.clip(
      "a." + (isRaw ? "nut" : "mkv"), frames: 2, ["-pix_fmt", format, "-c:v", isRaw ? "rawvideo" : "ffv1"])
    let raw = try Tool.ffmpeg.run([
      "-i", path, "-vf", "crop=98:62:6:10:exact=1", "-pix_fmt", format, "-f", "rawvideo", "-",
    ])
    let reader = try reader(path, Self.area)
    var found: [Int] = []
    while let frame = try reader.readFrame() {
      #expect(frame.size == Size(width: 98, height: 62))
      found += samples(frame)
    }
    #expect(found == (format.hasSuffix("le") ? raw.words.map(Int.init) : raw.map(Int.init)))
  }

  /// What lies outside has no influence: not even on what is filtered at the edges.
  @Test func isScaledAfterwards() throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.mkv", frames: 1, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"])
    let cut = scratch.path("cut.mkv")
    try Tool.ffmpeg.run(["-i", path, "-vf", "crop=98:62:6:10:exact=1", "-c:v", "ffv1", cut])
    let scaling = PictureScaling(width: .samples(64), height: .ratio(multiple: 2))
    let plain = try MediaReader(url: cut)
    plain.prepare(PicturePreparation(scaling: scaling))
    let (found, expected) = try (reader(path, Self.area, scaling: scaling).readFrame(), plain.readFrame())
    #expect(try samples(#require(found)) == samples(#require(expected)))
  }

  @Test func isForOneSize() throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.mkv", size: "160x96", frames: 1, ["-pix_fmt", "yuv420p", "-c:v", "ffv1"])
    #expect(
      throws: FFmpegError.unfitCrop(Self.area, of: Self.size, actual: Size(width: 160, height: 96), path: path)
    ) { _ = try reader(path, Self.area).readFrame() }
  }

  /// Two rows of 4:2:0 further down, the fields of chroma would have changed places.
  @Test func fieldsKeepTheirPlaces() throws {
    let scratch = try Scratch()
    let path = try scratch.clip(
      "a.mkv", rate: 50, frames: 4,
      ["-vf", "format=yuv420p10le,interlace=scan=tff:lowpass=off", "-c:v", "ffv1"])
    let multiples = Size(width: 2, height: 4)
    #expect(throws: FFmpegError.undividedCrop(Self.area, multiples: multiples, path: path)) {
      _ = try reader(path, Self.area).readFrame()
    }
    let area = PictureArea(x: 6, y: 12, width: 98, height: 64)
    #expect(try reader(path, area).readFrame()?.fieldOrder == .topFirst)
  }
}
