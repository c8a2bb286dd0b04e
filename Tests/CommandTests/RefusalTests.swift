import Foundation
import TestSupport
import Testing

/// Impossible requests are refused in one sentence, with the right exit status, and nothing is left behind.
@Suite struct RefusalTests {
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let status: Int32
    /// A part of the sentence.
    let says: String
    let arguments: @Sendable (Scratch) throws -> [String]

    init(
      _ description: String, _ status: Int32, _ says: String,
      _ arguments: @escaping @Sendable (Scratch) throws -> [String]
    ) {
      self.description = description
      self.status = status
      self.says = says
      self.arguments = arguments
    }
  }

  private static func options(_ description: String, _ says: String, _ options: [String]) -> Case {
    Case(description, 2, says) { ["transcode", try pq($0), "-o", $0.path("out.mp4")] + options }
  }

  private static func pq(_ scratch: Scratch) throws -> String {
    try scratch.clip(
      "in.mkv",
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
        "-colorspace", "bt2020nc",
      ])
  }

  static let cases: [Case] = [
    Case("unknown file", 1, "missing.mp4") { ["transcode", $0.path("missing.mp4"), "-o", $0.path("out.mp4")] },
    Case("empty file", 1, "is empty") { scratch in
      _ = FileManager.default.createFile(atPath: scratch.path("in.mp4"), contents: Data())
      return ["transcode", scratch.path("in.mp4"), "-o", scratch.path("out.mp4")]
    },
    Case("text named mp4", 1, "in.mp4") { scratch in
      try Data("This is no video.\n".utf8).write(to: scratch.folder.appendingPathComponent("in.mp4"))
      return ["transcode", scratch.path("in.mp4"), "-o", scratch.path("out.mp4")]
    },
    Case("no video stream", 1, "no video stream") { scratch in
      try Tool.ffmpeg.run(["-f", "lavfi", "-i", "sine=duration=0.1", "-y", scratch.path("in.wav")])
      return ["transcode", scratch.path("in.wav"), "-o", scratch.path("out.mp4")]
    },
    Case("missing output folder", 1, "does not exist") { ["transcode", try pq($0), "-o", $0.path("no/out.mp4")] },
    Case("output is input", 2, "is an input") { ["transcode", try pq($0), "-o", $0.path("./in.mkv"), "--overwrite"] },
    Case("output exists", 1, "--overwrite") { scratch in
      _ = FileManager.default.createFile(atPath: scratch.path("out.mp4"), contents: Data())
      return ["transcode", try pq(scratch), "-o", scratch.path("out.mp4")]
    },
    Case("output is a link to an existing file", 1, "--overwrite") { scratch in
      _ = FileManager.default.createFile(atPath: scratch.path("kept.mkv"), contents: Data("kept".utf8))
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path("out.mkv"), withDestinationPath: scratch.path("kept.mkv"))
      return ["transcode", try pq(scratch), "-o", scratch.path("out.mkv")]
    },
    Case("existing output as file:", 1, "--overwrite") { scratch in
      _ = FileManager.default.createFile(atPath: scratch.path("out.mp4"), contents: Data())
      return ["transcode", try pq(scratch), "-o", "file:" + scratch.path("out.mp4")]
    },
    Case("no output", 2, "-o") { ["transcode", try pq($0)] },
    Case("unknown extension", 2, "out.xyzzy") { ["transcode", try pq($0), "-o", $0.path("out.xyzzy")] },
    Case("start after the end", 1, "--start") { ["transcode", try pq($0), "-o", $0.path("out.mp4"), "--start", "99"] },
    options("unknown encoder", "libx999", ["-c:v", "libx999"]),
    options("unknown preset", "warpspeed", ["-c:v", "libx264", "--preset", "warpspeed"]),
    options("unknown encoder option", "bogus", ["--encoder-options", "bogus=1"]),
    options("encoder options without a name", "k=v", ["--encoder-options", "=1"]),
    options("unknown pixel format", "yuv999", ["--pixel-format", "yuv999"]),
    options("layout that the encoder lacks", "prores_ks", ["-c:v", "prores_ks", "--pixel-format", "yuv420p"]),
    options("unknown curve", "system, st2094-50, bt2390", ["--tone-map", "magic"]),
    options("unknown tier", "baseline", ["--kernels", "mmx"]),
    options("peak of zero", "--peak", ["--peak", "0"]),
    options("peak that is no number", "--peak", ["--peak", "bright"]),
    options("peak that is not a number", "--peak", ["--peak", "nan"]),
    options("peak below white", "--sdr-white", ["--peak", "100", "--sdr-white", "200"]),
    options("threads of zero", "--threads", ["--threads", "0"]),
    options("backward frames", "--frames", ["--frames", "9-3"]),
    options("more frames than any stream has", "--frames", ["--frames", "0-9223372036854775807"]),
    options("frames and times", "--frames", ["--frames", "1-3", "--start", "1"]),
    options("negative start", "--start", ["--start=-1"]),
    options("unknown option", "--sharpen", ["--sharpen"]),
    options("scale of one extent", "--scale", ["--scale", "640"]),
    options("scale below the least", "--scale", ["--scale", "15x100"]),
    options("scale above the most", "--scale", ["--scale", "16386x100"]),
    options("scale to nothing stated", "--scale", ["--scale", "-1x-2"]),
    Case("scale that leaves too little", 1, "16 to 16384") {
      ["transcode", try pq($0), "-o", $0.path("out.mp4"), "--scale", "16x-2"]
    },
    options("unknown transfer", "--input-transfer", ["--input-transfer", "vlog"]),
  ]

  @Test(arguments: cases)
  func isRefused(_ test: Case) throws {
    let scratch = try Scratch()
    let arguments = try test.arguments(scratch)
    let before = Set(scratch.contents)
    let result = try Command.run(arguments)
    #expect(result.status == test.status, "\(result.messages)")
    #expect(result.messages.contains(test.says), "\(result.messages)")
    #expect(result.output.isEmpty)
    #expect(Set(scratch.contents) == before)
  }

  @Test(arguments: Clip.damaged)
  func damagedClips(_ name: String) throws {
    let scratch = try Scratch()
    let result = try Command.run(
      [
        "transcode", Clip.folder.appendingPathComponent(name).path, "-o", scratch.path("out.mp4"), "--preset",
        "ultrafast",
      ])
    #expect(result.status == 0 || result.status == 1)
    #expect(result.messages.contains("error:") || result.messages.contains("is damaged"), "\(result.messages)")
    #expect(scratch.contents == (result.status == 0 ? ["out.mp4"] : []))
  }

  @Test func dolbyVisionProfile5() throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("dv5_") }) else { return }
    let scratch = try Scratch()
    let result = try Command.run(["transcode", clip.path, "-o", scratch.path("out.mp4")])
    #expect(result.status == 1)
    #expect(result.messages.contains("profile 5") && result.messages.contains("IPT"))
    #expect(scratch.contents.isEmpty)
  }
}
