import Bitstreams
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

  @Test(arguments: StreamCodec.allCases)
  func truncatedDescriptionsHaveNone(_ codec: StreamCodec) throws {
    let whole = try SegmentEncoder(SegmentFilm(codec).settings).initialization
    for count in stride(from: 0, to: whole.count, by: 7) {
      #expect(CodecString(initialization: Array(whole.prefix(count))) == nil)
    }
  }
}
