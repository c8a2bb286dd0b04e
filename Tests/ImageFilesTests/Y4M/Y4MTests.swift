import ColorScience
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct Y4MTests {
  private static let layouts: [PixelLayout] = [.ycbcr420, .ycbcr422, .ycbcr444].flatMap { components in
    [8, 10, 12].map { PixelLayout(components, bitDepth: $0) }
  }

  private func frame(_ layout: PixelLayout, _ color: ColorDescription, seed: Int) -> CodedFrame {
    let frame = CodedFrame(size: Size(width: 37, height: 21), layout: layout, color: color)
    for plane in 0..<3 {
      let extent = layout.planeSize(plane, of: frame.size)
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          frame.setSample((x * 37 + y * 91 + plane * 55 + seed) & (1 << layout.bitDepth - 1), plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }

  @Test(arguments: layouts, [VideoRange.narrow, .full])
  func ffmpegReadsFramesAndTags(_ layout: PixelLayout, _ range: VideoRange) throws {
    let scratch = try Scratch()
    let color = ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, range: range)
    let frames = [3, 500].map { frame(layout, color, seed: $0) }
    let header = Y4MEncoder.header(
      for: frames[0].format, rate: Rational(30_000, 1001), sampleAspectRatio: Rational(4, 3))
    let file = try header + frames.flatMap { try Y4MEncoder().encode($0) }
    let path = scratch.path("a.y4m")
    try Data(file).write(to: URL(fileURLWithPath: path))
    let decoded = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-"])
    let samples = layout.bitDepth > 8 ? decoded.words.map { Int($0) } : decoded.map { Int($0) }
    #expect(difference(samples, frames.flatMap { frame in (0..<3).flatMap { frame.samples($0) } }) == nil)
    let stream = try #require(try Probe(path, ["-show_streams"]).streams?.first)
    #expect(stream.color_range == (range == .full ? "pc" : "tv"))
    #expect(stream.sample_aspect_ratio == "4:3")
    #expect(stream.field_order == "progressive")
    #expect(stream.time_base == "1001/30000")
  }

  @Test(arguments: [(ChromaLocation.left, "left"), (.center, "center"), (.topLeft, "topleft")])
  func ffmpegReadsTheSiting(_ location: ChromaLocation, _ name: String) throws {
    let scratch = try Scratch()
    let color = ColorDescription(primaries: .bt709, transfer: .bt709, matrix: .bt709, chromaLocation: location)
    let frame = frame(PixelLayout(.ycbcr420, bitDepth: 8), color, seed: 0)
    let header = Y4MEncoder.header(for: frame.format, rate: nil, sampleAspectRatio: nil, fieldOrder: .bottomFirst)
    let path = scratch.path("a.y4m")
    try Data(header + Y4MEncoder().encode(frame)).write(to: URL(fileURLWithPath: path))
    let stream = try #require(try Probe(path, ["-show_streams"]).streams?.first)
    #expect(stream.chroma_location == name)
    #expect(stream.field_order == "bb")
    #expect(stream.time_base == "1/25")
  }
}
