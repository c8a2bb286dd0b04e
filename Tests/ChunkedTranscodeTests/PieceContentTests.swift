import ChunkedTranscode
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Captions, HDR10+ and burned subtitles of films in pieces.
@Suite struct PieceContentTests {
  @Test(arguments: [("libx264", "a.mp4"), ("libx265", "a.mkv")])
  func everyPictureKeepsItsCaptions(_ encoder: String, _ name: String) throws {
    guard let input = Case.path("captions_a53_hevc_hlg.ts") else { return }
    let scratch = try Scratch()
    var request = TranscodeRequest.replacing(input, scratch.path(name), encoder: encoder)
    request.coding.preset = "ultrafast"
    try FilmTests.assemble(request, .count(3), in: scratch.path("work"))
    #expect(try captions(scratch.path(name)) == captions(input))
  }

  @Test(arguments: [1, 4]) func everyFrameKeepsItsHDR10Plus(_ count: Int) throws {
    let scratch = try Scratch()
    var request = TranscodeRequest(input: try HDR10PlusFilm.make(in: scratch), output: scratch.path("out.mp4"))
    (request.coding.encoder, request.coding.preset) = ("libx265", "superfast")
    (request.mapping.chosenKind, request.copiesHDR10Plus) = (.hdr10, true)
    try FilmTests.assemble(request, .count(count), in: scratch.path("work"))
    #expect(try HDR10PlusFilm.messages(of: scratch.path("out.mp4")) == HDR10PlusFilm.messages)
  }

  @Test func burnedSubtitlesAreThoseOfASingleRun() throws {
    let scratch = try Scratch()
    var request = TranscodeRequest(input: try scratch.subtitledFilm(), output: scratch.path("out.mkv"))
    (request.burnedSubtitles, request.mapping.chosenKind, request.coding.encoder) = ("s:0", .hdr10, "ffv1")
    try FilmTests.compare(request, scratch, counts: [4])
    // And the subtitles are in the whole.
    var plain = request
    (plain.burnedSubtitles, plain.output) = (nil, scratch.path("plain.mkv"))
    try Session().run(plain)
    func frames(_ name: String) throws -> [Substring] {
      let text = try Tool.ffmpeg.run(["-i", scratch.path(name), "-map", "0:v:0", "-f", "framemd5", "-"])
      return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
    let differing = zip(try frames("plain.mkv"), try frames("single.mkv")).enumerated().filter { $1.0 != $1.1 }
    #expect(differing.map(\.offset) == Array(2..<8))
  }
}
