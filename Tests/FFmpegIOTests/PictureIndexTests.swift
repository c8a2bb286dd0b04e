import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// The index lists the frames that decoding gives, without decoding them.
@Suite struct PictureIndexTests {
  private func times(_ path: String) throws -> [Int64] {
    let reader = try MediaReader(url: path, limits: ReadLimits(acceptsTruncation: true))
    var times: [Int64] = []
    while let frame = try reader.readFrame() { times.append(frame.time.presentation) }
    return times
  }

  private func index(_ path: String) throws -> PictureIndex { try #require(try PictureIndex.read(url: path)) }

  private static let codings: [(String, [String])] = [
    (
      "open.ts",
      ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "open-gop=1:keyint=20:bframes=4:log-level=none"]
    ),
    (
      "open.mp4",
      ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "open-gop=1:keyint=20:bframes=4:log-level=none"]
    ),
    ("h264.mkv", ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=20:bframes=3:b-pyramid=normal"]),
    ("mpeg2.ts", ["-c:v", "mpeg2video", "-bf", "2", "-g", "12"]),
    // With threads, libvpx has been seen to hang.
    ("vp8.webm", ["-c:v", "libvpx", "-threads", "1", "-auto-alt-ref", "1", "-lag-in-frames", "10", "-g", "20"]),
    (
      "vp9.webm",
      [
        "-c:v", "libvpx-vp9", "-threads", "1", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-cpu-used", "8", "-g",
        "20",
      ]
    ),
    ("av1.mkv", ["-c:v", "libsvtav1", "-preset", "12", "-g", "20"]), ("ffv1.avi", ["-c:v", "ffv1"]),
    ("prores.mov", ["-c:v", "prores_ks"]),
    ("fields.ts", ["-c:v", "libx264", "-g", "20", "-x264-params", "tff=1"]),
  ]

  @Test(arguments: codings)
  func listsTheFramesOfCodecs(_ name: String, _ arguments: [String]) throws {
    let scratch = try Scratch()
    let path = try scratch.clip(name, frames: 70, arguments)
    let index = try index(path)
    #expect(try index.pictures.map(\.presentation) == times(path))
    #expect(index.pictures.count == 70 && !index.hasFieldPackets)
    let accesses = index.pictures.filter { $0.access != nil }
    let isIntra = name == "prores.mov"
    #expect(isIntra ? accesses.count == 70 : accesses.count > 2 && accesses.count < 10)
    if name.hasPrefix("open") { #expect(accesses.contains { $0.access == .group }) }
  }

  /// A recording that begins in the middle: decoders skip what refers to pictures before it.
  @Test(arguments: codings.filter { $0.0.hasSuffix(".ts") })
  func listsOnlyWhatCanBeDecoded(_ name: String, _ arguments: [String]) throws {
    let scratch = try Scratch()
    let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.clip(name, frames: 70, arguments)))
    let path = scratch.path("cut.ts")
    try whole.dropFirst(whole.count / 3 / 188 * 188).write(to: URL(fileURLWithPath: path))
    let frames = try times(path)
    #expect(frames.count > 20 && frames.count < 60)
    #expect(try index(path).pictures.map(\.presentation) == frames)
  }

  /// Packets with references that are never shown.
  @Test func leavesOutHiddenReferences() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.webm")
    for pass in 1...2 {
      try Tool.ffmpeg.run([
        "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25", "-frames:v", "70", "-c:v", "libvpx", "-auto-alt-ref", "1",
        "-lag-in-frames", "16", "-arnr-maxframes", "7", "-b:v", "300k", "-pass", "\(pass)", "-passlogfile",
        scratch.path("log"), "-y", path,
      ])
    }
    #expect(try (Probe(path, ["-show_packets"]).packets?.count ?? 0) > 70)
    #expect(try index(path).pictures.map(\.presentation) == times(path))
  }

  /// A field in each packet: one entry for a frame.
  @Test(arguments: ["ts", "mp4", "mkv"])
  func pairsFields(_ container: String) throws {
    let scratch = try Scratch()
    try FieldFilm.stream(frames: 40, group: 10).write(to: URL(fileURLWithPath: scratch.path("a.h264")))
    let path = scratch.path("a.\(container)")
    try Tool.ffmpeg.run(["-fflags", "+genpts", "-r", "50", "-i", scratch.path("a.h264"), "-c", "copy", "-y", path])
    let frames = try times(path)
    #expect(frames.count == 40)
    let index = try index(path)
    #expect(index.pictures.map(\.presentation) == frames && index.hasFieldPackets)
    #expect(index.pictures.count { $0.access != nil } == 4)
  }

  /// Joined recordings, whose second clock begins again.
  @Test func correctsClocks() throws {
    let scratch = try Scratch()
    let part = try Data(contentsOf: URL(fileURLWithPath: scratch.clip("a.ts", frames: 70, ["-c:v", "libx264"])))
    let path = scratch.path("joined.ts")
    try (part + part).write(to: URL(fileURLWithPath: path))
    let frames = try times(path)
    #expect(frames.count == 140)
    #expect(try index(path).pictures.map(\.presentation) == frames)
  }

  /// What an edit list hides is not shown.
  @Test func leavesOutWhatIsHidden() throws {
    let scratch = try Scratch()
    let source = try scratch.clip("a.mp4", frames: 60, ["-c:v", "libx264", "-g", "20", "-bf", "2"])
    let path = scratch.path("cut.mp4")
    try Tool.ffmpeg.run(["-ss", "1.2", "-i", source, "-c", "copy", "-y", path])
    let frames = try times(path)
    #expect(frames.count < 60)
    #expect(try index(path).pictures.map(\.presentation) == frames)
  }

  @Test func countsPicturesWithoutTime() throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.avi", frames: 30, ["-c:v", "libx264", "-bf", "2"])
    #expect(try index(path).untimed > 0)
  }

  @Test func canBeEnded() throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.mkv", frames: 600, ["-c:v", "libx264", "-preset", "ultrafast"])
    var calls: [PictureIndex.Progress] = []
    let none = try PictureIndex.read(url: path) { progress in
      calls.append(progress)
      return calls.count < 2
    }
    #expect(none == nil && calls.count == 2)
    #expect(calls.allSatisfy { $0.pictures > 0 && $0.seconds > 0 })
  }

  /// A seek to a time of the index gives the frame with this time.
  @Test(arguments: ["a.mkv", "a.mp4", "a.ts"])
  func seeksToTheTick(_ name: String) throws {
    let scratch = try Scratch()
    let path = scratch.path(name)
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=24000/1001", "-frames:v", "90", "-c:v", "libx264", "-g", "20",
      "-video_track_timescale", "24000", "-y", path,
    ])
    let pictures = try index(path).pictures
    let reader = try MediaReader(url: path)
    for number in [70, 0, 33, 34, 89] {
      try reader.seek(to: pictures[number].presentation)
      #expect(try reader.readFrame()?.time.presentation == pictures[number].presentation)
      if number + 1 < pictures.count {
        try reader.seek(to: pictures[number].presentation + 1)
        #expect(try reader.readFrame()?.time.presentation == pictures[number + 1].presentation)
      }
    }
    for far in [Int64.min, .max] {
      try reader.seek(to: far)
      #expect(try (reader.readFrame() == nil) == (far > 0))
    }
  }
}
