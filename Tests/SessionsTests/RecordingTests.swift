import ChunkedTranscode
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions

/// Recordings that begin, end and change where they like.
@Suite struct RecordingTests {
  private static func frames(_ path: String) throws -> [CodedFrame] {
    let reader = try MediaReader(url: path)
    var frames: [CodedFrame] = []
    while let frame = try reader.readFrame() { frames.append(frame) }
    return frames
  }

  /// The metadata of the first key frame is the film's, for HDR10 and for what is mapped.
  @Test func startsInsideAGroup() throws {
    guard let input = Case.path("starts_mid_gop_4000nit.ts") else { return }
    let scratch = try Scratch()
    var request = FilmTests.request(input, scratch.path("a.mkv"))
    request.selection.range = FrameRange(first: 0, last: 2)
    let sdr = try Session().plan(request)
    #expect(sdr.source.metadata.masteringDisplay?.maxNits == 4000)
    request.mapping.chosenKind = .hdr10
    let hdr = try Session().plan(request)
    #expect(hdr.target.metadata.masteringDisplay?.maxNits == 4000)
    #expect(hdr.target.metadata.contentLight == sdr.source.metadata.contentLight)
  }

  /// What follows a logo is brighter than the logo states.
  @Test(arguments: ["mkv", "ts"]) func lightRisesAfterALogo(_ suffix: String) throws {
    guard let clip = Case.path("maxcll_changes_after_logo.mkv") else { return }
    let scratch = try Scratch()
    let input = scratch.path("in." + suffix)
    try Tool.ffmpeg.run(["-i", clip, "-c", "copy", input])
    var request = FilmTests.request(input, scratch.path("a.mkv"), encoder: "libx265")
    (request.mapping.chosenKind, request.coding.preset) = (.hdr10, "ultrafast")
    let heard = try heard { try $0.run(request) }
    let first = try #require(try MediaReader(url: scratch.path("a.mkv")).readFrame()).metadata
    #expect(first.masteringDisplay?.maxNits == 4000 && first.contentLight == ContentLight(maxCLL: 3800, maxFALL: 700))
    let light = "a mastering display of 4000 cd/m², MaxCLL 3800, MaxFALL 700 cd/m²"
    #expect(heard.notes.contains { $0.code == "light-differs-between-parts" && $0.words.contains(light) })
    #expect(heard.warnings.isEmpty, "\(heard.warnings)")
    let film = FilmRequest(request, folder: scratch.path("work"))
    let pieces = try Session().plan(film).plan.transcode
    #expect(pieces.video.metadata.contentLight == first.contentLight)
    // Only the logo is selected.
    request.selection.duration = 0.4
    #expect(try Session().plan(request).video.metadata.masteringDisplay?.maxNits == 1000)
  }

  /// Light that was measured shows that the mastering display is not the film's.
  @Test func measuringMendsTheMasteringDisplay() throws {
    let scratch = try Scratch()
    let light = Scratch.light(peak: 300, maxCLL: 300)
    let input = try scratch.hevc("a.hevc", light)
    var request = FilmTests.request(input, scratch.path("a.mkv"))
    (request.mapping.chosenKind, request.metadata.contentLight) = (.hdr10, .measured)
    let heard = try heard { session in
      let metadata = try session.plan(request).video.metadata
      let maxCLL = try #require(metadata.contentLight?.maxCLL)
      #expect(maxCLL > 300 && metadata.masteringDisplay?.maxNits == Double(maxCLL))
    }
    let raised = heard.notes.filter { $0.code == "mastering-display-raised" }
    #expect(raised.count == 1 && raised.first?.words.contains("mastering display of 300 cd/m²") == true)
    request.metadata.masteringDisplay = .copied
    #expect(try Session().plan(request).video.metadata.masteringDisplay?.maxNits == 300)
  }

  /// H.264 in a transport stream: what is written there is found, as an output and as an input.
  @Test func metadataOfH264() throws {
    guard let input = Case.path("hdr10_base.mkv") else { return }
    let scratch = try Scratch()
    var request = FilmTests.request(input, scratch.path("a.ts"), encoder: "libx264")
    (request.mapping.chosenKind, request.metadata.masteringDisplay) = (.hdr10, .copied)
    (request.coding.preset, request.selection.duration) = ("ultrafast", 0.2)
    try Session().run(request)
    var next = FilmTests.request(scratch.path("a.ts"), scratch.path("b.mkv"))
    next.mapping.chosenKind = .hdr10
    let metadata = try Session().plan(next).video.metadata
    #expect(metadata.masteringDisplay?.maxNits == 1000 && metadata.contentLight?.maxCLL == 1000)
  }

  /// Clocks that jump ahead and back.
  @Test(arguments: [false, true]) func joinedRecordingsAreOne(_ isReversed: Bool) throws {
    guard let clip = Case.path("joined_two_recordings.ts") else { return }
    let scratch = try Scratch()
    let input = try isReversed ? Self.reversed(clip, scratch) : clip
    var request = FilmTests.request(input, scratch.path("a.mkv"))
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
    try FilmTests.compare(FilmTests.request(input, scratch.path("a.mkv")), scratch, counts: [3])
  }

  /// The second recording before the first: the clock runs backwards.
  private static func reversed(_ path: String, _ scratch: Scratch) throws -> String {
    let bytes = try scratch.bytes(path)
    // Transport packets of the first.
    let first = 1176 * 188
    return try scratch.file("reversed.ts", bytes[first...] + bytes[..<first])
  }

  @Test func piecesOfDamagedRecordingsMayDiffer() throws {
    let scratch = try Scratch()
    let path = try scratch.made(
      "a.ts", frames: 50, ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-pix_fmt", "yuv420p"])
    var bytes = try scratch.bytes(path)
    // Lost packets of the transport stream.
    bytes.removeSubrange(188 * 60..<188 * 66)
    let input = try scratch.file("damaged.ts", bytes)
    let request = FilmRequest(FilmTests.request(input, scratch.path("b.mkv")), folder: scratch.path("work"))
    let heard = try heard { _ = try $0.plan(request) }
    #expect(heard.warnings.contains { $0.says("pieces-differ-where-damaged", "'\(input)' has ") })
  }
}
