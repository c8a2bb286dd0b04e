import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Dynamic metadata in the bitstream, and the frames that it comes out with.
@Suite struct DynamicMetadataTests {
  private static let encoders: [Injection.Codec: (name: String, options: [String])] = [
    .hevc: ("hevc", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:bframes=0"]),
    .h264: ("h264", ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "0"]),
    .av1: ("obu", ["-c:v", "libsvtav1", "-preset", "12"]),
  ]

  /// A message of ST 2094-50 with this reference white in cd/m² and the standard's operator.
  private static func message(white: Int) -> [UInt8] {
    var bits = BitWriter()
    for (value, width) in [
      (0xB5, 8), (0x90, 16), (1, 16), (0, 8), (3, 2), (0, 6), (white * 5, 16), (0, 16), (1, 1), (0, 7),
    ] {
      bits.put(value, width)
    }
    return bits.bytes
  }

  private static func map(white: Int) -> AdaptiveToneMap {
    AdaptiveToneMap(
      codedReferenceWhite: UInt16(white * 5), adaptation: .init(baselineHeadroom: 0, method: .referenceWhite))
  }

  /// A raw stream of ten pictures with these messages.
  private func stream(
    _ scratch: Scratch, _ codec: Injection.Codec, _ messages: [[UInt8]?], options: [String] = []
  ) throws -> String {
    let encoder = try #require(Self.encoders[codec])
    let format = codec == .h264 ? "yuv420p" : "yuv420p10le"
    let path = try scratch.clip(
      "raw.\(encoder.name)", frames: 10, ["-pix_fmt", format] + encoder.options + options + ["-f", encoder.name])
    try Injection.inject(messages, into: path, codec)
    return path
  }

  private func frames(_ path: String) throws -> (maps: [AdaptiveToneMap?], statistics: ReadStatistics) {
    let reader = try MediaReader(url: path)
    var maps: [AdaptiveToneMap?] = []
    while let frame = try reader.readFrame() { maps.append(frame.metadata.adaptiveToneMap) }
    return (maps, reader.statistics)
  }

  /// Length-prefixed in MP4 and Matroska, with start codes in a transport stream.
  @Test(arguments: Injection.Codec.allCases, ["mp4", "mkv", "ts"])
  func adaptiveToneMapsOfPackets(_ codec: Injection.Codec, _ container: String) throws {
    if codec == .av1, container == "ts" { return }
    let scratch = try Scratch()
    // 0 cd/m² twice makes two zero bytes in a row, which the bitstream escapes.
    let whites: [Int?] = [100, nil, 0, 203, 204, nil, nil, 1000, 300, 301]
    let raw = try stream(scratch, codec, whites.map { $0.map(Self.message) })
    let path = scratch.path("a.\(container)")
    try Tool.ffmpeg.run(["-r", "25", "-i", raw, "-c", "copy", path])
    let found = try frames(path)
    #expect(found.maps == whites.map { $0.map(Self.map) })
    #expect(found.statistics.ignoredToneMaps == 0)
  }

  /// Packets come in another order than the pictures of them.
  @Test func reorderedPictures() throws {
    let scratch = try Scratch()
    // Coded as 0, 2, 1, 4, 3, ...; the last picture has none to reorder with.
    let order = [0, 2, 1, 4, 3, 6, 5, 8, 7, 9]
    let raw = try stream(
      scratch, .hevc, order.map { Self.message(white: 100 + $0) },
      options: ["-x265-params", "log-level=none:bframes=1:b-adapt=0:b-pyramid=0:scenecut=0:keyint=50:rc-lookahead=5"])
    let path = scratch.path("a.mp4")
    let pts = #"48000*if(eq(N\,0)+eq(N\,9)\,N\,if(mod(N\,2)\,N+1\,N-1))"#
    try Tool.ffmpeg.run(["-r", "25", "-i", raw, "-c", "copy", "-bsf:v", "setts=pts=\(pts):dts=48000*(N-1)", path])
    #expect(try frames(path).maps == (0..<10).map { Self.map(white: 100 + $0) })
  }

  /// A stream without times has what was read last.
  @Test func rawStream() throws {
    let scratch = try Scratch()
    let raw = try stream(scratch, .hevc, Array(repeating: Self.message(white: 150), count: 10))
    #expect(try frames(raw).maps == Array(repeating: Self.map(white: 150), count: 10))
  }

  @Test(arguments: Injection.Codec.allCases)
  func malformedMessagesAreCounted(_ codec: Injection.Codec) throws {
    let scratch = try Scratch()
    let short = Array(Self.message(white: 100).dropLast(3))
    let foreign: [UInt8] = [0xB5, 0x00, 0x90, 0x00, 0x02, 0x00, 0x40]
    // Decoders of AV1 drop the picture behind a message without content, and messages there end in trailing bits.
    let messages = codec == .av1 ? [Array(short.dropLast(2)), foreign] : [short, foreign, [0xB5], []]
    let raw = try stream(scratch, codec, messages)
    let path = scratch.path("a.mkv")
    try Tool.ffmpeg.run(["-r", "25", "-i", raw, "-c", "copy", path])
    let found = try frames(path)
    #expect(found.maps == Array(repeating: nil, count: 10))
    #expect(found.statistics.ignoredToneMaps == 1)
    #expect(found.statistics.ignoredReason == .tooShort)
  }

  /// Bytes of packets changed at random: whatever comes, the reader ends without a trap.
  @Test(arguments: Injection.Codec.allCases)
  func damagedStreams(_ codec: Injection.Codec) throws {
    let scratch = try Scratch()
    let raw = try stream(scratch, codec, (0..<10).map { Self.message(white: 100 + $0) })
    let whole = try Data(contentsOf: URL(fileURLWithPath: raw))
    var random = SystemRandomNumberGenerator()
    for _ in 0..<12 {
      var bytes = whole
      for _ in 0..<40 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
      try bytes.write(to: URL(fileURLWithPath: raw))
      _ = try? frames(raw)
    }
  }

  /// HDR10+ of our own bits, as ffprobe reads it.
  @Test func hdr10Plus() throws {
    let scratch = try Scratch()
    var bits = BitWriter()
    for (value, width) in [
      (0xB5, 8), (0x3C, 16), (1, 16), (4, 8), (1, 8), (1, 2), (450, 27), (0, 1), (12_345, 17), (23_456, 17), (3456, 17),
      (789, 17), (2, 4), (50, 7), (600, 17), (99, 7), (20_000, 17), (17, 10), (0, 1), (1, 1), (55, 12), (111, 12),
      (3, 4), (200, 10), (600, 10), (900, 10), (1, 1), (5, 6),
    ] { bits.put(value, width) }
    let raw = try stream(scratch, .hevc, Array(repeating: bits.bytes, count: 10))
    let frame = try #require(try MediaReader(url: raw).readFrame())
    let expected = HDR10PlusMetadata(
      applicationVersion: 1, targetedMaxLuminance: 450, maxSCL: SIMD3(12_345, 23_456, 3456), averageMaxRGB: 789,
      distribution: [.init(percentage: 50, value: 600), .init(percentage: 99, value: 20_000)], fractionBright: 17,
      curve: .init(kneeX: 55, kneeY: 111, anchors: [200, 600, 900]), saturationWeight: 5)
    #expect(frame.metadata.hdr10Plus == expected)
    let probed = String(
      decoding: try Tool.ffprobe.run(["-show_frames", "-read_intervals", "%+#1", raw]), as: UTF8.self)
    for line in [
      "targeted_system_display_maximum_luminance=450/1", "maxscl=23456/100000", "average_maxrgb=789/100000",
      "distribution_maxrgb_percentile=20000/100000", "fraction_bright_pixels=17/1000", "knee_point_x=55/4095",
      "bezier_curve_anchors=600/1023", "color_saturation_weight=5/8",
    ] { #expect(probed.contains(line), "\(line)") }
  }
}
