import ChunkedTranscode
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Recordings that are joined, damaged or change their light, in pieces.
@Suite struct RecordingPieceTests {
  private static func frames(_ path: String) throws -> [CodedFrame] {
    let reader = try MediaReader(url: path)
    var frames: [CodedFrame] = []
    while let frame = try reader.readFrame() { frames.append(frame) }
    return frames
  }

  /// Clocks that jump ahead and back.
  @Test(arguments: [false, true]) func joinedRecordingsAreOne(_ isReversed: Bool) throws {
    guard let clip = Case.path("joined_two_recordings.ts") else { return }
    let scratch = try Scratch()
    let input = try isReversed ? Self.reversed(clip, scratch) : clip
    var request = TranscodeRequest.replacing(input, scratch.path("a.mkv"))
    request.geometry.scale = PictureScaling(width: .samples(160), height: .ratio(multiple: 2))
    try expectWarning("clock-jumps", input, "jumps once") { try $0.run(request) }
    let frames = try Self.frames(scratch.path("a.mkv"))
    #expect(frames.count == 244 && (frames.last?.time.seconds ?? 99) < 10.5, "\(frames.count)")
    // Pictures of the second follow all of the first, which shows a later one than it decodes last.
    let times = frames.map(\.time.seconds)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.04 })
    try FilmTests.compare(request, scratch, counts: [3])
  }

  /// Sound reaches the joint before the pictures do, and is read by a single run, not by pieces.
  @Test func soundOfAJoinedRecordingFollows() throws {
    let scratch = try Scratch()
    let parts = try [100, 500].map { offset in
      let sound = ["-f", "lavfi", "-i", "sine=duration=4.3", "-c:a", "mp2"]
      return try scratch.bytes(
        scratch.made(
          "\(offset).ts", size: "64x64", frames: 100,
          sound + ["-c:v", "mpeg2video", "-g", "12", "-output_ts_offset", "\(offset)"]))
    }
    let input = try scratch.file("joined.ts", parts[0] + parts[1])
    try FilmTests.compare(TranscodeRequest.replacing(input, scratch.path("a.mkv")), scratch, counts: [3])
  }

  /// The second recording before the first: the clock runs backwards.
  private static func reversed(_ path: String, _ scratch: Scratch) throws -> String {
    let bytes = try scratch.bytes(path)
    // Transport packets of the first.
    let first = 1176 * 188
    return try scratch.file("reversed.ts", bytes[first...] + bytes[..<first])
  }

  /// What follows a logo is brighter than the logo states.
  @Test(arguments: ["mkv", "ts"]) func lightRisesAfterALogo(_ suffix: String) throws {
    guard let clip = Case.path("maxcll_changes_after_logo.mkv") else { return }
    let scratch = try Scratch()
    let input = scratch.path("in." + suffix)
    try Tool.ffmpeg.run(["-i", clip, "-c", "copy", input])
    var request = TranscodeRequest.replacing(input, scratch.path("a.mkv"), encoder: "libx265")
    (request.mapping.chosenKind, request.coding.preset) = (.hdr10, "ultrafast")
    let plan = try Session().plan(FilmRequest(request, folder: scratch.path("work"))).plan.transcode
    #expect(plan.video.metadata.contentLight == ContentLight(maxCLL: 3800, maxFALL: 700))
  }

  @Test func piecesOfDamagedRecordingsMayDiffer() throws {
    let scratch = try Scratch()
    let path = try scratch.made(
      "a.ts", frames: 50, ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-pix_fmt", "yuv420p"])
    var bytes = try scratch.bytes(path)
    // Lost packets of the transport stream.
    bytes.removeSubrange(188 * 60..<188 * 66)
    let input = try scratch.file("damaged.ts", bytes)
    let request = FilmRequest(TranscodeRequest.replacing(input, scratch.path("b.mkv")), folder: scratch.path("work"))
    let heard = try heard { _ = try $0.plan(request) }
    #expect(heard.warnings.contains { $0.says("pieces-differ-where-damaged", "'\(input)' has ") })
  }
}
