import Foundation
import TestSupport
import Testing

/// What happens to the streams beside the picture, in containers that hold all of them and in those that do not.
@Suite struct StreamsTests {
  private func transcode(_ arguments: [String]) throws -> Command.Result {
    try Command.run(["transcode"] + arguments + ["--preset", "ultrafast"])
  }

  private func streams(_ path: String) throws -> [Probe.Stream] {
    try Probe(path, ["-show_streams"]).streams ?? []
  }

  private func packets(_ path: String, _ index: Int) throws -> [Probe.Packet] {
    try Probe(path, ["-show_packets", "-select_streams", "\(index)"]).packets ?? []
  }

  private func hash(_ path: String, _ index: Int) throws -> Data {
    try Tool.ffmpeg.run(["-i", path, "-map", "0:\(index)", "-c", "copy", "-f", "md5", "-"])
  }

  @Test func matroskaKeepsEverything() throws {
    let scratch = try Scratch()
    let (source, output) = (try scratch.clipOfManyStreams("all.mkv"), scratch.path("out.mkv"))
    let result = try Command.program(["transcode", source, "-o", output, "--strict", "-q"])
    #expect(result.status == 0 && result.messages.isEmpty, "\(result.messages)")
    let (before, after) = (try streams(source), try streams(output))
    #expect(before.count == 5 && after.count == 5)
    for (old, new) in zip(before, after) {
      #expect(old.codec_type == new.codec_type)
      #expect(old.dispositions == new.dispositions)
      for tag in ["language", "title", "filename", "mimetype"] { #expect(old.tags?[tag] == new.tags?[tag]) }
      if old.codec_type == "audio" || old.codec_type == "subtitle" {
        #expect(try hash(source, old.index) == hash(output, new.index))
        #expect(try packets(source, old.index).map(\.pts_time) == packets(output, new.index).map(\.pts_time))
      }
    }
    let (old, new) = (
      try Probe(source, ["-show_chapters", "-show_format"]), try Probe(output, ["-show_chapters", "-show_format"])
    )
    #expect(old.chapters?.count == 2)
    #expect(old.chapters?.map(\.start_time) == new.chapters?.map(\.start_time))
    #expect(old.chapters?.map(\.end_time) == new.chapters?.map(\.end_time))
    #expect(new.format?.tags?["title"] == "A film")
    // No timestamp, tag or picture type of the source speaks of the new video.
    #expect(after[0].tags?["ENCODER"]?.contains("libx264") != true)
  }

  @Test func mp4NamesWhatItCannotHold() throws {
    let scratch = try Scratch()
    let (source, output) = (try scratch.clipOfManyStreams("all.mkv"), scratch.path("out.mp4"))
    let result = try transcode([source, "-o", output])
    #expect(result.status == 0, "\(result.messages)")
    let warnings = result.messages.split(separator: "\n").filter { $0.contains("cannot hold") }
    #expect(warnings.count == 2)
    #expect(warnings.contains { $0.contains("#4 attachment font.ttf: dropped") })
    #expect(warnings.contains { $0.contains("#2 audio pcm_s16le (ger): encoded with aac") })
    // The last is that of the chapters.
    #expect(try streams(output).map(\.codec_name) == ["h264", "aac", "aac", "mov_text", "bin_data"])
    let text = try Tool.ffmpeg.run(["-i", output, "-map", "0:s", "-f", "srt", "-"])
    #expect(String(decoding: text, as: UTF8.self).contains("Second <i>line</i>"))

    let strict = try transcode([source, "-o", scratch.path("strict.mp4"), "--strict"])
    #expect(strict.status == 1)
    #expect(strict.messages.contains("cannot hold"))
    #expect(!scratch.contents.contains("strict.mp4"))
  }

  /// `-c:a` is for all audio, as in ffmpeg.
  @Test func audioIsEncodedAsAsked() throws {
    let scratch = try Scratch()
    let (source, output) = (try scratch.clipOfManyStreams("all.mkv"), scratch.path("out.mp4"))
    let result = try transcode([source, "-o", output, "-c:a", "aac"])
    #expect(result.status == 0, "\(result.messages)")
    let made = try streams(output)
    #expect(made.map(\.codec_name) == ["h264", "aac", "aac", "mov_text", "bin_data"])
    #expect(made[2].tags?["language"] == "ger")
    #expect(try hash(source, 1) != hash(output, 1))
    // The tone is still one of 880 Hz, in time to a hundredth of a second.
    let samples = try Tool.ffmpeg.run([
      "-i", output, "-map", "0:2", "-f", "s16le", "-ar", "44100", "-ac", "1", "-",
    ]).words.map { Int16(bitPattern: $0) }
    #expect(abs(samples.count - 4 * 44_100) < 4_410)
    let middle = samples[44_100..<88_200]
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 880) <= 2)
  }

  @Test(arguments: [
    (["--map", "0:v", "--map", "0:a:m:language:ger"], ["h264", "pcm_s16le"]),
    (["-map", "0", "-map", "-0:s", "-map", "-0:t"], ["h264", "aac", "pcm_s16le"]),
    (["--map", "0:a:0", "--map", "0:v", "--map", "0:d?"], ["aac", "h264"]),
  ])
  func map(_ arguments: [String], _ expected: [String]) throws {
    let scratch = try Scratch()
    let (source, output) = (try scratch.clipOfManyStreams("all.mkv"), scratch.path("out.mkv"))
    let result = try transcode([source, "-o", output] + arguments)
    #expect(result.status == 0, "\(result.messages)")
    #expect(try streams(output).map(\.codec_name) == expected)
  }

  @Test(arguments: [["0:a"], ["0:x"], ["0:v", "0:s:4"], ["1:v"], ["a"]])
  func refusedMap(_ entries: [String]) throws {
    let scratch = try Scratch()
    let source = try scratch.clipOfManyStreams("all.mkv")
    let arguments = entries.flatMap { ["--map", $0] }
    let result = try transcode([source, "-o", scratch.path("out.mkv")] + arguments)
    #expect(result.status == 2, "\(result.messages)")
    #expect(!scratch.contents.contains("out.mkv"))
  }

  /// A part of the file: every stream counts from the first frame, nothing lies outside.
  @Test func cut() throws {
    let scratch = try Scratch()
    let (source, output) = (try scratch.clipOfManyStreams("all.mkv"), scratch.path("out.mkv"))
    let result = try transcode([source, "-o", output, "--start", "1", "--duration", "2"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try packets(output, 0).count == 50)
    let first = try #require(try times(source, 0).sorted().first { $0 >= 1 })
    for index in 1...2 {
      let (old, new) = (try times(source, index), try times(output, index))
      let inside = old.filter { $0 >= first && $0 < first + 2 }
      #expect(inside.count == new.count)
      for (a, b) in zip(inside, new) { #expect(abs(a - first - b) <= 0.0011) }
    }
    // The first line is on the screen already; the second ends with the part.
    let text = try Tool.ffmpeg.run(["-i", output, "-map", "0:s", "-f", "srt", "-"])
    let lines = String(decoding: text, as: UTF8.self)
    #expect(lines.contains("00:00:00,000 --> 00:00:00,") && lines.contains("First line"))
    #expect(lines.contains("--> 00:00:02,000"))
    let chapters = try Probe(output, ["-show_chapters"]).chapters ?? []
    #expect(chapters.map(\.end_time).last == "2.000000")
  }

  /// A cover stays a cover, to the byte, also of a part that does not begin at its time, and where FFmpeg's muxer would
  /// refuse it or make a film of it.
  @Test(arguments: ["mp4", "mkv"], ["mp4", "mkv"])
  func coverStays(_ from: String, _ to: String) throws {
    let scratch = try Scratch()
    let all = try scratch.clipOfManyStreams("all.mkv")
    let type = from == to ? "jpeg" : "png"
    let cover = scratch.path("cover.\(type)")
    try Tool.ffmpeg.run(["-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", "-y", cover])
    let source = scratch.path("in.\(from)")
    if from == "mp4" {
      try Tool.ffmpeg.run([
        "-i", all, "-i", cover, "-map", "0:v", "-map", "0:a:0", "-map", "1", "-c", "copy", "-disposition:v:1",
        "attached_pic", "-y", source,
      ])
    } else {
      try Tool.ffmpeg.run([
        "-i", all, "-map", "0:v", "-c", "copy", "-attach", cover, "-metadata:s:1", "mimetype=image/\(type)", "-y",
        source,
      ])
    }
    for (index, options) in [[], ["--start", "1"]].enumerated() {
      let output = scratch.path("out\(index).\(to)")
      let result = try transcode([source, "-o", output] + options)
      #expect(result.status == 0, "\(result.messages)")
      let covers = try streams(output).filter { $0.dispositions.contains("attached_pic") }
      #expect(covers.count == 1)
      if to == "mkv" { #expect(covers[0].tags?["mimetype"] == "image/\(type)") }
      let data = try Tool.ffmpeg.run(["-i", output, "-map", "0:\(covers[0].index)", "-c", "copy", "-f", "data", "-"])
      #expect(try data == Data(contentsOf: URL(fileURLWithPath: cover)))
      // Chapters come back as one stream of data, not two.
      #expect(try streams(output).count { $0.codec_type == "data" } <= 1)
    }
  }

  @Test(arguments: ["mp4", "mkv"])
  func stereoscopicPackingStays(_ container: String) throws {
    let scratch = try Scratch()
    let source = try scratch.clip("in.mkv", ["-c:v", "libx264", "-metadata:s:v:0", "stereo_mode=left_right"])
    let output = scratch.path("out.\(container)")
    let result = try transcode([source, "-o", output])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try streams(output).first?.side_data_list?.first("Stereo 3D") != nil)
  }

  /// The turn that a player makes stays one that it makes, also where FFmpeg's muxer has no word for it.
  @Test(arguments: ["mp4", "mov", "mkv"], [-90, 90, 180])
  func rotationStays(_ container: String, _ degrees: Int) throws {
    let scratch = try Scratch()
    let flat = try scratch.clip("flat.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let source = scratch.path("in.mp4")
    try Tool.ffmpeg.run(["-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=\(-degrees)", "-y", source])
    let output = scratch.path("out.\(container)")
    let result = try transcode([source, "-o", output])
    #expect(result.status == 0, "\(result.messages)")
    let rotation = { (path: String) in try streams(path).first?.side_data_list?.first("Display Matrix")?.rotation }
    #expect(try rotation(output) == rotation(source))
    let turned = try #require(try rotation(source))
    #expect(abs(turned) == abs(degrees))
  }

  private func times(_ path: String, _ index: Int) throws -> [Double] {
    try packets(path, index).compactMap { $0.pts_time.flatMap(Double.init) }
  }
}
