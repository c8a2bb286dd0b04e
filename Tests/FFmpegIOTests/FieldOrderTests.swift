import ColorScience
import FFmpegIO
import Frames
import Media
import TestSupport
import Testing

/// Which field comes first, in and out.
@Suite struct FieldOrderTests {
  @Test(
    arguments: [
      ("libx264", "mkv", PixelLayout(.ycbcr420, bitDepth: 10)), ("libx264", "mp4", PixelLayout(.ycbcr420, bitDepth: 8)),
      ("prores_ks", "mov", PixelLayout(.ycbcr422, bitDepth: 10)), ("ffv1", "mkv", PixelLayout(.ycbcr444, bitDepth: 12)),
      ("mpeg2video", "mpg", PixelLayout(.ycbcr420, bitDepth: 8)),
    ], FieldOrder.allCases)
  func isCarried(_ way: (encoder: String, container: String, layout: PixelLayout), _ order: FieldOrder) throws {
    let scratch = try Scratch()
    var settings = MediaWriter.Settings(
      url: scratch.path("a." + way.container), encoder: way.encoder, size: Size(width: 128, height: 96),
      layout: way.layout, timeBase: Rational(1, 25), frameRate: Rational(25, 1), color: .bt2100PQ)
    settings.fieldOrder = order
    #expect(Encoders.keepsFields(way.encoder))
    let writer = try MediaWriter(settings)
    for index in 0..<6 {
      let time = FrameTime(presentation: Int64(index), duration: 1, timeBase: settings.timeBase)
      try writer.write(writer.makeFrame(time: time, fieldOrder: order))
    }
    try writer.finish()
    let reader = try MediaReader(url: settings.url)
    while let frame = try reader.readFrame() { #expect(frame.fieldOrder == order) }
    #expect(reader.statistics.interlacedFrames == 6)
    let probe = try Probe(settings.url, ["-show_streams", "-show_frames"])
    #expect(probe.frames?.count == 6)
    for frame in probe.frames ?? [] {
      #expect(frame.interlaced_frame == 1 && frame.top_field_first == (order == .topFirst ? 1 : 0))
    }
    let name = probe.streams?.first?.field_order ?? "unknown"
    // For H.264 in MP4 FFmpeg 5.1 says "tt" whatever the frames are.
    let names = order == .topFirst || way.container == "mp4" ? ["tt", "tb"] : ["bb", "bt"]
    #expect(names.contains(name))
  }

  @Test func progressiveFramesAreNotMarked() throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.mkv", frames: 3, ["-c:v", "ffv1"])
    let reader = try MediaReader(url: path)
    while let frame = try reader.readFrame() { #expect(frame.fieldOrder == nil) }
    #expect(!Encoders.keepsFields("libx265"))
  }
}
