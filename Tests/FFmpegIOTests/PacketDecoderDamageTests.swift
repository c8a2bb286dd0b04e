import FFmpegIO
import Foundation
import Frames
import TestSupport
import Testing

/// Packets that are damaged, missing or none at all.
@Suite struct PacketDecoderDamageTests {
  typealias Stream = PacketDecoderTests.Stream

  /// A key frame every six pictures.
  static func stream(_ codec: PacketDecoder.Codec, in scratch: Scratch, frames: Int = 18) throws -> Stream {
    let groups = "keyint=6:min-keyint=6:scenecut=0:bframes=0"
    let arguments: [String] =
      switch codec {
      case .mjpeg: ["-c:v", "mjpeg", "-pix_fmt", "yuvj422p"]
      case .h264: ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x264-params", groups]
      case .hevc:
        [
          "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-x265-params",
          "log-level=none:\(groups)",
        ]
      }
    return try PacketDecoderTests.stream(codec, arguments, in: scratch, frames: frames)
  }

  /// What a raw stream of these packets is for a reader.
  private func expected(_ packets: [[UInt8]], _ codec: PacketDecoder.Codec, in scratch: Scratch) throws -> [CodedFrame]
  {
    let path = scratch.path("damaged.\(codec.rawValue)")
    try Data(packets.joined()).write(to: URL(fileURLWithPath: path))
    return try PacketDecoderTests.frames(path)
  }

  /// FFmpeg's H.264 decoder conceals the loss of a picture without a word, as in files.
  @Test(arguments: [PacketDecoder.Codec.h264, .hevc])
  func missingPackets(_ codec: PacketDecoder.Codec) throws {
    let scratch = try Scratch()
    var packets = try Self.stream(codec, in: scratch).packets
    packets.remove(at: 8)
    let (frames, _) = try PacketDecoderTests.decode(packets, codec, threads: 1)
    PacketDecoderTests.expectEqual(frames, try expected(packets, codec, in: scratch), "\(codec)")
    #expect(frames.map(\.isDamaged) == (0..<17).map { codec == .hevc && $0 == 8 })
  }

  /// Marked where it is in a file, and over with the next key frame.
  @Test(arguments: PacketDecoder.Codec.allCases)
  func damagedPackets(_ codec: PacketDecoder.Codec) throws {
    let scratch = try Scratch()
    let stream = try Self.stream(codec, in: scratch)
    let intact = try stream.expected()
    var marked = 0
    for cut in [1, 2, 3, 10] {
      var packets = stream.packets
      packets[7] = Array(packets[7].prefix(packets[7].count / cut))
      let end = packets[7].count
      for index in end * 2 / 3..<end * 2 / 3 + min(40, end / 3) { packets[7][index] ^= 0x5A }
      let (frames, _) = try PacketDecoderTests.decode(packets, codec, threads: 1)
      let comment: Comment = "\(codec), cut to 1/\(cut)"
      PacketDecoderTests.expectEqual(frames, try expected(packets, codec, in: scratch), comment)
      PacketDecoderTests.expectEqual(Array(frames.suffix(6)), Array(intact.suffix(6)), comment)
      marked += frames.count { $0.isDamaged }
    }
    // On one thread FFmpeg's HEVC decoder sees no fault in any of these.
    #expect(marked > 0 || codec == .hevc)
  }

  /// Bytes that mean nothing, bytes that nearly do, and packets with faults: nothing throws, and the decoder goes on.
  @Test(arguments: PacketDecoder.Codec.allCases)
  func garbage(_ codec: PacketDecoder.Codec) throws {
    let scratch = try Scratch()
    let stream = try Self.stream(codec, in: scratch, frames: 6)
    let decoder = try PacketDecoder(codec: codec)
    var generator = Xorshift(seed: 18)
    let begin: [UInt8] = codec == .mjpeg ? [0xFF, 0xD8, 0xFF] : [0, 0, 0, 1]
    for number in 0..<1000 {
      var packet: [UInt8]
      if number % 3 == 2 {
        packet = stream.packets[number % stream.packets.count]
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
          packet[Int.random(in: 0..<min(packet.count, 1 << (number % 12)), using: &generator)] =
            UInt8.random(in: 0...255, using: &generator)
        }
        packet.removeLast(Int.random(in: 0..<packet.count, using: &generator) / (1 + number % 4))
      } else {
        let count = Int.random(in: 0...(1 << (number % 14)), using: &generator)
        packet = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        if number % 3 == 1 { packet = begin + packet }
      }
      _ = try decoder.decode(unsafe packet.span.bytes, at: PacketDecoderTests.time(number))
    }
    var frames: [CodedFrame] = []
    for round in 0..<2 {
      for (index, packet) in stream.packets.enumerated() {
        frames += try decoder.decode(unsafe packet.span.bytes, at: PacketDecoderTests.time(2000 + 10 * round + index))
      }
    }
    PacketDecoderTests.expectEqual(Array(frames.suffix(6)), try stream.expected(), "\(codec)")
  }

  /// Larger pictures than are allowed cost no memory.
  @Test(arguments: PacketDecoder.Codec.allCases)
  func largePictures(_ codec: PacketDecoder.Codec) throws {
    let scratch = try Scratch()
    let stream = try Self.stream(codec, in: scratch, frames: 3)
    let decoder = try PacketDecoder(codec: codec, maxPixels: 64 * 64)
    for (index, packet) in stream.packets.enumerated() {
      #expect(try decoder.decode(unsafe packet.span.bytes, at: PacketDecoderTests.time(index)).isEmpty)
    }
  }
}
