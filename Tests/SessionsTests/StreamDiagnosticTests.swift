import Foundation
import Media
import TestSupport
import Testing

import Sessions

/// Diagnostics about the streams beside the picture.
@Suite struct StreamDiagnosticTests {
  private typealias Label = StreamDiagnostic.Label

  private static let english = Label(text: "#1 audio aac (eng)", isAudio: true)
  private static let german = Label(text: "#2 audio pcm_s16le (ger)", isAudio: true)
  private static let french = Label(text: "#3 subtitle subrip (fra)")
  private static let font = Label(text: "#4 attachment font.ttf")

  private static func transcode(
    _ input: String, _ output: String, _ change: (inout TranscodeRequest) -> Void = { _ in }
  ) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: output)
    change(&request)
    return request
  }

  @Test func streamsThatAreNotThere() throws {
    let scratch = try Scratch()
    let output = scratch.path("a.mkv")
    expectRefusal(.streams(.isMissing(name: Sample.hdr10, specifier: "a:7"))) {
      try $0.plan(Self.transcode(Sample.hdr10, output) { $0.streams.map = [.init("v"), .init("a:7")] })
    }
    let input = try scratch.clipOfManyStreams("in.mkv")
    expectRefusal(.streams(.hasNoVideo)) {
      try $0.plan(Self.transcode(input, output) { $0.streams.map = [.init("a")] })
    }
  }

  @Test func streamsThatAreEncoded() throws {
    let scratch = try Scratch()
    let input = try scratch.clipOfManyStreams("in.mkv")
    let request = Self.transcode(input, scratch.path("a.mp4")) { $0.streams.audioEncoder = "aac" }
    let heard = try heard { try $0.plan(request) }
    let encoded = heard.notes.compactMap { note -> EncodedAudio? in
      guard case .streams(.audioIsEncoded(Self.german, encoder: "aac", let audio)) = note else { return nil }
      return audio
    }
    #expect(encoded.map(\.made.layout) == ["mono"] && encoded.map(\.bitRate) == [96_000], "\(heard.notes)")
    #expect(encoded.map(\.made.sampleRate) == encoded.map(\.source.sampleRate))
    #expect(
      heard.notes.contains(
        .streams(.isEncoded(Self.french, codec: "subrip", encoder: "mov_text", format: "mp4"))), "\(heard.notes)")
    #expect(
      heard.warnings.contains(.streams(.notHeld(format: "mp4", [Self.font], encoder: nil))), "\(heard.warnings)")
  }

  /// Audio that the container cannot hold.
  @Test func audioThatIsReplaced() throws {
    let scratch = try Scratch()
    let input = try scratch.clipOfManyStreams("in.mkv")
    func encoder(_ fallback: String?) throws -> [String] {
      let request = Self.transcode(input, scratch.path("a.mp4")) { $0.streams.audioFallback = fallback }
      return try heard { try $0.plan(request) }.notes.compactMap { note in
        guard case .streams(.audioIsReplaced(Self.german, let encoder, _, format: "mp4")) = note else { return nil }
        return encoder
      }
    }
    #expect(try encoder(nil) == ["aac"])
    #expect(try encoder("mp3") == ["libmp3lame"])
    try expectWarning(.streams(.notHeld(format: "mp4", [Self.german, Self.font], encoder: "aac"))) {
      try $0.plan(Self.transcode(input, scratch.path("a.mp4")) { $0.streams.audioFallback = StreamRequest.noFallback })
    }
  }

  /// QuickTime sound with a code that FFmpeg does not know.
  @Test func audioThatCannotBeDecoded() throws {
    let scratch = try Scratch()
    let sound = ["-f", "lavfi", "-i", "sine=duration=0.2", "-map", "0", "-map", "1", "-map", "1", "-c:a:0", "aac"]
    let coding = ["-c:a:1", "pcm_s16le", "-c:v", "libx264", "-pix_fmt", "yuv420p"] + Scratch.bt709
    let known = try scratch.clip("in.mov", frames: 5, sound + coding)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: known))
    let code = try #require(bytes.range(of: Data("sowt".utf8)))
    bytes.replaceSubrange(code, with: Data("apac".utf8))
    let input = scratch.path("odd.mov")
    try bytes.write(to: URL(fileURLWithPath: input))
    let label = Label(text: "#2 audio apac", isAudio: true)
    for audioEncoder in [nil, "aac"] {
      try expectWarning(.streams(.cannotBeDecoded([label]))) {
        try $0.plan(Self.transcode(input, scratch.path("a.mp4")) { $0.streams.audioEncoder = audioEncoder })
      }
    }
  }

  @Test func streamsThatAreLeftOut() throws {
    let scratch = try Scratch()
    let input = try scratch.clipOfManyStreams("in.mkv")
    let labels = [Self.english, Self.german, Self.french, Self.font]
    try expectNote(.streams(.leftOutOfPictures(format: "yuv4mpegpipe", labels))) {
      try $0.plan(Self.transcode(input, scratch.path("a.y4m")))
    }
    try expectWarning(.streams(.notHeld(format: "mpegts", [Self.french, Self.font], encoder: nil))) {
      try $0.plan(Self.transcode(input, scratch.path("a.ts")))
    }
    let two = scratch.path("two.mkv")
    let source = ["-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=0.2"]
    try Tool.ffmpeg.run(source + source + ["-map", "0", "-map", "1", "-c:v", "ffv1"] + Scratch.bt709 + [two])
    try expectWarning(.streams(.otherVideoIsLeftOut(["#1 ffv1"]))) {
      try $0.plan(Self.transcode(two, scratch.path("a.mkv")))
    }
  }

  @Test func audioThatIsEncodedByChoice() throws {
    let scratch = try Scratch()
    let input = try scratch.clipOfManyStreams("in.mkv")
    try expectNote(.streams(.needsNoMix([Self.english, Self.german], .stereo))) {
      try $0.plan(Self.transcode(input, scratch.path("a.mkv")) { $0.streams.downmix = .stereo })
    }
    expectRefusal(.streams(.encodesNoAudio(.audioBitRate))) {
      try $0.plan(Self.transcode(input, scratch.path("a.mkv")) { $0.streams.audioBitRate = 192_000 })
    }
    expectRefusal(.streams(.encodesNoAudio(.downmix))) {
      try $0.plan(
        Self.transcode(input, scratch.path("a.mkv")) { ($0.streams.downmix, $0.streams.audioEncoder) = (.mono, "copy") }
      )
    }
    expectRefusal(.streams(.isLossless(encoder: "flac"))) {
      try $0.plan(
        Self.transcode(input, scratch.path("a.mkv")) {
          ($0.streams.audioBitRate, $0.streams.audioEncoder) = (192_000, "flac")
        })
    }
    expectRefusal(
      .streams(.cannotHoldEncoded(Self.english, encoder: "pcm_s24le", usual: "aac", format: "mp4"))
    ) {
      try $0.plan(Self.transcode(input, scratch.path("a.mp4")) { $0.streams.audioEncoder = "pcm_s24le" })
    }
    expectRefusal(.outOfRange(.audioBitRate, "192", "1000", "20000000 bit/s")) {
      try $0.plan(
        Self.transcode(input, scratch.path("a.mp4")) {
          ($0.streams.audioBitRate, $0.streams.audioEncoder) = (192, "aac")
        })
    }
    // FFmpeg would encode with the nearest rate without a word.
    expectRefusal(.streams(.audioRateIsOutOfRange(2000, encoder: "libopus", least: 6000, most: 256_000))) {
      try $0.plan(
        Self.transcode(input, scratch.path("a.mkv")) {
          ($0.streams.audioBitRate, $0.streams.audioEncoder) = (2000, "opus")
        })
    }
  }

  /// A plan needs no hardware.
  @Test func metadataThatHardwareDoesNotWrite() throws {
    let scratch = try Scratch()
    try expectWarning(.output(.onlyContainerHasMetadata(encoder: "hevc_nvenc"))) {
      try $0.plan(
        Self.transcode(Sample.hdr10, scratch.path("a.mp4")) {
          ($0.mapping.chosenKind, $0.coding.encoder) = (.hdr10, "hevc_nvenc")
        })
    }
  }

  @Test func devicesOfEncodersWithoutOne() throws {
    expectRefusal(.coding(.namesNoGraphicsProcessor("/dev/dri/renderD128"))) {
      try $0.plan(
        Self.transcode(Sample.hdr10, "a.mkv") {
          ($0.coding.encoder, $0.coding.hardwareDevice) = ("hevc_nvenc", "/dev/dri/renderD128")
        })
    }
    expectRefusal(.output(.hasNoHardware(encoder: "libx265"))) {
      try $0.plan(
        Self.transcode(Sample.hdr10, "a.mkv") {
          ($0.coding.encoder, $0.coding.hardwareDevice) = ("libx265", "/dev/dri/renderD128")
        })
    }
  }

  /// Data is not what another container would hold.
  @Test func labelsSayWhatTheyAreOf() {
    #expect(Self.german.isAudio && !Self.german.isData && !Self.french.isAudio)
    #expect(Label(text: "#5 data", isData: true).isData)
  }
}
