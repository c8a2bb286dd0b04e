import Foundation
import TestSupport
import Testing

/// What the program says about common mistakes.
@Suite struct WordsTests {
  private static let tags = [
    "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv",
  ]

  private func film(_ scratch: Scratch, _ name: String, _ filter: String, _ options: [String] = []) throws -> String {
    let path = scratch.path(name)
    let codec = options.isEmpty ? ["-c:v", "ffv1"] : options
    try Tool.ffmpeg.run(
      ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.2", "-vf", filter] + Self.tags + codec + ["-y", path])
    return path
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func otherFormatsOnStandardInput(_ suffix: String) throws {
    let scratch = try Scratch()
    let path = try film(scratch, "in.\(suffix)", "null", ["-c:v", "libx264"])
    let log = scratch.path("log")
    let status = try Command.shell(
      "'\(Command.url.path)' transcode - -o '\(scratch.path("a.mkv"))' <'\(path)' 2>'\(log)'")
    let words = try String(contentsOfFile: log, encoding: .utf8)
    #expect(status == 1)
    #expect(words.contains("Standard input is not Y4M, which is what '-' stands for: name the file."), "\(words)")
    #expect(words.contains("-f yuv4mpegpipe -strict -1 -") && words.contains("--input-format"), "\(words)")
  }

  @Test(arguments: ["libx264", "libx265", "libsvtav1"])
  func oddSizes(_ encoder: String) throws {
    let scratch = try Scratch()
    let path = try film(scratch, "in.mkv", "scale=99:67,format=yuv444p")
    let subsampled = ["-c:v", encoder, "--pixel-format", "yuv420p"]
    let result = try Command.run(["transcode", path, "-o", scratch.path("a.mkv")] + subsampled)
    #expect(result.status == 2, "\(result.messages)")
    #expect(
      result.messages.contains(
        "The encoder '\(encoder)' needs an even width and height for subsampled chroma, and the picture has 99x67. "
          + "--scale 98x66 makes it even; --crop 98:66:0:0"), "\(result.messages)")
    let scaled = try Command.run(["transcode", path, "-o", scratch.path("b.mkv"), "--scale", "98x66"] + subsampled)
    #expect(scaled.status == 0, "\(scaled.messages)")
  }

  @Test(arguments: [
    ("prores_ks", "a.mp4", "mp4 cannot hold prores, which 'prores_ks' makes: choose another encoder, or a container"),
    ("prores_ks", "a.webm", "webm cannot hold prores"), ("libvpx-vp9", "a.mov", "mov cannot hold vp9"),
    ("libsvtav1", "a.ts", "mpegts cannot hold av1"), ("libsvtav1", "a.mov", "mov cannot hold av1"),
    ("ffv1", "a.mp4", "a container that can: matroska, nut."), ("libx265", "a.webm", "webm cannot hold hevc"),
    ("libx264", "a.webm", "webm cannot hold h264"), ("ffv1", "a.mpg", "mpeg cannot hold ffv1"),
    ("libx265", "a.avi", "avi cannot hold hevc"),
  ])
  func encodersInOtherContainers(_ encoder: String, _ name: String, _ words: String) throws {
    let scratch = try Scratch()
    let path = try film(scratch, "in.mkv", "null")
    let result = try Command.run(["transcode", path, "-o", scratch.path(name), "-c:v", encoder])
    #expect(result.status == 2, "\(result.messages)")
    #expect(result.messages.contains(words), "\(result.messages)")
    #expect(!scratch.contents.contains(name))
  }

  @Test(arguments: [
    (
      "libx265", "scale=8:8",
      "The encoder 'libx265' needs at least 16x16, and the picture has 8x8. Enlarge it with --scale"
    ),
    ("libsvtav1", "scale=32:96", "needs at least 64x64, and the picture has 32x96."),
    ("libsvtav1", "fps=1000", "encodes at most 240 frames per second, not 1000"),
    ("mpeg4", "scale=8192:64", "dimensions too large for MPEG-4. Change the size with --scale"),
    ("h263", "scale=130:96", "Change the size with --scale"), ("dnxhd", "null", "--encoder-options profile=dnxhr_hq"),
  ])
  func sizesAndRates(_ encoder: String, _ filter: String, _ words: String) throws {
    let scratch = try Scratch()
    let path = try film(scratch, "in.mkv", filter)
    let result = try Command.program(["transcode", path, "-o", scratch.path("a.mkv"), "-c:v", encoder])
    #expect(result.status == 2, "\(result.messages)")
    #expect(result.messages.contains(words), "\(result.messages)")
    for raw in ["Invalid argument", "Generic error", "ff_frame_thread", "-strict"] {
      #expect(!result.messages.contains(raw), "\(result.messages)")
    }
  }

  @Test func motionJPEGHasItsRange() throws {
    let scratch = try Scratch()
    let path = try film(scratch, "in.mkv", "null")
    let result = try Command.run(["transcode", path, "-o", scratch.path("a.mkv"), "-c:v", "mjpeg"])
    #expect(result.status == 0, "\(result.messages)")
  }

  @Test func sizesOfFilesAreInMiB() throws {
    let scratch = try Scratch()
    let (path, output) = (try film(scratch, "in.mkv", "scale=960:540"), scratch.path("a.y4m"))
    let result = try Command.run(["transcode", path, "-o", output])
    let size = try #require(try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int)
    #expect(result.messages.contains(String(format: ", %.1f MiB", Double(size) / 1024 / 1024)), "\(result.messages)")
  }

  @Test func optionsOfFFmpeg() throws {
    for (option, words) in [
      ("-vf", "--scale"), ("-y", "--overwrite"), ("-n", "--skip-existing"), ("-i", "transcode INPUT -o OUTPUT"),
      ("-crf", "--crf"), ("-b:v", "--bitrate"), ("-preset", "--preset"), ("-ss", "--start"), ("-t", "--duration"),
      ("-to", "--duration"), ("-r", "ffmpeg -r"), ("-s", "--scale"), ("-an", "--map -0:a"), ("-sn", "--map -0:s"),
      ("-map_metadata", "tags"), ("-pix_fmt", "--pixel-format"), ("-c", "-c:v"), ("-filter_complex", "--filter"),
      ("-threads", "--threads"), ("-ac", "--downmix"), ("-hide_banner", "omit"),
    ] {
      let result = try Command.run(["transcode", "a.mkv", "-o", "b.mkv", option, "x"])
      #expect(result.status == 2, "\(option)")
      #expect(result.messages.contains("error: \(option) is an option of ffmpeg: "), "\(result.messages)")
      #expect(result.messages.contains(words), "\(result.messages)")
    }
  }

  @Test func oneOfSomething() throws {
    let scratch = try Scratch()
    let path = try film(scratch, "in.mkv", "null")
    let result = try Command.run(["transcode", path, "-o", scratch.path("a.mkv"), "--frames", "0-0"])
    #expect(result.messages.contains(" 1 frame in "), "\(result.messages)")
  }
}
