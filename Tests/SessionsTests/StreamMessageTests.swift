import Foundation
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Messages about the streams beside the picture.
@Suite struct StreamMessageTests {
  private static let english = "#1 audio aac (eng)"
  private static let german = "#2 audio pcm_s16le (ger)"
  private static let french = "#3 subtitle subrip (fra)"
  private static let font = "#4 attachment font.ttf"

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
    expectRefusal("no-such-stream", "'\(Sample.hdr10)'", "'a:7'") {
      try $0.plan(Self.transcode(Sample.hdr10, output) { $0.streams.map = [.init("v"), .init("a:7")] })
    }
    let input = try scratch.clipOfManyStreams("in.mkv")
    expectRefusal("no-video-selected", "map 0:v:0") {
      try $0.plan(Self.transcode(input, output) { $0.streams.map = [.init("a")] })
    }
  }

  @Test func streamsThatAreEncoded() throws {
    let scratch = try Scratch()
    let input = try scratch.clipOfManyStreams("in.mkv")
    let request = Self.transcode(input, scratch.path("a.mp4")) { $0.streams.audioEncoder = "aac" }
    let heard = try heard { try $0.plan(request) }
    let encoded = heard.notes.filter { $0.code == "audio-encoded" }.map(\.words)
    // The rate of the source.
    let german = "\(Self.german) is encoded with aac: mono, 44.1 kHz, 96 kbit/s."
    #expect(encoded.filter { $0.contains(Self.german) } == [german], "\(heard.notes)")
    let french = "\(Self.french) is encoded with mov_text: mp4 does not support subrip."
    #expect(heard.notes.contains { $0.code == "stream-encoded" && $0.words == french }, "\(heard.notes)")
    #expect(
      heard.warnings.contains {
        $0.code == "streams-not-held" && $0.words.hasPrefix("mp4 cannot hold \(Self.font): dropped")
          && !$0.words.contains("audioFallback")
      }, "\(heard.warnings)")
  }

  /// Audio that the container cannot hold.
  @Test func audioThatIsReplaced() throws {
    let scratch = try Scratch()
    let input = try scratch.clipOfManyStreams("in.mkv")
    func encoder(_ fallback: String?) throws -> [String] {
      let request = Self.transcode(input, scratch.path("a.mp4")) { $0.streams.audioFallback = fallback }
      let start = "mp4 cannot hold \(Self.german): encoded with "
      return try heard { try $0.plan(request) }.notes.compactMap { note in
        guard note.code == "audio-replaced", note.words.hasPrefix(start) else { return nil }
        return String(note.words.dropFirst(start.count).prefix { $0 != "," })
      }
    }
    #expect(try encoder(nil) == ["aac"])
    #expect(try encoder("mp3") == ["libmp3lame"])
    try expectWarning(
      "streams-not-held", "mp4 cannot hold \(Self.german), \(Self.font): dropped", "audioFallback aac encodes"
    ) {
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
    for audioEncoder in [nil, "aac"] {
      try expectWarning("streams-not-decodable", "cannot decode #2 audio apac, so it cannot") {
        try $0.plan(Self.transcode(input, scratch.path("a.mp4")) { $0.streams.audioEncoder = audioEncoder })
      }
    }
  }

  @Test func streamsThatAreLeftOut() throws {
    let scratch = try Scratch()
    let input = try scratch.clipOfManyStreams("in.mkv")
    let labels = [Self.english, Self.german, Self.french, Self.font].joined(separator: ", ")
    try expectNote("only-picture-held", "yuv4mpegpipe holds", "dropping \(labels).") {
      try $0.plan(Self.transcode(input, scratch.path("a.y4m")))
    }
    try expectWarning(
      "streams-not-held", "mpegts cannot hold \(Self.french), \(Self.font): dropped (matroska holds most streams)."
    ) { try $0.plan(Self.transcode(input, scratch.path("a.ts"))) }
    let two = scratch.path("two.mkv")
    let source = ["-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=0.2"]
    try Tool.ffmpeg.run(source + source + ["-map", "0", "-map", "1", "-c:v", "ffv1"] + Scratch.bt709 + [two])
    try expectWarning("other-video-dropped", "dropping #1 ffv1.", "with map.") {
      try $0.plan(Self.transcode(two, scratch.path("a.mkv")))
    }
  }

  @Test func audioThatIsEncodedByChoice() throws {
    let scratch = try Scratch()
    let input = try scratch.clipOfManyStreams("in.mkv")
    try expectNote("no-downmix-needed", "\(Self.english), \(Self.german) have no more channels than stereo") {
      try $0.plan(Self.transcode(input, scratch.path("a.mkv")) { $0.streams.downmix = .stereo })
    }
    expectRefusal("no-audio-encoded", "audioBitRate is", "audioEncoder aac") {
      try $0.plan(Self.transcode(input, scratch.path("a.mkv")) { $0.streams.audioBitRate = 192_000 })
    }
    expectRefusal("no-audio-encoded", "downmix is") {
      try $0.plan(
        Self.transcode(input, scratch.path("a.mkv")) { ($0.streams.downmix, $0.streams.audioEncoder) = (.mono, "copy") }
      )
    }
    expectRefusal("lossless-audio-encoder", "flac is", "omit audioBitRate") {
      try $0.plan(
        Self.transcode(input, scratch.path("a.mkv")) {
          ($0.streams.audioBitRate, $0.streams.audioEncoder) = (192_000, "flac")
        })
    }
    expectRefusal(
      "encoded-audio-not-held", "mp4 cannot hold \(Self.english) as pcm_s24le: choose another encoder (aac), or"
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
    expectRefusal(
      "audio-bit-rate-out-of-range", "libopus", "6 kbit/s to 256 kbit/s, not 2 kbit/s", "another audioBitRate"
    ) {
      try $0.plan(
        Self.transcode(input, scratch.path("a.mkv")) {
          ($0.streams.audioBitRate, $0.streams.audioEncoder) = (2000, "opus")
        })
    }
  }

  /// A plan needs no hardware.
  @Test func metadataThatHardwareDoesNotWrite() throws {
    let scratch = try Scratch()
    try expectWarning("metadata-only-in-container", "hevc_nvenc does") {
      try $0.plan(
        Self.transcode(Sample.hdr10, scratch.path("a.mp4")) {
          ($0.mapping.chosenKind, $0.coding.encoder) = (.hdr10, "hevc_nvenc")
        })
    }
  }

  @Test func devicesOfEncodersWithoutOne() throws {
    expectRefusal("no-such-graphics-processor", "'/dev/dri/renderD128'") {
      try $0.plan(
        Self.transcode(Sample.hdr10, "a.mkv") {
          ($0.coding.encoder, $0.coding.hardwareDevice) = ("hevc_nvenc", "/dev/dri/renderD128")
        })
    }
    expectRefusal("device-without-hardware-encoder", "libx265 is not one") {
      try $0.plan(
        Self.transcode(Sample.hdr10, "a.mkv") {
          ($0.coding.encoder, $0.coding.hardwareDevice) = ("libx265", "/dev/dri/renderD128")
        })
    }
    expectRefusal("device-without-hardware-encoder", "the default encoder is not one") {
      try $0.plan(Self.transcode(Sample.hdr10, "a.mkv") { $0.coding.hardwareDevice = "/dev/dri/renderD128" })
    }
  }

  /// Data is not what another container would hold.
  @Test func labelsSayWhatTheyAreOf() {
    let (german, french) = (StreamLabel(text: Self.german, isAudio: true), StreamLabel(text: Self.french))
    #expect(german.isAudio && !german.isData && !french.isAudio && !french.isData)
    #expect(StreamLabel(text: "#5 data", isData: true).isData)
  }
}
