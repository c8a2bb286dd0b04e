import ChunkedTranscode
import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing
import ToneMapping

import Sessions

/// HDR10+ is copied to outputs that it describes, and to no others.
@Suite struct HDR10PlusCopyTests {
  /// Messages of the frames, in presentation order.
  private static let averages: [Int?] = (0..<48).map { $0 % 7 == 3 ? nil : 500 + $0 }

  /// Reordered HEVC of 64x64 in PQ.
  private func input(
    _ scratch: Scratch, _ messages: [[UInt8]?] = averages.map { $0.map(HDR10PlusMessage.bytes) }
  ) throws -> String {
    let raw = try scratch.made(
      "a.hevc", size: "64x64", frames: Self.averages.count,
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=none:bframes=0:keyint=12:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited",
        "-f", "hevc",
      ])
    try Injection.inject(messages, into: raw, .hevc)
    let path = scratch.path("a.mkv")
    try Tool.ffmpeg.run(["-r", "25", "-i", raw, "-c", "copy", path])
    return path
  }

  private func request(_ input: String, _ output: String) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: output)
    (request.coding.encoder, request.coding.preset) = ("libx265", "superfast")
    (request.mapping.chosenKind, request.copiesHDR10Plus) = (.hdr10, true)
    return request
  }

  private func messages(_ path: String) throws -> [[UInt8]?] {
    let reader = try MediaReader(url: path)
    var messages: [[UInt8]?] = []
    while let frame = try reader.readFrame() { messages.append(frame.metadata.hdr10PlusMessage) }
    return messages
  }

  @Test func everyFrameKeepsItsOwn() throws {
    let scratch = try Scratch()
    let input = try input(scratch)
    let expected = Self.averages.map { $0.map(HDR10PlusMessage.bytes) }
    var request = request(input, scratch.path("out.mp4"))
    let heard = try heard { session in
      let plan = try session.plan(request)
      #expect(plan.leavesLightUnchanged && plan.video.copiesHDR10Plus)
      #expect(plan.lines.contains { $0.hasSuffix("copied") && $0.contains("HDR10+") })
      try session.run(plan)
    }
    #expect(heard.notes.contains { $0.code == "hdr10plus-copied" })
    #expect(!heard.notes.contains { $0.code == "dynamic-metadata-unused" })
    #expect(try messages(scratch.path("out.mp4")) == expected)
    request.output = scratch.path("some.mkv")
    (request.selection.range, request.selection.every) = (FrameRange(first: 4, last: 40), 3)
    try Session().run(request)
    #expect(try messages(scratch.path("some.mkv")) == stride(from: 4, through: 40, by: 3).map { expected[$0] })
    request.selection = FrameSelection()
    request.selection.start = 3.0 / 25
    request.overwrites = true
    try expectNote("hdr10plus-not-in-first-frame") { try $0.plan(request) }
  }

  @Test func piecesHaveThoseOfASingleRun() throws {
    let scratch = try Scratch()
    let request = request(try input(scratch), scratch.path("out.mp4"))
    for count in [1, 4] {
      var request = request
      request.overwrites = true
      try FilmTests.assemble(request, .count(count), in: scratch.path("work\(count)"))
      #expect(try messages(scratch.path("out.mp4")) == Self.averages.map { $0.map(HDR10PlusMessage.bytes) })
    }
  }

  @Test func theDefaultSaysWhatIsPossible() throws {
    let scratch = try Scratch()
    var request = request(try input(scratch), scratch.path("out.mkv"))
    request.copiesHDR10Plus = false
    try expectNote("hdr10plus-can-be-copied") { try $0.plan(request) }
    request.mapping.peak = 600
    let heard = try heard { _ = try $0.plan(request) }
    #expect(!heard.notes.contains { $0.code == "hdr10plus-can-be-copied" })
  }

  /// What changes the light, or moves it.
  @Test func changedLightIsRefused() throws {
    let scratch = try Scratch()
    let input = try input(scratch)
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
    var messages: [[UInt8]?] = Self.averages.map { $0.map(HDR10PlusMessage.bytes) }
    // Longer than what is looked for.
    messages[number]? += [UInt8](repeating: 7, count: 70_000)
    let request = request(try input(scratch, messages), scratch.path("out.mkv"))
    expectRefusal(
      "no-coded-hdr10plus", "frame at \(number == 0 ? "0" : "0.8") s", kind: number == 0 ? .invalidRequest : .failed
    ) { try $0.run(request) }
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out.mkv")))
  }

  @Test func encodersWithoutAPlaceAreRefused() throws {
    let scratch = try Scratch()
    var request = request(try input(scratch), scratch.path("out.mkv"))
    (request.coding.encoder, request.coding.preset) = ("ffv1", nil)
    expectRefusal("no-place-for-hdr10plus", "ffv1 has") { try $0.plan(request) }
    request.output = scratch.path("out.png")
    request.coding.encoder = nil
    expectRefusal("parameter-for-video", "hdr10Plus is for video", scratch.path("out.png")) { _ in
      try PictureRequest(request)
    }
  }
}
