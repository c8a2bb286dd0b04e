import Bitstreams
import ColorScience
import FFmpegIO
import Foundation
import Frames
import TestSupport
import Testing

/// What is written in the boxes of streams.
@Suite struct SegmentBoxTests {
  private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  @Test(arguments: StreamCodec.allCases)
  func aSegmentIsAFragmentOfOneFrame(_ codec: StreamCodec) throws {
    let film = SegmentFilm(codec)
    let encoder = try SegmentEncoder(film.settings)
    #expect(ISOBoxes(encoder.initialization).all.map(\.type) == ["ftyp", "moov"])
    for (index, segment) in try film.segments(encoder).flatMap(\.self).enumerated() {
      let boxes = ISOBoxes(segment.bytes)
      #expect(boxes.all.map(\.type) == ["prft", "moof", "mdat"])
      #expect(boxes.all.reduce(0) { $0 + $1.content.count + 8 } == segment.bytes.count)
      let fragment = try #require(boxes["moof"])
      #expect(fragment.all.map(\.type) == ["mfhd", "traf"])
      #expect(try number(#require(fragment["mfhd"]).bytes[4...]) == UInt64(segment.sequence))
      let track = try #require(fragment["traf"])
      #expect(try number(#require(track["tfdt"]).bytes[4...]) == UInt64(film.times[index]))
      let run = try #require(track["trun"]).bytes
      #expect(number(run[4..<8]) == 1)
      // Depends on no other sample; depends on others and is no sync sample.
      #expect(number(run[20...]) == (index == 0 ? 0x0200_0000 : 0x0101_0000))
      let sample = try #require(boxes["mdat"]).bytes
      #expect(number(run[16..<20]) == UInt64(sample.count))
      #expect(number(run[8..<12]) == UInt64(fragment.bytes.count + 16))
    }
  }

  /// Types of the NAL units of a sample.
  private func types(_ sample: [UInt8], _ codec: StreamCodec) -> [UInt8] {
    var types: [UInt8] = []
    var rest = sample[...]
    while rest.count > 4 {
      let length = Int(number(rest.prefix(4)))
      let unit = rest.dropFirst(4).prefix(length)
      #expect(unit.count == length && unit.last != 0)
      types.append(codec == .h264 ? unit.first! & 0x1F : unit.first! >> 1 & 0x3F)
      rest = rest.dropFirst(4 + length)
    }
    #expect(rest.isEmpty)
    return types
  }

  /// Key frames are IDR pictures; parameter sets are in the description alone.
  @Test(arguments: [StreamCodec.h264, .hevc])
  func samplesAreUnitsWithLengths(_ codec: StreamCodec) throws {
    var film = SegmentFilm(codec, frames: 3)
    film.keys = [2]
    // Source: ISO/IEC 14496-10, table 7-1; ISO/IEC 23008-2, table 7-1.
    let pictures: Set<UInt8> = codec == .h264 ? [1, 5] : Set(0...31)
    let (keys, others): (Set<UInt8>, Set<UInt8>) = codec == .h264 ? ([5], [1]) : ([19, 20], [0, 1])
    let messages: Set<UInt8> = codec == .h264 ? [6] : [39, 40]
    let segments = try film.segments(SegmentEncoder(film.settings)).flatMap(\.self)
    for (segment, expected) in zip(segments, [keys, others, keys]) {
      let types = Set(try types(#require(ISOBoxes(segment.bytes)["mdat"]).bytes, codec))
      let coded = types.intersection(pictures)
      #expect(!coded.isEmpty && coded.isSubset(of: expected))
      #expect(types.subtracting(coded).isSubset(of: messages))
    }
  }

  /// Samples are OBUs without a temporal delimiter; those of key frames begin with the sequence header.
  @Test func samplesAreUnitsOfAV1() throws {
    let film = SegmentFilm(.av1, frames: 2)
    let segments = try film.segments(SegmentEncoder(film.settings)).flatMap(\.self)
    let types = try segments.map { try #require(ISOBoxes($0.bytes)["mdat"]?.bytes.first) >> 3 }
    #expect(types == [1, 6])
  }

  @Test func captureTimesAreThere() throws {
    let film = SegmentFilm(.h264)
    let segments = try film.segments(SegmentEncoder(film.settings)).flatMap(\.self)
    for (segment, time) in zip(segments, film.times) {
      let box = try #require(ISOBoxes(segment.bytes)["prft"]).bytes
      // Version 1, "captured", track 1.
      #expect(box.prefix(8) == [1, 0, 0, 24, 0, 0, 0, 1])
      let ntp = Double(number(box[8..<16])) / 0x1p32
      #expect(abs(ntp - 2_208_988_800 - SegmentFilm.start - Double(time) / 1e6) < 1e-6)
      #expect(number(box[16..<24]) == UInt64(time))
      #expect(box.count == 24)
    }
  }

  /// Numbers of seconds have 32 bits and begin again on 7 February 2036.
  @Test(arguments: [(0.0, 2_208_988_800.0), (2_085_978_495.5, 4_294_967_295.5), (2_085_978_497, 1), (.nan, 0)])
  func erasOfNTP(_ unix: Double, _ seconds: Double) throws {
    let film = SegmentFilm(.h264)
    let segments = try SegmentEncoder(film.settings).write(film.frame(0), capturedAt: unix, isKey: false)
    let box = try #require(ISOBoxes(segments[0].bytes)["prft"]).bytes
    #expect(Double(number(box[8..<16])) == seconds * 0x1p32)
  }

  @Test(arguments: StreamCodec.allCases)
  func colorAndLightAreDescribed(_ codec: StreamCodec) throws {
    var film = SegmentFilm(codec, bits: 10)
    film.settings.metadata = HDRMetadata(
      masteringDisplay: MasteringDisplay(
        red: .init(x: 34_000, y: 16_000), green: .init(x: 13_250, y: 34_500), blue: .init(x: 7_500, y: 3_000),
        white: .init(x: 15_635, y: 16_450), maxLuminance: 10_000_000, minLuminance: 50),
      contentLight: ContentLight(maxCLL: 987, maxFALL: 321))
    film.settings.sampleAspectRatio = Rational(4, 3)
    let encoder = try SegmentEncoder(film.settings)
    let table = ISOBoxes(encoder.initialization)["moov"]?["trak"]?["mdia"]?["minf"]?["stbl"]
    let entries = try #require(table?.sampleEntries)
    let type = try #require(entries.all.first).type
    let entry = try #require(entries[type])
    #expect(entry["colr"]?.bytes == Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0])
    #expect(entry["clli"]?.bytes == [987 >> 8, 987 & 255, 321 >> 8, 321 & 255])
    #expect(entry["mdcv"]?.bytes.count == 24)
    #expect(entry["pasp"]?.bytes == [0, 0, 0, 4, 0, 0, 0, 3])
    let scratch = try Scratch()
    let probe = try Probe(film.file(scratch).path, ["-show_streams", "-show_frames", "-read_intervals", "%+#1"])
    // In the coded stream too; FFmpeg 5.1 does not read these messages of H.264.
    if codec != .h264 {
      let list = try #require(probe.frames?.first?.side_data_list)
      #expect(list.first("Content light level metadata")?.max_content == 987)
      #expect(list.first("Mastering display metadata") != nil)
    }
    #expect(probe.streams?.first?.sample_aspect_ratio == "4:3")
  }

  @Test func streamsWithoutMetadataStateNone() throws {
    let encoder = try SegmentEncoder(SegmentFilm(.hevc, bits: 10).settings)
    let text = String(decoding: encoder.initialization, as: UTF8.self)
    #expect(!text.contains("mdcv") && !text.contains("clli"))
  }
}
