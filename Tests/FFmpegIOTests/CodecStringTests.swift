import FFmpegIO
import Foundation
import Frames
import TestSupport
import Testing

@Suite struct CodecStringTests {
  /// FFmpeg's names of the profiles. Source: ISO/IEC 14496-10, annex A; ISO/IEC 23008-2, annex A; AV1, annex A.
  private static let profiles = [
    "avc1.64": "High", "avc1.6E": "High 10", "hvc1.1": "Main", "hvc1.2": "Main 10", "av01.0": "Main",
  ]

  @Test(arguments: StreamCodec.allCases, [8, 10])
  func streamsAreWhatTheirTypesSay(_ codec: StreamCodec, _ bits: Int) throws {
    let film = SegmentFilm(codec, bits: bits, size: Size(width: 720, height: 576), frames: 1)
    let type = try SegmentEncoder(film.settings).contentType
    let prefix = #"video/mp4; codecs=""#
    #expect(type.hasPrefix(prefix) && type.hasSuffix("\""))
    let text = String(type.dropFirst(prefix.count).dropLast())
    let scratch = try Scratch()
    let stream = try #require(try Probe(film.file(scratch).path, ["-show_streams"]).streams?.first)
    #expect(stream.codec_tag_string == String(text.prefix(4)))
    #expect(Self.profiles.first { text.hasPrefix($0.key) }?.value == stream.profile)
    let parts = text.split(separator: ".").map(String.init)
    switch codec {
    case .h264: #expect(Int(parts[1].suffix(2), radix: 16) == stream.level)
    case .hevc: #expect(Int(parts[3].dropFirst()) == stream.level)
    case .av1:
      #expect(Int(parts[2].prefix(2)) == stream.level)
      #expect(parts[3] == (bits == 8 ? "08" : "10"))
      #expect(parts[6...] == (bits == 8 ? ["01", "01", "01", "0"] : ["09", "16", "09", "0"]))
    }
  }

  /// Records of streams of x264, x265 and libaom, as FFmpeg's muxer stores them.
  @Test func records() {
    #expect(CodecString(h264: [1, 0x42, 0xE0, 0x1E, 0xFF])?.text == "avc1.42E01E")
    let main: [UInt8] = [1, 0x01, 0x60, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 93]
    #expect(CodecString(hevc: main)?.text == "hvc1.1.6.L93.B0")
    let high: [UInt8] = [1, 0xA2, 0x20, 0, 0, 0, 0x90, 0, 8, 0, 0, 0, 153]
    #expect(CodecString(hevc: high)?.text == "hvc1.B2.4.H153.90.0.8")
    // The example of the AV1 binding, section 5.
    let color = Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0]
    #expect(CodecString(av1: [0x81, 0x04, 0x4E, 0], color: color)?.text == "av01.0.04M.10.0.112.09.16.09.0")
    #expect(CodecString(av1: [0x81, 0x04, 0x4E, 0], color: [])?.text == "av01.0.04M.10")
    #expect(
      CodecString(av1: [0x81, 0x4D, 0xF0, 0], color: color.dropLast() + [0x80])?.text
        == "av01.2.13H.12.1.000.09.16.09.1")
  }

  @Test(arguments: StreamCodec.allCases)
  func truncatedDescriptionsHaveNone(_ codec: StreamCodec) throws {
    let whole = try SegmentEncoder(SegmentFilm(codec).settings).initialization
    for count in stride(from: 0, to: whole.count, by: 7) {
      #expect(CodecString(initialization: Array(whole.prefix(count))) == nil)
    }
    #expect(
      CodecString(h264: [1, 2, 3]) == nil && CodecString(hevc: []) == nil && CodecString(av1: [1], color: []) == nil)
  }
}
