import Foundation
import TestSupport
import Testing

/// Encoders that know frames and no times get a time base of one frame, whatever the input counts in.
@Suite struct FrameRateTests {
  private func source(_ name: String, rate: String, _ scratch: Scratch) throws -> String {
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=720x576:rate=\(rate)", "-frames:v", "12", "-c:v", "libx264", "-preset",
      "ultrafast", "-pix_fmt", "yuv420p", "-y", scratch.path(name),
    ])
    return scratch.path(name)
  }

  /// Times of the packets from the first on, in seconds, in order.
  private func times(_ path: String) throws -> [Double] {
    let times = try (Probe(path, ["-show_packets", "-select_streams", "v"]).packets ?? []).compactMap {
      $0.pts_time.flatMap(Double.init)
    }.sorted()
    return times.map { $0 - (times.first ?? 0) }
  }

  private func value(_ rate: String) -> Double {
    let parts = rate.split(separator: "/").compactMap { Double($0) }
    return parts.count == 2 ? parts[0] / parts[1] : parts.first ?? .nan
  }

  /// From clocks of 1/1000, 1/12800 and 1/90000 s; in the short run with one rate each.
  @Test(
    arguments: ["mpeg1video", "mpeg2video", "mpeg4", "vc2"],
    [("mkv", "25"), ("mp4", "24000/1001"), ("ts", "60000/1001")])
  func constantRates(_ encoder: String, _ input: (container: String, rate: String)) throws {
    let scratch = try Scratch()
    let container = input.container
    for rate in LongTests.areWanted ? ["25", "24000/1001", "60000/1001"] : [input.rate] {
      let input = try source("in.\(container)", rate: rate, scratch)
      let output = scratch.path("out.mkv")
      let result = try Command.run(["transcode", input, "-o", output, "-c:v", encoder, "-q", "--overwrite"])
      #expect(result.status == 0, "\(result.messages)")
      let stream = try #require(try Probe(output, ["-show_streams"]).streams?.first)
      #expect(abs(value(stream.avg_frame_rate ?? "") / value(rate) - 1) < 0.001)
      let (old, new) = (try times(input), try times(output))
      #expect(old.count == new.count)
      for (a, b) in zip(old, new) { #expect(abs(a - b) < 0.0021) }
      #expect(!result.messages.contains("moved"), "\(result.messages)")
    }
  }

  @Test(arguments: [["pattern", "steps", "--size", "720x576", "--to", "sdr", "--rate", "48"], []])
  func otherRatesAreNamed(_ pattern: [String]) throws {
    let scratch = try Scratch()
    let arguments = try pattern.isEmpty ? ["transcode", source("in.mp4", rate: "48", scratch)] : pattern
    let result = try Command.run(arguments + ["-o", scratch.path("out.mkv"), "-c:v", "mpeg1video"])
    #expect(result.status == 2, "\(result.messages)")
    #expect(result.messages.contains("48") && result.messages.contains("30000/1001"), "\(result.messages)")
    #expect(!scratch.contents.contains { $0.hasPrefix("out") || $0.hasSuffix(".part") })
  }

  /// Frames at times on no grid that the encoder has.
  @Test func variableRates() throws {
    let scratch = try Scratch()
    let input = scratch.path("in.mp4")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=100:duration=1", "-vf",
      "select='if(lt(t,0.5),not(mod(n,3)),not(mod(n,7)))'", "-vsync", "vfr", "-c:v", "libx264", "-preset", "ultrafast",
      "-pix_fmt", "yuv420p", "-y", input,
    ])
    let result = try Command.run(["transcode", input, "-o", scratch.path("out.mkv"), "-c:v", "mpeg1video"])
    #expect(result.status == 2, "\(result.messages)")
    #expect(result.messages.contains("variable"), "\(result.messages)")
    let kept = try Command.run(["transcode", input, "-o", scratch.path("out.mkv"), "-c:v", "libx264", "-q"])
    #expect(kept.status == 0, "\(kept.messages)")
    let (old, new) = (try times(input), try times(scratch.path("out.mkv")))
    #expect(old.count == new.count && zip(old, new).allSatisfy { abs($0 - $1) < 0.0011 })
  }

  /// A variable rate that FFmpeg takes for a constant one.
  @Test func framesBesideTheGridAreSaid() throws {
    let scratch = try Scratch()
    let input = scratch.path("in.mkv")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25", "-vf", "settb=1/1000,setpts=40*N+7*mod(N\\,2)", "-vsync",
      "passthrough", "-enc_time_base", "1:1000", "-frames:v", "50", "-c:v", "libx264", "-preset", "ultrafast",
      "-pix_fmt", "yuv420p", "-y", input,
    ])
    let result = try Command.run(["transcode", input, "-o", scratch.path("out.mkv"), "-c:v", "mpeg2video", "-q"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.messages.contains("moved by up to 7 ms"), "\(result.messages)")
    #expect(result.messages.contains("25 fps"), "\(result.messages)")
    let kept = try Command.run(["transcode", input, "-o", scratch.path("kept.mkv"), "-c:v", "libx264", "-q"])
    #expect(kept.status == 0 && !kept.messages.contains("moved"), "\(kept.messages)")
  }

  /// Pictures that begin between two counts of the encoder stay in sync with the audio.
  @Test(arguments: ["mpeg4", "mpeg2video"])
  func audioStaysInPlace(_ encoder: String) throws {
    let scratch = try Scratch()
    let input = scratch.path("in.mkv")
    let film = scratch.path("film.mkv")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=1", "-f", "lavfi", "-i", "sine=440:duration=1",
      "-c:v", "libx264", "-bf", "0", "-c:a", "pcm_s16le", "-y", film,
    ])
    try Tool.ffmpeg.run([
      "-itsoffset", "0.013", "-i", film, "-i", film, "-map", "0:v", "-map", "1:a", "-c", "copy", "-y", input,
    ])
    let output = scratch.path("out.mkv")
    let result = try Command.run(["transcode", input, "-o", output, "-c:v", encoder, "-q"])
    #expect(result.status == 0 && !result.messages.contains("moved"), "\(result.messages)")
    func start(_ path: String, _ stream: String) throws -> Double {
      let packets = try Probe(path, ["-show_packets", "-select_streams", stream]).packets ?? []
      return try #require(packets.compactMap { $0.pts_time.flatMap(Double.init) }.min())
    }
    let (old, new) = (try start(input, "v") - start(input, "a"), try start(output, "v") - start(output, "a"))
    #expect(abs(old - 0.013) < 0.0011 && abs(old - new) < 0.0011)
  }

  /// What an encoder has to share out it shares by frames: the same pictures get the same, whatever clock they come by.
  @Test(arguments: ["vc2", "mpeg4"])
  func bitsAreSharedByFrames(_ encoder: String) throws {
    let scratch = try Scratch()
    let first = try source("in.mkv", rate: "25", scratch)
    var sizes: Set<Int> = []
    for container in ["mkv", "mp4", "mov"] {
      let (input, output) = (scratch.path("copy.\(container)"), scratch.path("out.nut"))
      try Tool.ffmpeg.run(["-i", first, "-c", "copy", "-y", input])
      let result = try Command.run(["transcode", input, "-o", output, "-c:v", encoder, "-q", "--overwrite"])
      #expect(result.status == 0, "\(result.messages)")
      sizes.insert(try Data(contentsOf: URL(fileURLWithPath: output)).count)
    }
    // Tags of the file differ by some bytes.
    let (least, most) = (try #require(sizes.min()), try #require(sizes.max()))
    #expect(Double(most - least) < 0.002 * Double(least))
  }
}
