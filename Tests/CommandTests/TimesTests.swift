import Foundation
import TestSupport
import Testing

/// Inputs whose times are unusual: every frame and packet keeps its own, and nothing is refused that is whole.
@Suite struct TimesTests {
  private func transcode(_ arguments: [String]) throws -> Command.Result {
    try Command.run(["transcode"] + arguments + ["--preset", "ultrafast", "--input-transfer", "sdr"])
  }

  private func make(_ scratch: Scratch, _ name: String, _ arguments: [String]) throws -> String {
    try Tool.ffmpeg.run(arguments + ["-y", scratch.path(name)])
    return scratch.path(name)
  }

  /// Presentation times of the packets of a stream in milliseconds, in order.
  private func times(_ path: String, _ stream: String) throws -> [Int] {
    try (Probe(path, ["-show_packets", "-select_streams", stream]).packets ?? [])
      .compactMap { $0.pts_time.flatMap(Double.init) }.map { Int(($0 * 1000).rounded()) }.sorted()
  }

  private static let bars = ["-f", "lavfi", "-i"]

  /// Pictures of five seconds: the last one's end is that of the file.
  @Test(arguments: ["mp4", "mkv", "mov"])
  func slidesAreWhole(_ container: String) throws {
    let scratch = try Scratch()
    let source = try make(
      scratch, "in.\(container)", Self.bars + ["testsrc2=s=128x96:r=1/5:d=15", "-c:v", "libx264"])
    let result = try transcode([source, "-o", scratch.path("out.mkv"), "-q"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try times(scratch.path("out.mkv"), "v") == [0, 5000, 10_000])
  }

  /// A subtitle that outlasts the film says nothing about the film's end.
  @Test func subtitlesMayOutlastTheFilm() throws {
    let scratch = try Scratch()
    let text = scratch.path("s.srt")
    try Data("1\n00:00:01,000 --> 00:00:59,000\nlong\n".utf8).write(to: URL(fileURLWithPath: text))
    let source = try make(
      scratch, "in.mkv",
      Self.bars + ["testsrc2=s=128x96:r=25:d=4", "-i", text, "-c:v", "libx264", "-c:s", "srt"])
    let result = try transcode([source, "-o", scratch.path("out.mkv"), "-q"])
    #expect(result.status == 0, "\(result.messages)")
  }

  /// Minutes without a picture stay, before and after encoders that look ahead.
  @Test(arguments: ["libx264", "libx265"])
  func gapsStay(_ encoder: String) throws {
    let scratch = try Scratch()
    let source = try make(
      scratch, "in.nut",
      Self.bars + [
        "testsrc2=s=128x96:r=25:d=4", "-vf", "setpts='if(lt(N,50),N/25/TB,(N/25+400)/TB)'", "-fps_mode",
        "passthrough", "-c:v", "ffv1",
      ])
    let output = scratch.path("out.mkv")
    let result = try transcode([source, "-o", output, "-q", "-c:v", encoder])
    #expect(result.status == 0, "\(result.messages)")
    let (before, after) = (try times(source, "v"), try times(output, "v"))
    #expect(before.count == 100 && after.count == 100 && before[50] - before[49] > 400_000)
    #expect(zip(before, after).allSatisfy { abs($0 - $1) <= 1 })
  }

  /// Matroska has no decoding times: the copy of a second video stream gets such that its pictures stay in place.
  @Test func copiedVideoKeepsItsTimes() throws {
    let scratch = try Scratch()
    let source = try make(
      scratch, "in.mkv",
      Self.bars + ["testsrc2=s=128x96:r=25:d=3"] + Self.bars + [
        "testsrc2=s=64x48:r=25:d=3", "-map", "0", "-map", "1", "-c:v", "libx264", "-bf", "3",
      ])
    let output = scratch.path("out.mkv")
    let result = try transcode([source, "-o", output, "-q", "--map", "0:v:1", "--map", "0:v:0"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try times(output, "v:1") == times(source, "v:0"))
    // The first that is named is the one that is processed.
    #expect(try Probe(output, ["-show_streams"]).streams?.map(\.width) == [64, 128])
  }

  /// A recording with a clock discontinuity continues, with picture and audio in sync.
  @Test func joinedTransportStreams() throws {
    let scratch = try Scratch()
    let one = try make(
      scratch, "one.ts",
      Self.bars + ["testsrc2=s=128x96:r=25:d=12"] + Self.bars + ["sine=440:d=12", "-c:v", "libx264", "-c:a", "aac"])
    let data = try Data(contentsOf: URL(fileURLWithPath: one))
    let source = scratch.path("two.ts")
    try (data + data).write(to: URL(fileURLWithPath: source))
    let output = scratch.path("out.mkv")
    let result = try transcode([source, "-o", output, "-q"])
    #expect(result.status == 0, "\(result.messages)")
    let (video, sound) = (try times(output, "v"), try times(output, "a"))
    #expect(video.count == 600)
    #expect(zip(video, video.dropFirst()).allSatisfy { (38...42).contains($1 - $0) })
    // Where the parts meet, a packet may coincide with the next.
    #expect(zip(sound, sound.dropFirst()).allSatisfy { (0...60).contains($1 - $0) })
    #expect(try abs(#require(video.last) - #require(sound.last)) < 200)
  }

  /// Parts shorter than the gaps that broadcasts have, one behind the other and as a playlist.
  @Test func shortPartsAreJoined() throws {
    let scratch = try Scratch()
    let names = try ["one.ts", "two.ts"].map { name in
      try make(
        scratch, name,
        Self.bars + ["testsrc2=s=128x96:r=25:d=4"] + Self.bars + ["sine=440:d=4", "-c:v", "libx264", "-c:a", "aac"])
    }
    let parts = try names.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    try (parts[0] + parts[1]).write(to: URL(fileURLWithPath: scratch.path("joined.ts")))
    let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\none.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:4,\ntwo.ts\n"
    try Data((list + "#EXT-X-ENDLIST\n").utf8).write(to: URL(fileURLWithPath: scratch.path("list.m3u8")))
    for input in ["joined.ts", "list.m3u8"] {
      let output = scratch.path("out.mkv")
      let result = try transcode([scratch.path(input), "-o", output, "-q", "--overwrite"])
      #expect(result.status == 0, "\(input): \(result.messages)")
      let (video, sound) = (try times(output, "v"), try times(output, "a"))
      #expect(video.count == 200)
      #expect(zip(video, video.dropFirst()).allSatisfy { (38...42).contains($1 - $0) }, "\(input)")
      #expect(try abs(#require(video.last) - #require(sound.last)) < 200)
      let cut = try transcode([
        scratch.path(input), "-o", output, "-q", "--overwrite", "--start", "4.8", "--duration", "0.4", "--map", "0:v",
      ])
      #expect(cut.status == 0, "\(input): \(cut.messages)")
      #expect(try times(output, "v").count == 10)
    }
  }

  /// The first stream of a broadcast begins at zero, and the others as much later as they did.
  @Test(arguments: ["mkv", "mp4", "mov"])
  func transportStreamsBeginAtZero(_ container: String) throws {
    let scratch = try Scratch()
    let source = try make(
      scratch, "in.ts",
      Self.bars + ["testsrc2=s=128x96:r=25:d=2"] + ["-itsoffset", "0.5"] + Self.bars + [
        "sine=440:d=2", "-c:v", "libx264", "-c:a", "ac3", "-output_ts_offset", "660",
      ])
    let output = scratch.path("out.\(container)")
    let result = try transcode([source, "-o", output, "-q"])
    #expect(result.status == 0, "\(result.messages)")
    let before = (video: try times(source, "v"), sound: try times(source, "a"))
    let after = (video: try times(output, "v"), sound: try times(output, "a"))
    #expect(try #require(before.video.first) > 660_000)
    #expect(after.video.first == 0)
    #expect(zip(before.video, after.video).allSatisfy { abs($0 - before.video[0] - $1) <= 1 })
    #expect(before.sound.count == after.sound.count)
    #expect(zip(before.sound, after.sound).allSatisfy { abs($0 - before.video[0] - $1) <= 1 })
  }

  @Test func timesCanBeCopied() throws {
    let scratch = try Scratch()
    let source = try make(
      scratch, "in.ts", Self.bars + ["testsrc2=s=128x96:r=25:d=1", "-c:v", "libx264", "-output_ts_offset", "20"])
    for options in [[], ["--start", "0.4"]] {
      let result = try transcode(
        [source, "-o", scratch.path("out.mkv"), "-q", "--overwrite", "--copy-timestamps"] + options)
      #expect(result.status == 0, "\(result.messages)")
      let (before, after) = (try times(source, "v"), try times(scratch.path("out.mkv"), "v"))
      #expect(zip(before.suffix(after.count), after).allSatisfy { abs($0 - $1) <= 1 })
      #expect(after.count == (options.isEmpty ? 25 : 15))
    }
  }

  /// The streams of a playlist's segments, too.
  @Test func playlistsBeginAtZero() throws {
    let scratch = try Scratch()
    let source = try make(
      scratch, "in.m3u8",
      Self.bars + ["testsrc2=s=128x96:r=25:d=4"] + Self.bars + [
        "sine=440:d=4", "-c:v", "libx264", "-g", "25", "-c:a", "aac", "-hls_time", "1", "-hls_list_size", "0",
        "-output_ts_offset", "660",
      ])
    let output = scratch.path("out.mkv")
    let result = try transcode([source, "-o", output, "-q"])
    #expect(result.status == 0, "\(result.messages)")
    let first = [try times(output, "v").first, try times(output, "a").first].compactMap(\.self)
    #expect(first.count == 2 && first.min() == 0 && first.allSatisfy { $0 < 200 })
  }

  /// A selection by time or frames ends at one time in every stream, even with wide interleaving.
  @Test(arguments: [
    ["--duration", "2"], ["--start", "1", "--duration", "2"], ["--frames", "0-49"], ["--frames", "20-69"],
  ])
  func audioEndsWithThePictures(_ options: [String]) throws {
    let scratch = try Scratch()
    let sound = (0..<4).flatMap { Self.bars + ["sine=\(300 + 100 * $0):d=6"] }
    let source = try make(
      scratch, "in.ts",
      Self.bars + ["testsrc2=s=128x96:r=25:d=6"] + sound + (0..<5).flatMap { ["-map", "\($0)"] } + [
        "-c:v", "libx264", "-c:a", "aac", "-muxdelay", "2", "-muxpreload", "2",
      ])
    let output = scratch.path("out.mkv")
    let result = try transcode([source, "-o", output, "-q"] + options)
    #expect(result.status == 0, "\(result.messages)")
    let pictures = try times(output, "v")
    #expect(pictures.count == 50)
    let end = try #require(pictures.last) + 40
    for stream in 0..<4 {
      let last = try #require(try times(output, "a:\(stream)").last)
      // The last packet begins before the end, and the next one would not.
      #expect(last < end && last > end - 30, "a:\(stream) of \(options)")
    }
  }

  /// Chapters of a part that is chosen by frames count from its first frame.
  @Test func chaptersOfSelectedFrames() throws {
    let scratch = try Scratch()
    let chapters = scratch.path("chapters")
    try Data(
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=2000\nEND=4000\n"
        .utf8
    ).write(to: URL(fileURLWithPath: chapters))
    let source = try make(
      scratch, "in.mkv",
      Self.bars + ["testsrc2=s=128x96:r=25:d=4", "-i", chapters, "-map_chapters", "1", "-c:v", "libx264"])
    let output = scratch.path("out.mkv")
    let result = try transcode([source, "-o", output, "-q", "--frames", "25-74"])
    #expect(result.status == 0, "\(result.messages)")
    let found = try Probe(output, ["-show_chapters"]).chapters ?? []
    #expect(found.map { Double($0.start_time) } == [0, 1])
    #expect(found.map { Double($0.end_time) } == [1, 2])
  }

  /// A seek with several attempts is not a clock discontinuity.
  @Test func seekInATransportStream() throws {
    let scratch = try Scratch()
    let source = try make(
      scratch, "in.ts", Self.bars + ["testsrc2=s=128x96:r=25:d=80", "-c:v", "libx264", "-g", "1500"])
    func hashes(_ options: [String]) throws -> [Substring] {
      let result = try Command.program(
        ["transcode", source, "-f", "framemd5", "-o", "-", "-q", "--input-transfer", "sdr"] + options)
      return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: ",").last }
    }
    let all = try hashes([])
    #expect(all.count == 2000)
    for start in [20, 59, 75] { #expect(try hashes(["--start", "\(start)"]) == Array(all.dropFirst(25 * start))) }
  }

  /// What a transport stream has no code for is named before the work, and not found missing after it.
  @Test func transportStreamsHoldWhatTheyCan() throws {
    let scratch = try Scratch()
    let source = try scratch.clipOfManyStreams("all.mkv")
    let result = try transcode([source, "-o", scratch.path("out.ts")])
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.messages.contains("mpegts cannot hold #3 subtitle subrip (fra)"))
    #expect(result.messages.contains("mpegts cannot hold #2 audio pcm_s16le (ger): encoded with aac"))
    #expect(
      try (Probe(scratch.path("out.ts"), ["-show_streams"]).streams ?? []).map(\.codec_name) == ["h264", "aac", "aac"])
  }

  /// Nothing is written beside the output, and nothing that lies there is touched.
  @Test func segmentsLeaveOtherFilesAlone() throws {
    let scratch = try Scratch()
    let source = try scratch.clipOfManyStreams("all.mkv")
    let folder = scratch.path("here")
    try FileManager.default.createDirectory(atPath: folder + "/out", withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: URL(fileURLWithPath: folder + "/0.ts"))
    let process = Process()
    process.executableURL = Command.url
    process.arguments = ["transcode", source, "-f", "hls", "-o", folder + "/out/x.m3u8", "-q"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["0.ts", "out"])
    #expect(try String(contentsOfFile: folder + "/0.ts", encoding: .utf8) == "precious")
  }

  /// The end of a selection is reached although the input is endless; an error of the output does not wait for it.
  @Test(arguments: [("--frames 0-9", "'out.mkv'", 0), ("", "/dev/full -f matroska", 75)])
  func endlessInput(_ options: String, _ output: String, _ status: Int32) throws {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    // Twenty frames, more than the muxer holds back, and then nothing for a while: the run must not wait for it.
    let picture = "testsrc2=s=1280x720:d=1,noise=alls=90:allf=t,format=yuv420p"
    let source =
      "{ ffmpeg -v error -f lavfi -i \(picture) -frames:v 20 -f yuv4mpegpipe -; sleep 8; touch late; }"
    let program =
      "timeout 20 '\(Command.url.path)' transcode - \(options) -o \(output) --input-transfer sdr -c:v ffv1 2>/dev/null"
    process.arguments = [
      "-c",
      "cd '\(scratch.folder.path)'; mkfifo pipe; \(source) > pipe & \(program) < pipe; echo $? > status; "
        + "if [ -e late ]; then echo late >> status; fi",
    ]
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOfFile: scratch.path("status"), encoding: .utf8)
    #expect(said == "\(status)\n")
  }

  /// A mirror image cannot be said in Matroska, and a pipe cannot be mended: both are named and none is shown wrongly.
  @Test func whatCannotBeTurnedIsNamed() throws {
    let scratch = try Scratch()
    let flat = try scratch.clip("flat.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let turned = try make(scratch, "turned.mp4", ["-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=90"])
    let piped = scratch.path("piped.mkv")
    try Data().write(to: URL(fileURLWithPath: piped))
    let process = try Command.start(
      ["transcode", turned, "-o", "-", "-f", "matroska", "-q", "--input-transfer", "sdr"],
      output: FileHandle(forWritingTo: URL(fileURLWithPath: piped)), messages: FileHandle.nullDevice)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try Probe(piped, ["-show_streams"]).streams?.first?.side_data_list?.first("Spherical Mapping") == nil)
    // The matrix of a horizontal mirror in the track header.
    var data = try Data(contentsOf: URL(fileURLWithPath: turned))
    let header = try #require(data.range(of: Data("tkhd".utf8)))
    let one = Data([0, 1, 0, 0]), minus = Data([0xFF, 0xFF, 0, 0]), zero = Data(count: 4)
    for (index, value) in [(0, minus), (1, zero), (3, zero), (4, one)] {
      let place = header.upperBound + 40 + 4 * index
      data.replaceSubrange(place..<place + 4, with: value)
    }
    let mirrored = scratch.path("mirrored.mp4")
    try data.write(to: URL(fileURLWithPath: mirrored))
    let result = try transcode([mirrored, "-o", scratch.path("out.mkv")])
    #expect(result.status == 0)
    #expect(result.messages.contains("mirrored"))
    let list = try Probe(scratch.path("out.mkv"), ["-show_streams"]).streams?.first?.side_data_list
    #expect(list?.first("Display Matrix") == nil && list?.first("Spherical Mapping") == nil)
  }
}
