import Foundation
import TestSupport
import Testing

/// What a container cannot hold is known before the first frame; nothing is lost at the end.
@Suite struct ContainerTests {
  private static let video = [
    "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc",
    "smpte2084", "-colorspace", "bt2020nc",
  ]

  private func film(_ name: String, _ scratch: Scratch, inputs: [String], _ arguments: [String]) throws -> String {
    try Tool.ffmpeg.run(
      ["-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=1"] + inputs + Self.video + arguments
        + ["-y", scratch.path(name)])
    return scratch.path(name)
  }

  private func sound(_ codec: String, _ name: String, _ scratch: Scratch) throws -> String {
    try film(
      name, scratch, inputs: ["-f", "lavfi", "-i", "sine=440:duration=1:sample_rate=48000"],
      ["-map", "0", "-map", "1", "-c:a", codec])
  }

  private func transcode(_ input: String, _ output: String, _ more: [String] = []) throws -> Command.Result {
    try Command.run(["transcode", input, "-o", output, "-c:v", "libx264", "--preset", "ultrafast"] + more)
  }

  /// A cover and arbitrary tags together: in MP4 each would displace the other in FFmpeg's muxer.
  @Test(arguments: ["jpg", "png"])
  func coverAndFreeTags(_ suffix: String) throws {
    let scratch = try Scratch()
    let cover = scratch.path("cover.\(suffix)")
    try Tool.ffmpeg.run(["-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", "-y", cover])
    let source = try film(
      "in.mkv", scratch, inputs: ["-f", "lavfi", "-i", "sine=440:duration=1"],
      [
        "-map", "0", "-map", "1", "-c:a", "aac", "-metadata", "title=A film", "-metadata", "DIRECTOR=Jemand – ä",
        "-metadata", "ACTOR=Two", "-attach", cover, "-metadata:s:t",
        "mimetype=image/\(suffix == "jpg" ? "jpeg" : "png")",
      ])
    let output = scratch.path("out.mp4")
    let result = try transcode(source, output)
    #expect(result.status == 0, "\(result.messages)")
    let made = try Probe(output, ["-show_streams", "-show_format"])
    for (key, value) in ["title": "A film", "DIRECTOR": "Jemand – ä", "ACTOR": "Two"] {
      #expect(made.format?.tags?[key] == value)
    }
    let covers = made.streams?.filter { $0.dispositions.contains("attached_pic") } ?? []
    #expect(covers.count == 1)
    let data = try Tool.ffmpeg.run([
      "-i", output, "-map", "0:\(covers.first?.index ?? 0)", "-c", "copy", "-f", "data", "-",
    ])
    #expect(try data == Data(contentsOf: URL(fileURLWithPath: cover)))
    // Every packet is still where the tables say.
    let hash = { (path: String) in try Tool.ffmpeg.run(["-i", path, "-map", "0:a", "-c", "copy", "-f", "md5", "-"]) }
    #expect(try hash(output) == hash(source))
    #expect(try Tool.ffmpeg.run(["-xerror", "-i", output, "-map", "0:v:0", "-f", "null", "-"]).isEmpty)
    // The tags that players know are where they look for them.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: output))
    for box in ["mdir", "\u{A9}nam", "covr", "----"] {
      #expect(bytes.range(of: Data(box.unicodeScalars.map { UInt8($0.value) })) != nil, "\(box)")
    }
  }

  /// The timecode of the first remaining frame.
  @Test(arguments: [["--start", "0.4"], ["--frames", "10-20"]])
  func timecodesOfCuts(_ cut: [String]) throws {
    let scratch = try Scratch()
    let source = try film("in.mp4", scratch, inputs: [], ["-timecode", "01:00:00:20"])
    let output = scratch.path("out.mp4")
    let result = try transcode(source, output, cut)
    #expect(result.status == 0, "\(result.messages)")
    let timecodes = try (Probe(output, ["-show_streams"]).streams ?? []).compactMap { $0.tags?["timecode"] }
    #expect(!timecodes.isEmpty && timecodes.allSatisfy { $0 == "01:00:01:05" }, "\(timecodes)")
    #expect(try transcode(source, output, ["--overwrite"]).status == 0)
    let whole = try (Probe(output, ["-show_streams"]).streams ?? []).compactMap { $0.tags?["timecode"] }
    #expect(whole.contains("01:00:00:20"))
  }

  /// Named before the first frame, and an error where warnings are.
  @Test(arguments: [("ts", "ARTIST"), ("mxf", "ARTIST"), ("avi", "DIRECTOR")])
  func chaptersAndTagsThatAreLost(_ container: String, _ tag: String) throws {
    let scratch = try Scratch()
    let text = ";FFMETADATA1\n\(tag)=x\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=one\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path("m.txt")))
    let source = try film(
      "in.mkv", scratch, inputs: ["-i", scratch.path("m.txt")], ["-map", "0", "-map_metadata", "1"])
    let output = scratch.path("out.\(container)")
    let encoder = ["-c:v", container == "mxf" ? "mpeg2video" : "ffv1"]
    let arguments = ["transcode", source, "-o", output] + (container == "ts" ? ["-c:v", "libx264"] : encoder)
    let strict = try Command.run(arguments + ["--strict"])
    #expect(strict.status == 1 && scratch.contents.allSatisfy { !$0.hasPrefix("out") }, "\(strict.messages)")
    let result = try Command.run(arguments)
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.messages.contains("does not support chapters: the input's 1"), "\(result.messages)")
    #expect(result.messages.contains(tag), "\(result.messages)")
    let made = try Probe(output, ["-show_format", "-show_chapters"])
    #expect(made.chapters?.isEmpty != false && made.format?.tags?[tag] == nil)
    // The size that is stated is that of the file.
    let size = try #require(try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int)
    #expect(size > 4096)
    #expect(
      result.messages.contains(String(format: " %.1f KiB", Double(size) / 1024)), "\(size): \(result.messages)")
  }

  /// Streams that FFmpeg's muxers take at the beginning and lose or refuse at the end.
  @Test(arguments: [
    ("eac3", "mkv", "nut", "audio eac3"), ("aac", "ts", "ismv", "audio aac"), ("aac", "mkv", "mpg", "audio aac"),
  ])
  func audioThatIsLeftOut(_ codec: String, _ from: String, _ to: String, _ words: String) throws {
    let scratch = try Scratch()
    let result = try transcode(try sound(codec, "in.\(from)", scratch), scratch.path("out.\(to)"))
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.messages.contains("cannot hold") && result.messages.contains(words), "\(result.messages)")
  }

  @Test func programStreamsHoldTheirOwnPCM() throws {
    let scratch = try Scratch()
    let output = scratch.path("out.mpg")
    let result = try transcode(try sound("pcm_s16be", "in.mkv", scratch), output)
    #expect(result.status == 0, "\(result.messages)")
    #expect(try Probe(output, ["-show_streams"]).streams?.map(\.codec_name) == ["h264", "pcm_dvd"])
  }

  @Test func oneAudioStreamInFlash() throws {
    let scratch = try Scratch()
    let source = try film(
      "in.mkv", scratch,
      inputs: ["-f", "lavfi", "-i", "sine=440:duration=1", "-f", "lavfi", "-i", "sine=880:duration=1"],
      ["-map", "0", "-map", "1", "-map", "2", "-c:a", "aac"])
    let output = scratch.path("out.flv")
    for options in [[], ["-c:a", "aac"]] {
      let result = try transcode(source, output, options + ["--overwrite"])
      #expect(result.status == 0, "\(result.messages)")
      #expect(result.messages.contains("#2 audio aac"))
      #expect(try Probe(output, ["-show_streams"]).streams?.count == 2)
    }
  }

  /// Bitmaps on the screen until the next ones, in containers with a place for them and in those without.
  @Test(arguments: [
    ("copy", "ts", false), ("copy", "mpg", false), ("copy", "mkv", true), ("copy", "m2ts", true),
    ("dvbsub", "m2ts", false), ("dvdsub", "mp4", true),
    ("dvdsub", "mpg", true), ("dvdsub", "mkv", true), ("dvbsub", "mpg", false), ("dvbsub", "ts", true),
  ])
  func bitmapSubtitles(_ codec: String, _ to: String, _ isHeld: Bool) throws {
    let scratch = try Scratch()
    try Data(PresentationGraphics.stream).write(to: URL(fileURLWithPath: scratch.path("s.sup")))
    let source = try film(
      "in.mkv", scratch, inputs: ["-i", scratch.path("s.sup")], ["-map", "0", "-map", "1", "-c:s", codec])
    // Also a part without any: some containers then know nothing of the stream.
    for (index, options) in [[], ["--duration", "0.2"]].enumerated() {
      let output = scratch.path("out\(index).\(to)")
      let result = try transcode(source, output, options)
      #expect(result.status == 0, "\(result.messages)")
      #expect(result.messages.contains("cannot hold") == !isHeld, "\(result.messages)")
      let kinds = try Probe(output, ["-show_streams"]).streams?.map(\.codec_type) ?? []
      #expect(kinds.contains("video"))
      if isHeld, index == 0 { #expect(kinds.contains("subtitle")) }
    }
  }

  /// MP4 and Matroska can hold a cover; elsewhere it would become a video of one frame.
  @Test(arguments: ["avi", "nut", "mov", "ts", "mpg"])
  func coversElsewhere(_ to: String) throws {
    let scratch = try Scratch()
    let cover = scratch.path("cover.jpg")
    try Tool.ffmpeg.run(["-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", "-y", cover])
    let source = try film("in.mkv", scratch, inputs: [], ["-attach", cover, "-metadata:s:t", "mimetype=image/jpeg"])
    let output = scratch.path("out.\(to)")
    let result = try transcode(source, output)
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.messages.contains("video mjpeg"))
    #expect(try Probe(output, ["-show_streams"]).streams?.count { $0.codec_type == "video" } == 1)
  }

  /// Packets of 192 bytes, chosen by the final file name.
  @Test func bluRayTransportStream() throws {
    let scratch = try Scratch()
    let output = scratch.path("out.m2ts")
    let result = try transcode(try sound("ac3", "in.mkv", scratch), output)
    #expect(result.status == 0, "\(result.messages)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: output)))
    #expect(bytes.count % 192 == 0)
    #expect(stride(from: 4, to: bytes.count, by: 192).allSatisfy { bytes[$0] == 0x47 })
  }
}

/// A bitmap subtitle of Blu-ray, as short as can be.
private enum PresentationGraphics {
  /// Shown at 0.5 s, cleared at 0.9 s.
  static var stream: [UInt8] {
    let window: [UInt8] = [1, 0, 0, 20, 0, 40, 0, 16, 0, 8]
    // Eight rows of sixteen pixels of the first colour.
    let rows = (0..<8).flatMap { _ in [UInt8]([0, 0x80 | 16, 1, 0, 0]) }
    let picture: [UInt8] =
      [0, 0, 0, 0xC0, 0, 0, UInt8(rows.count + 4), 0, 16, 0, 8] + rows
    let size: [UInt8] = [0, 128, 0, 96, 0x10]
    return segment(0x16, 0.5, size + [0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 20, 0, 40]) + segment(0x17, 0.5, window)
      + segment(0x14, 0.5, [0, 0, 1, 235, 128, 128, 255]) + segment(0x15, 0.5, picture) + segment(0x80, 0.5, [])
      + segment(0x16, 0.9, size + [0, 1, 0, 0, 0, 0]) + segment(0x17, 0.9, window) + segment(0x80, 0.9, [])
  }

  private static func segment(_ type: UInt8, _ seconds: Double, _ content: [UInt8]) -> [UInt8] {
    let time = UInt32(seconds * 90_000)
    return [0x50, 0x47] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: time >> (8 * $0)) } + [0, 0, 0, 0, type]
      + [UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }
}
