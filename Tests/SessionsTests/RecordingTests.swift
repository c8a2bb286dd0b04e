import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Recordings that begin, end and change where they like.
@Suite struct RecordingTests {
  /// The metadata of the first key frame is the film's, for HDR10 and for what is mapped.
  @Test func startsInsideAGroup() throws {
    guard let input = Case.path("starts_mid_gop_4000nit.ts") else { return }
    let scratch = try Scratch()
    var request = TranscodeRequest.replacing(input, scratch.path("a.mkv"))
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
    var request = TranscodeRequest.replacing(input, scratch.path("a.mkv"), encoder: "libx265")
    (request.mapping.chosenKind, request.coding.preset) = (.hdr10, "ultrafast")
    let heard = try heard { try $0.run(request) }
    let first = try #require(try MediaReader(url: scratch.path("a.mkv")).readFrame()).metadata
    #expect(first.masteringDisplay?.maxNits == 4000 && first.contentLight == ContentLight(maxCLL: 3800, maxFALL: 700))
    let light = "a mastering display of 4000 cd/m², MaxCLL 3800, MaxFALL 700 cd/m²"
    #expect(heard.notes.contains { $0.code == "light-differs-between-parts" && $0.words.contains(light) })
    #expect(heard.warnings.isEmpty, "\(heard.warnings)")
    // Only the logo is selected.
    request.selection.duration = 0.4
    #expect(try Session().plan(request).video.metadata.masteringDisplay?.maxNits == 1000)
  }

  /// Light that was measured shows that the mastering display is not the film's.
  @Test func measuringMendsTheMasteringDisplay() throws {
    let scratch = try Scratch()
    let light = Scratch.light(peak: 300, maxCLL: 300)
    let input = try scratch.hevc("a.hevc", light)
    var request = TranscodeRequest.replacing(input, scratch.path("a.mkv"))
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
    var request = TranscodeRequest.replacing(input, scratch.path("a.ts"), encoder: "libx264")
    (request.mapping.chosenKind, request.metadata.masteringDisplay) = (.hdr10, .copied)
    (request.coding.preset, request.selection.duration) = ("ultrafast", 0.2)
    try Session().run(request)
    var next = TranscodeRequest.replacing(scratch.path("a.ts"), scratch.path("b.mkv"))
    next.mapping.chosenKind = .hdr10
    let metadata = try Session().plan(next).video.metadata
    #expect(metadata.masteringDisplay?.maxNits == 1000 && metadata.contentLight?.maxCLL == 1000)
  }
}
