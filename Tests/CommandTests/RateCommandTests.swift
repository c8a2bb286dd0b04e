import Foundation
import TestSupport
import Testing

/// Bit rates, passes, and options of encoders and containers, as they are written on the command line.
@Suite struct RateCommandTests {
  private func clip(_ scratch: Scratch, size: String = "128x96", frames: Int = 12) throws -> String {
    try scratch.clip(
      "in.mkv", size: size, frames: frames,
      ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-color_trc", "smpte2084"])
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  /// What is in the stream for an option, by x264's and x265's own message.
  @Test(arguments: [
    (["-c:v", "x264", "--bitrate", "0.4M", "--max-bitrate", "500k", "--buffer-size", "1M"], "rc=abr"),
    (["-c:v", "x264", "--bitrate", "400k"], "bitrate=400"),
    (["-c:v", "x265", "--bitrate", "400000"], "bitrate=400"),
    (["-c:v", "h265", "--crf", "30", "--max-bitrate", "500k"], "vbv-maxrate=500 vbv-bufsize=500"),
    (["-c:v", "hevc", "-x265-params", "aq-mode=1:no-sao:rd=2"], "no-sao"),
    (["-c:v", "hevc", "-x265-params", "aq-mode=1:no-sao:rd=2"], "aq-mode=1"),
    (["-x264-params", "me=dia:trellis=0"], "trellis=0"),
    (["-x264-params", "keyint=7", "--encoder-options", "keyint=9:bframes=2"], "keyint=7"),
    (["-x264-params", "keyint=7", "--encoder-options", "keyint=9:bframes=2"], "bframes=2"),
    (["-c:v", "x264", "--bitrate", "400k", "--two-pass"], "rc=2pass"),
    (["-c:v", "x265", "--bitrate", "400k", "--two-pass"], "stats-read=2"),
  ])
  func optionsReachTheEncoder(_ options: [String], _ setting: String) throws {
    let scratch = try Scratch()
    let output = scratch.path("out.mkv")
    let result = try Command.run(["transcode", clip(scratch), "-o", output, "--preset", "ultrafast"] + options)
    #expect(result.status == 0, "\(result.messages)")
    #expect(try text(output).contains(setting))
    #expect(Set(scratch.contents) == ["in.mkv", "out.mkv"])
  }

  @Test func optionsOfSVTAV1() throws {
    let scratch = try Scratch()
    let output = scratch.path("out.mkv")
    let arguments = ["transcode", try clip(scratch), "-o", output, "-c:v", "av1", "--preset", "12", "--overwrite"]
    func keyFrames(_ options: [String]) throws -> Int {
      let result = try Command.run(arguments + options)
      #expect(result.status == 0, "\(result.messages)")
      let packets = try Tool.ffprobe.run([
        "-select_streams", "v", "-show_entries", "packet=flags", "-of", "csv", output,
      ])
      return String(decoding: packets, as: UTF8.self).split(separator: "\n").count { $0.contains("K") }
    }
    let usual = try keyFrames([])
    #expect(try keyFrames(["-svtav1-params", "tune=0:keyint=4"]) > usual)
  }

  @Test(arguments: [
    (["-c:v", "x265", "-x264-params", "me=dia"], "-x264-params is not for libx265"),
    (["-c:v", "x265", "-x265-params", "nonsense=1"], "'nonsense'"),
    (["-x264-params", "=1"], "-x264-params"), (["--encoder-options", "="], "--encoder-options"),
    (["-c:v", "av1", "--crf", "64"], "1 to 63"), (["-c:v", "ffv1", "--bitrate", "1M"], "lossless"),
    (["-c:v", "x265", "--crf", "20", "--bitrate", "1M"], "--bitrate cannot be combined with --crf"),
    (["--bitrate", "1X"], "--bitrate"), (["--bitrate", "1M", "--max-bitrate", "500k"], "500k"),
    (["--two-pass"], "add --bitrate"), (["--muxer-options", "nonsense=1"], "'matroska' has no option 'nonsense'"),
    (["-c:v", "av1", "--bitrate", "1M", "--two-pass"], "libx265"),
  ])
  func whatIsRefused(_ options: [String], _ words: String) throws {
    let scratch = try Scratch()
    let result = try Command.run(["transcode", clip(scratch), "-o", scratch.path("out.mkv")] + options)
    #expect(result.status == 2 && result.messages.contains(words), "\(result.messages)")
    #expect(scratch.contents == ["in.mkv"])
  }

  @Test func theEncodingIsAnnounced() throws {
    let scratch = try Scratch()
    let (input, output, report) = (try clip(scratch), scratch.path("out.mkv"), scratch.path("report.json"))
    let encoding = "libx265, preset ultrafast, 800 kbit/s, at most 1 Mbit/s, buffer 1 Mbit"
    let options = ["-c:v", "hevc", "--preset", "ultrafast", "--bitrate", "800k", "--max-bitrate", "1M"]
    let arguments = ["transcode", input, "-o", output] + options
    let result = try Command.run(arguments + ["--report", report])
    let place = try #require(result.messages.range(of: encoding))
    #expect(try #require(result.messages.range(of: "12 frames")).lowerBound > place.lowerBound)
    let object =
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report))) as? [String: Any]
    #expect((object?["output"] as? [String: Any])?["encoding"] as? String == encoding)
    #expect((object?["settings"] as? [String: Any])?["bitrate"] as? Int == 800_000)
    #expect((object?["options"] as? [String: Any])?["--bitrate"] as? String == "800000")
    let plan = try Command.run(arguments + ["--overwrite", "--dry-run"])
    #expect(plan.output.contains(encoding), "\(plan.output)")
    let json = try Command.run(arguments + ["--overwrite", "--dry-run", "--json"])
    try json.output.write(toFile: scratch.path("plan.json"), atomically: true, encoding: .utf8)
    #expect(try Command.run(["run", scratch.path("plan.json")]).status == 0)
    #expect(try text(output).contains("vbv-maxrate=1000"))
  }

  /// A signal in the first pass: the statistics go, and no output is begun. What the kernel kills leaves them to the next run.
  @Test(arguments: [SIGINT, SIGTERM, SIGKILL]) func nothingIsLeftOfAFirstPass(_ signal: Int32) throws {
    let scratch = try Scratch()
    // Longer than the other run waits on a busy machine.
    let input = try clip(scratch, size: "640x360", frames: 900)
    let slow = ["transcode", input, "-o", scratch.path("out.mkv"), "--bitrate", "1M", "--preset", "slower"]
    let arguments = Array(slow.dropLast()) + ["ultrafast"]
    let process = try Command.start(
      slow + ["--two-pass"], output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
    func files() -> [String] { scratch.contents.filter { $0.contains(".part.statistics") } }
    #expect(comesTrue { !files().isEmpty || !process.isRunning } && process.isRunning)
    // It is not begun twice.
    let other = try Command.run(arguments)
    #expect(other.status == 1 && other.messages.contains("being written by another run"), "\(other.messages)")
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    if signal == SIGKILL {
      #expect(!files().isEmpty)
      #expect(try Command.run(arguments + ["--frames", "0-2"]).status == 0)
      #expect(Set(scratch.contents) == ["in.mkv", "out.mkv"])
    } else {
      #expect(process.terminationStatus == 128 + signal)
      #expect(scratch.contents == ["in.mkv"])
    }
  }

  @Test func patternsKeepToRates() throws {
    let scratch = try Scratch()
    let output = scratch.path("out.mp4")
    let result = try Command.run([
      "pattern", "ramp", "-o", output, "--size", "320x180", "--duration", "1", "-c:v", "x265", "--preset", "ultrafast",
      "--bitrate", "300k", "--muxer-options", "movflags=+frag_keyframe",
    ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try text(output).contains("bitrate=300") && text(output).contains("mvex"))
  }
}
