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
}
