import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Recordings begin wherever they were started.
@Suite struct StreamStartTests {
  private static let codings: [(String, [String])] = [
    ("libx265", ["-preset", "ultrafast", "-x265-params", "keyint=10:bframes=2:scenecut=0:log-level=none"]),
    ("libx264", ["-preset", "ultrafast", "-x264-params", "keyint=10:bframes=2:scenecut=0"]),
    ("mpeg2video", ["-g", "10", "-bf", "2"]),
  ]

  /// Nothing is made of pictures whose references are missing.
  @Test(arguments: codings) func beginsAtTheFirstKeyFrame(_ encoder: String, _ options: [String]) throws {
    let scratch = try Scratch()
    let whole = try scratch.clip("a.mkv", frames: 25, ["-pix_fmt", "yuv420p", "-c:v", encoder] + options)
    let path = scratch.path("cut.mkv")
    try Tool.ffmpeg.run(["-i", whole, "-c", "copy", "-bsf:v", "noise=drop=lt(n\\,4)", "-copyts", path])
    func frames(_ path: String) throws -> [(time: Double, row: [Int])] {
      let reader = try MediaReader(url: path)
      var frames: [(time: Double, row: [Int])] = []
      while let frame = try reader.readFrame() {
        frames.append((frame.time.seconds, (0..<128).map { frame.sample(plane: 0, x: $0, y: 40) }))
      }
      return frames
    }
    let (expected, found) = try (frames(whole), frames(path))
    #expect(!found.isEmpty && found.count < expected.count)
    for (time, row) in found { #expect(expected.contains { abs($0.time - time) < 0.001 && $0.row == row }, "\(time)") }
  }

  @Test func metadataIsThatOfTheFirstKeyFrame() throws {
    guard let path = Case.path("starts_mid_gop_4000nit.ts") else { return }
    let reader = try MediaReader(url: path)
    let first = try #require(try reader.readFrame())
    #expect(abs(first.time.seconds - 3.485) < 0.001 && first.metadata.masteringDisplay?.maxNits == 4000)
    #expect(reader.notes.contains { $0.contains("left out") })
    #expect(try PictureIndex.read(url: path)?.pictures.first?.presentation == first.time.presentation)
  }

  /// Gradual refresh has no access points: decoding begins somewhere.
  @Test func streamsWithoutKeyFrames() throws {
    let scratch = try Scratch()
    let whole = try scratch.clip(
      "a.mkv", size: "64x64", frames: 620,
      [
        "-pix_fmt", "yuv420p", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "intra-refresh=1:keyint=25:bframes=0:log-level=none",
      ])
    let path = scratch.path("cut.mkv")
    try Tool.ffmpeg.run(["-i", whole, "-c", "copy", "-bsf:v", "noise=drop=lt(n\\,4)", path])
    let reader = try MediaReader(url: path)
    var count = 0
    while try reader.readFrame() != nil { count += 1 }
    #expect((1...20).contains(count))
  }
}
