import FFmpegIO
import Foundation
import Media
import TestSupport
import Testing

/// Whatever ends a file early is noticed, whatever its streams are and whichever are read.
@Suite struct TruncationTests {
  private static let subtitles = (0..<4).map { "\($0 + 1)\n00:00:0\($0),100 --> 00:00:0\($0),900\nLine \($0)\n\n" }

  /// Reads all pictures of a file, and the packets of its other streams too if they are passed.
  private func read(_ path: String, passesOthers: Bool) throws {
    let reader = try MediaReader(url: path, threads: 1)
    if passesOthers { try reader.pass(reader.info.streams.map(\.index).filter { $0 != reader.video.index }) }
    while try reader.read() != nil {}
  }

  @Test(arguments: [
    ("a.mkv", ["-map", "2", "-c:s", "srt"]), ("a.webm", ["-map", "2", "-c:s", "webvtt", "-f", "matroska"]),
    ("a.mp4", ["-map", "2", "-c:s", "mov_text", "-movflags", "faststart"]), ("a.ts", []), ("a.m2ts", []),
    ("a.avi", []), ("a.nut", []), ("a.y4m", ["-c:v", "wrapped_avframe", "-an"]),
    ("a.mxf", ["-c:a", "pcm_s16le", "-ar", "48000"]),
  ])
  func everyCutIsNoticed(_ name: String, _ others: [String]) throws {
    let scratch = try Scratch()
    let text = scratch.path("s.srt")
    try Data(Self.subtitles.joined().utf8).write(to: URL(fileURLWithPath: text))
    let inputs = ["-f", "lavfi", "-i", "anoisesrc=amplitude=0.1:duration=4", "-i", text, "-map", "0", "-map", "1"]
    let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "ac3"]
    let whole = try scratch.clip(name, size: "64x64", frames: 100, inputs + coding + others)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    for passesOthers in [true, false] {
      try read(whole, passesOthers: passesOthers)
      // MXF ends with an index that no picture needs.
      for part in 1...(name == "a.mxf" ? 9 : 10) {
        let cut = scratch.path("cut." + name.split(separator: ".")[1])
        try bytes.prefix(bytes.count * part / 10 - 101).write(to: URL(fileURLWithPath: cut))
        #expect(throws: FFmpegError.self, "\(part) of 10") { try read(cut, passesOthers: passesOthers) }
      }
    }
  }

  /// Demuxers go on behind bytes that they do not understand, and say so in FFmpeg's log alone.
  @Test(arguments: [("a.mkv", ["-c:v", "mpeg4", "-cluster_time_limit", "400"]), ("a.ts", []), ("a.mxf", [])])
  func damageInTheMiddleIsCounted(_ name: String, _ coding: [String]) throws {
    let scratch = try Scratch()
    let path = try scratch.clip(name, size: "64x64", frames: 100, coding)
    let whole = try MediaReader(url: path, threads: 1)
    while try whole.read() != nil {}
    #expect(whole.statistics.decodeErrors == 0)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 2000, with: Data(count: 2000))
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = try MediaReader(url: path, threads: 1)
    while try damaged.read() != nil {}
    #expect(damaged.statistics.decodeErrors > 0)
  }

  @Test func missingSegmentsAreCounted() throws {
    let scratch = try Scratch()
    let path = try scratch.clip(
      "a.m3u8", size: "64x64", frames: 100, ["-c:v", "mpeg2video", "-g", "25", "-hls_time", "1"])
    try FileManager.default.removeItem(atPath: scratch.path("a1.ts"))
    let reader = try MediaReader(url: path, threads: 1)
    while try reader.read() != nil {}
    #expect(reader.statistics.decodeErrors > 0)
  }

  /// FFmpeg reports the end of the file with a packet, because a parser holds packets back.
  @Test func endThatAParserDelays() throws {
    guard let path = Case.path("truncated_ac3_srt.mkv") else { return }
    let error = #expect(throws: FFmpegError.self) { try read(path, passesOthers: true) }
    guard case .endsEarly = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// A writer that cannot seek states no size of an AVI file.
  @Test func streamedFilesAreWhole() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.avi")
    let source = ["-f", "lavfi", "-i", "testsrc2=size=64x64:duration=1", "-c:v", "mpeg4"]
    try Tool.ffmpeg.run(source + ["-f", "avi", "-"]).write(to: URL(fileURLWithPath: path))
    try read(path, passesOthers: true)
  }

  /// Readers show the first of two films in a file, or both at the same time.
  @Test(arguments: ["mkv", "mp4"]) func joinedFilesAreRefused(_ suffix: String) throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a." + suffix, size: "64x64", ["-c:v", "mpeg4"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let joined = scratch.path("joined." + suffix)
    try (bytes + bytes).write(to: URL(fileURLWithPath: joined))
    #expect(throws: FFmpegError.holdsSeveralFiles(path: joined)) { try MediaReader(url: joined) }
  }

  /// Nothing states how many bytes a stream has; its subtitles end with it.
  @Test func lengthThatAPipeStates() throws {
    guard let path = Case.path("truncated_ac3_srt.mkv") else { return }
    let scratch = try Scratch()
    let pipe = scratch.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    // A cut between two clusters.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let cluster = Data([0x1F, 0x43, 0xB6, 0x75])
    let end = try #require(bytes.range(of: cluster, options: .backwards)).lowerBound
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "head -c \(end) '\(path)' > '\(pipe)'"]
    try process.run()
    #expect(throws: FFmpegError.self) { try read(pipe, passesOthers: true) }
    process.waitUntilExit()
  }
}
