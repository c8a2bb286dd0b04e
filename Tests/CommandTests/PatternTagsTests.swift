import Foundation
import TestSupport
import Testing

/// What files of patterns say about themselves, as ffprobe reads it.
@Suite struct PatternTagsTests {
  private func make(_ name: String, _ arguments: [String], in scratch: Scratch, suffix: String = "mp4") throws -> String
  {
    let path = scratch.path("\(name.prefix(8)).\(suffix)")
    let result = try Command.run(
      ["pattern", name, "-o", path, "--size", "640x360", "--duration", "0.2", "-q"] + arguments)
    try #require(result.status == 0, "\(result.messages)")
    return path
  }

  private func stream(_ path: String) throws -> Probe.Stream {
    try #require(try Probe(path, ["-show_streams"]).streams?.first)
  }

  @Test(arguments: [
    (["--to", "hdr10"], "smpte2084", "bt2020", "bt2020nc", "topleft", "yuv420p10le"),
    (["--to", "hlg"], "arib-std-b67", "bt2020", "bt2020nc", "topleft", "yuv420p10le"),
    (["--to", "sdr"], "bt709", "bt709", "bt709", "left", "yuv420p"),
    (["--to", "hdr10", "--chroma-site", "left"], "smpte2084", "bt2020", "bt2020nc", "left", "yuv420p10le"),
  ])
  func tags(
    _ arguments: [String], _ transfer: String, _ primaries: String, _ matrix: String, _ site: String, _ format: String
  ) throws {
    let scratch = try Scratch()
    let found = try stream(try make("ramp", arguments, in: scratch))
    #expect(found.color_transfer == transfer)
    #expect(found.color_primaries == primaries)
    #expect(found.color_space == matrix)
    #expect(found.color_range == "tv")
    #expect(found.chroma_location == site)
    #expect(found.pix_fmt == format)
    #expect(found.avg_frame_rate == "25/1")
  }

  @Test func fullRangeIsTagged() throws {
    let scratch = try Scratch()
    #expect(try stream(try make("bt2111-pq-full", [], in: scratch)).color_range == "pc")
    #expect(try stream(try make("ramp", ["--range", "full"], in: scratch)).color_range == "pc")
  }

  /// A window of 1000 cd/m² on a tenth of the picture: the brightest pixel is the window, the mean a tenth of it.
  @Test func lightIsThatOfThePixels() throws {
    let scratch = try Scratch()
    let path = try make("window=percent=10:nits=1000", ["--to", "hdr10"], in: scratch)
    let frame = try #require(try Probe(path, ["-show_frames", "-read_intervals", "%+#1"]).frames?.first)
    let light = try #require(frame.side_data_list?.first("Content light level metadata"))
    let display = try #require(frame.side_data_list?.first("Mastering display metadata"))
    #expect(abs((light.max_content ?? 0) - 1000) <= 5)
    #expect(abs((light.max_average ?? 0) - 100) <= 6)
    #expect(display.red_x == "35400/50000")
    #expect(try #require(display.max_luminance).hasPrefix("10"))
  }

  /// Numpy computes MaxCLL and MaxFALL of the R'G'B' codes that ffmpeg decodes.
  @Test(arguments: ["clipping", "edr", "colorchecker", "steps"])
  func lightAgreesWithNumpy(_ name: String) throws {
    let scratch = try Scratch()
    let path = try make(
      name, ["--to", "hdr10", "-c:v", "ffv1", "--pixel-format", "gbrp12le"], in: scratch, suffix: "mkv")
    let raw = scratch.path("frame.raw")
    try Tool.ffmpeg.run(
      ["-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gbrp12le", "-y", raw])
    let isFull = try stream(path).color_range == "pc"
    let output = try Python.run(
      """
      import sys, numpy as np
      v = np.fromfile(sys.argv[1], '<u2').reshape(3, -1).max(axis=0).astype(float)
      e = v / 4095 if sys.argv[2] == 'full' else (v - 256) / 3504
      p = np.clip(e, 0, 1) ** (32 / 2523)
      n = 10000 * (np.maximum(p - 3424/4096, 0) / (2413/128 - 2392/128 * p)) ** (8192 / 1305)
      print(n.max(), n.mean())
      """, [raw, isFull ? "full" : "limited"])
    let expected = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    let data = try #require(try Probe(path, ["-show_streams"]).streams?.first?.side_data_list)
    let light = try #require(data.first("Content light level metadata"))
    #expect(abs(Double(light.max_content ?? 0) - expected[0]) <= 1)
    #expect(abs(Double(light.max_average ?? 0) - expected[1]) <= 1)
  }

  @Test func hlgAndSDRStateNoLight() throws {
    let scratch = try Scratch()
    for kind in ["hlg", "sdr"] {
      let path = try make("ramp", ["--to", kind], in: scratch, suffix: "\(kind).mp4")
      let data = try Probe(path, ["-show_frames", "-read_intervals", "%+#1"]).frames?.first?.side_data_list ?? []
      #expect(data.first("Mastering display metadata") == nil)
      #expect(data.first("Content light level metadata") == nil)
    }
  }

  @Test func framesAndRate() throws {
    let scratch = try Scratch()
    let path = try make("counter", ["--rate", "23.976", "--duration", "1", "-c:v", "ffv1"], in: scratch, suffix: "mkv")
    let probe = try Probe(path, ["-show_streams", "-show_packets"])
    #expect(probe.streams?.first?.avg_frame_rate == "24000/1001")
    #expect(probe.packets?.count == 24)
  }
}
