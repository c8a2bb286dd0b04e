import ChunkedTranscode
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Films that are deinterlaced and cropped.
@Suite struct DeinterlacedFilmTests {
  /// Forty pictures of two fields, in H.264 and PQ, with bars.
  private static func input(_ scratch: Scratch) throws -> String {
    let path = scratch.path("in.mkv")
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i", "testsrc2=s=96x80:r=50", "-frames:v", "40", "-vf",
        "format=yuv420p10le,pad=96:112:0:16:black,interlace=lowpass=off", "-c:v", "libx264", "-preset", "veryfast",
        "-flags", "+ildct+ilme", "-g", "8", "-qp", "12",
      ] + Scratch.pq + [path])
    return path
  }

  @Test(arguments: Deinterlacing.allCases)
  func piecesAreTheWhole(_ mode: Deinterlacing) throws {
    let scratch = try Scratch()
    var request = TranscodeRequest.replacing(try Self.input(scratch), scratch.path("out.mkv"))
    (request.geometry.deinterlacing, request.geometry.crop) = (mode, .automatic)
    request.geometry.scale = PictureScaling(width: .samples(64), height: .ratio(multiple: 2))
    try FilmTests.compare(request, scratch, counts: [1, 3, 7])
    request.selection.start = 0.35
    request.selection.duration = 0.9
    try FilmTests.compare(request, scratch, counts: [2])
  }

  @Test func outputIsProgressive() throws {
    let scratch = try Scratch()
    var request = TranscodeRequest.replacing(try Self.input(scratch), scratch.path("out.mkv"), encoder: "libx264")
    request.geometry.deinterlacing = .field
    let plan = try Session().plan(request)
    #expect(plan.video.fieldOrder == nil && plan.video.frameRate?.value == 50)
    #expect(plan.geometry.steps == "deinterlaced to a frame for each field")
    try Session().run(plan)
    let probe = try Probe(scratch.path("out.mkv"), ["-show_streams", "-show_frames"])
    #expect(probe.frames?.count == 80)
    #expect(probe.frames?.allSatisfy { $0.interlaced_frame == 0 } == true)
    #expect(probe.streams?.first?.field_order == "progressive")
  }

  @Test func timecodesCountFrames() throws {
    let scratch = try Scratch()
    let coded = scratch.path("a.mov")
    try Tool.ffmpeg.run(["-i", try Self.input(scratch), "-c", "copy", "-timecode", "01:00:00:12", coded])
    var request = TranscodeRequest.replacing(coded, scratch.path("out.mov"), encoder: "prores_ks")
    request.geometry.deinterlacing = .field
    request.selection.range = FrameRange(first: 3, last: nil)
    try Session().run(request)
    let probe = try Probe(scratch.path("out.mov"), ["-show_streams"])
    #expect(probe.streams?.compactMap { $0.tags?["timecode"] }.contains("01:00:00:27") == true)
  }

  @Test func framesOfFieldsAreNotCountedBefore() throws {
    let scratch = try Scratch()
    var request = TranscodeRequest.replacing(try Self.input(scratch), scratch.path("out.mkv"))
    request.geometry.deinterlacing = .field
    request.selection.every = 2
    let film = FilmRequest(request, folder: scratch.path("work"))
    expectRefusal("pieces-counting-fields", "'\(request.input.name)'", "deinterlace field") { try $0.plan(film) }
  }

  @Test func progressiveFilmsAreNoted() throws {
    let scratch = try Scratch()
    let input = try scratch.plain("a.mkv")
    var request = TranscodeRequest.replacing(input, scratch.path("out.mkv"))
    request.geometry.deinterlacing = .frame
    try expectNote("nothing-to-deinterlace", "'\(input)'") { try $0.plan(request) }
  }
}
