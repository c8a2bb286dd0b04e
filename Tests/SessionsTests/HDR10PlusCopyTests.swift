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
    #expect(heard.notes.contains(.mapping(.copiesHDR10Plus(startsWithFirst: true))))
    #expect(!heard.notes.contains(.source(.dynamicMetadataIsUnused([.hdr10Plus]))))
    #expect(try messages(scratch.path("out.mp4")) == expected)
    request.output = scratch.path("some.mkv")
    (request.selection.range, request.selection.every) = (FrameRange(first: 4, last: 40), 3)
    try Session().run(request)
    #expect(try messages(scratch.path("some.mkv")) == stride(from: 4, through: 40, by: 3).map { expected[$0] })
    request.selection = FrameSelection()
    request.selection.start = 3.0 / 25
    request.overwrites = true
    try expectNote(.mapping(.copiesHDR10Plus(startsWithFirst: false))) { try $0.plan(request) }
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
    try expectNote(.mapping(.canCopyHDR10Plus)) { try $0.plan(request) }
    request.mapping.peak = 600
    let heard = try heard { _ = try $0.plan(request) }
    #expect(!heard.notes.contains(.mapping(.canCopyHDR10Plus)))
  }

  /// What changes the light, or moves it.
  @Test func changedLightIsRefused() throws {
    let scratch = try Scratch()
    let input = try input(scratch)
    let subtitles = scratch.path("text.srt")
    try Data("1\n00:00:00,000 --> 00:00:01,000\nText\n".utf8).write(to: URL(fileURLWithPath: subtitles))
    let changes: [([LightChange], (inout TranscodeRequest) -> Void)] = [
      ([.kind(.sdr)], { $0.mapping.chosenKind = .sdr }), ([.kind(.hlg)], { $0.mapping.chosenKind = .hlg }),
      ([.setting(.peak)], { $0.mapping.peak = 600 }),
      ([.setting(.headroom)], { $0.mapping.headroom = 3 }),
      ([.setting(.toneMap)], { $0.mapping.curve = .named(.system) }),
      ([.setting(.sdrWhite)], { $0.mapping.sdrWhite = 100 }),
      ([.setting(.exposure)], { $0.mapping.exposure = 1 }),
      ([.setting(.black), .setting(.ambient)], { ($0.mapping.black, $0.mapping.surround) = (0.1, 5) }),
      ([.setting(.filter)], { $0.filters = ["highlight"] }),
      ([.setting(.peakDetection)], { $0.metadata.inputLight = .measured }),
      ([.setting(.scale)], { $0.scale = PictureScaling(width: .samples(32), height: .samples(32)) }),
      ([.setting(.deinterlace)], { $0.deinterlacing = .frame }),
      ([.setting(.crop)], { $0.crop = .centered(Size(width: 32, height: 32)) }),
      ([.setting(.burnSubtitles)], { $0.burnedSubtitles = subtitles }),
      ([.transfer(.hlg)], { $0.input.overrides.transfer = .hlg }),
      ([.primaries(.displayP3)], { $0.input.overrides.primaries = .displayP3 }),
    ]
    for (expected, change) in changes {
      var request = request(input, scratch.path("out.mkv"))
      change(&request)
      expectRefusal(.mapping(.hdr10PlusWouldBeWrong(expected)), .invalidRequest) { try $0.plan(request) }
    }
    var turned = request(try turned(input, scratch), scratch.path("out.mkv"))
    turned.bakesRotation = true
    expectRefusal(.mapping(.hdr10PlusWouldBeWrong([.setting(.bakeRotation)])), .invalidRequest) {
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
      .mapping(.hasNoHDR10PlusMessage(seconds: Double(number) / 25)), number == 0 ? .invalidRequest : .failed
    ) { try $0.run(request) }
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out.mkv")))
  }

  @Test func encodersWithoutAPlaceAreRefused() throws {
    let scratch = try Scratch()
    var request = request(try input(scratch), scratch.path("out.mkv"))
    (request.coding.encoder, request.coding.preset) = ("ffv1", nil)
    expectRefusal(.output(.hasNoPlaceForHDR10Plus(encoder: "ffv1")), .invalidRequest) { try $0.plan(request) }
    request.output = scratch.path("out.png")
    request.coding.encoder = nil
    expectRefusal(.picture(.isForVideo(.hdr10Plus, output: scratch.path("out.png"))), .invalidRequest) { _ in
      try PictureRequest(request)
    }
  }
}
