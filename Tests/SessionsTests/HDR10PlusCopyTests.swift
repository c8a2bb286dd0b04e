import ColorScience
import Foundation
import Frames
import Media
import TestSupport
import Testing
import ToneMapping

import Sessions
import SessionsTestSupport

/// HDR10+ is copied to outputs that it describes, and to no others.
@Suite struct HDR10PlusCopyTests {
  private func request(_ input: String, _ output: String) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: output)
    (request.coding.encoder, request.coding.preset) = ("libx265", "superfast")
    (request.mapping.chosenKind, request.copiesHDR10Plus) = (.hdr10, true)
    return request
  }

  @Test func everyFrameKeepsItsOwn() throws {
    let scratch = try Scratch()
    let input = try HDR10PlusFilm.make(in: scratch)
    let expected = HDR10PlusFilm.messages
    var request = request(input, scratch.path("out.mp4"))
    let heard = try heard { session in
      let plan = try session.plan(request)
      #expect(plan.leavesLightUnchanged && plan.video.copiesHDR10Plus)
      #expect(plan.lines.contains { $0.hasSuffix("copied") && $0.contains("HDR10+") })
      try session.run(plan)
    }
    #expect(heard.notes.contains { $0.code == "hdr10plus-copied" })
    #expect(!heard.notes.contains { $0.code == "dynamic-metadata-unused" })
    #expect(try HDR10PlusFilm.messages(of: scratch.path("out.mp4")) == expected)
    request.output = scratch.path("some.mkv")
    (request.selection.range, request.selection.every) = (FrameRange(first: 4, last: 40), 3)
    try Session().run(request)
    #expect(
      try HDR10PlusFilm.messages(of: scratch.path("some.mkv"))
        == stride(from: 4, through: 40, by: 3).map { expected[$0] })
    request.selection = FrameSelection()
    request.selection.start = 3.0 / 25
    request.overwrites = true
    try expectNote("hdr10plus-not-in-first-frame") { try $0.plan(request) }
  }

  @Test func theDefaultSaysWhatIsPossible() throws {
    let scratch = try Scratch()
    var request = request(try HDR10PlusFilm.make(in: scratch), scratch.path("out.mkv"))
    request.copiesHDR10Plus = false
    try expectNote("hdr10plus-can-be-copied") { try $0.plan(request) }
    request.mapping.peak = 600
    let heard = try heard { _ = try $0.plan(request) }
    #expect(!heard.notes.contains { $0.code == "hdr10plus-can-be-copied" })
  }

  /// What changes the light, or moves it.
  @Test func changedLightIsRefused() throws {
    let scratch = try Scratch()
    let input = try HDR10PlusFilm.make(in: scratch)
    let subtitles = scratch.path("text.srt")
    try Data("1\n00:00:00,000 --> 00:00:01,000\nText\n".utf8).write(to: URL(fileURLWithPath: subtitles))
    let changes: [(String, (inout TranscodeRequest) -> Void)] = [
      ("the output is SDR", { $0.mapping.chosenKind = .sdr }), ("the output is HLG", { $0.mapping.chosenKind = .hlg }),
      ("peak changes the picture", { $0.mapping.peak = 600 }),
      ("headroom changes the picture", { $0.mapping.headroom = 3 }),
      ("toneMap changes the picture", { $0.mapping.curve = .named(.system) }),
      ("sdrWhite changes the picture", { $0.mapping.sdrWhite = 100 }),
      ("exposure changes the picture", { $0.mapping.exposure = 1 }),
      ("black and ambient change the picture", { ($0.mapping.black, $0.mapping.surround) = (0.1, 5) }),
      ("filter changes the picture", { $0.filters = ["highlight"] }),
      ("peakDetection changes the picture", { $0.metadata.inputLight = .measured }),
      ("scale changes the picture", { $0.geometry.scale = PictureScaling(width: .samples(32), height: .samples(32)) }),
      ("deinterlace changes the picture", { $0.geometry.deinterlacing = .frame }),
      ("crop changes the picture", { $0.geometry.crop = .centered(Size(width: 32, height: 32)) }),
      ("burnSubtitles changes the picture", { $0.burnedSubtitles = subtitles }),
      ("the input is hlg, not PQ", { $0.input.overrides.transfer = .hlg }),
      ("the input has the primaries displayP3", { $0.input.overrides.primaries = .displayP3 }),
    ]
    for (expected, change) in changes {
      var request = request(input, scratch.path("out.mkv"))
      change(&request)
      expectRefusal("hdr10plus-would-be-wrong", "but \(expected): omit that") { try $0.plan(request) }
    }
    var turned = request(try turned(input, scratch), scratch.path("out.mkv"))
    turned.geometry.bakesRotation = true
    expectRefusal("hdr10plus-would-be-wrong", "but bakeRotation changes the picture: omit that") {
      try $0.plan(turned)
    }
  }

  private func turned(_ input: String, _ scratch: Scratch) throws -> String {
    let path = scratch.path("turned.mp4")
    try Tool.ffmpeg.run(["-i", input, "-c", "copy", "-metadata:s:v:0", "rotate=90", path])
    return path
  }

  /// FFmpeg tells what it has read, but the message is not there to be copied: nothing is lost in silence.
  @Test(arguments: [0, 20]) func whatCannotBeCopiedIsRefused(_ number: Int) throws {
    let scratch = try Scratch()
    var messages = HDR10PlusFilm.messages
    // Longer than what is looked for.
    messages[number]? += [UInt8](repeating: 7, count: 70_000)
    let request = request(try HDR10PlusFilm.make(in: scratch, messages), scratch.path("out.mkv"))
    expectRefusal(
      "no-coded-hdr10plus", "frame at \(number == 0 ? "0" : "0.8") s", kind: number == 0 ? .invalidRequest : .failed
    ) { try $0.run(request) }
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out.mkv")))
  }

  @Test func encodersWithoutAPlaceAreRefused() throws {
    let scratch = try Scratch()
    var request = request(try HDR10PlusFilm.make(in: scratch), scratch.path("out.mkv"))
    (request.coding.encoder, request.coding.preset) = ("ffv1", nil)
    expectRefusal("no-place-for-hdr10plus", "ffv1 has") { try $0.plan(request) }
    request.output = scratch.path("out.png")
    request.coding.encoder = nil
    expectRefusal("parameter-for-video", "hdr10Plus is for video", scratch.path("out.png")) { _ in
      try PictureRequest(request)
    }
  }
}
