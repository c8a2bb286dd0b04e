import ColorScience
import FFmpegIO
import Frames
import Media
import TestSupport
import Testing

/// Tags of a container count where its bitstream has none, or only what its decoder assumes.
@Suite struct ContainerColorTests {
  private static let pq = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]

  @Test(arguments: [
    ("a.mov", ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"]),
    ("a.mov", ["-c:v", "dnxhd", "-profile:v", "dnxhr_hqx", "-pix_fmt", "yuv422p10le"]),
    ("a.mxf", ["-c:v", "dnxhd", "-profile:v", "dnxhr_hqx", "-pix_fmt", "yuv422p10le"]),
    ("a.mov", ["-c:v", "mjpeg", "-pix_fmt", "yuvj422p"]), ("a.mkv", ["-c:v", "utvideo", "-pix_fmt", "yuv422p10le"]),
  ]) func tagsOfTheContainerCount(_ name: String, _ coding: [String]) throws {
    let scratch = try Scratch()
    let path = try scratch.clip(name, size: "256x144", frames: 2, coding + Self.pq)
    let reader = try MediaReader(url: path)
    let frame = try #require(try reader.readFrame())
    let color = frame.color
    #expect(color.primaries == .bt2020 && color.transfer == .pq && color.matrix == .bt2020NCL)
    #expect(reader.video.color.matrix == .bt2020NCL && reader.video.color.transfer == .pq)
  }
}
