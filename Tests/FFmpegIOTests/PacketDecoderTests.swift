import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Packets without a container give the frames that a reader finds in a file with the same packets.
@Suite struct PacketDecoderTests {
  /// A stream as bytes and its packets.
  struct Stream {
    let path: String
    let packets: [[UInt8]]

    /// - Parameter path: A raw stream, whose packets lie one after the other.
    init(_ path: String) throws {
      self.path = path
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let text = try Tool.ffprobe.run(["-show_entries", "packet=size", "-of", "csv=p=0", path])
      var position = 0
      var packets: [[UInt8]] = []
      for size in String(decoding: text, as: UTF8.self).split(whereSeparator: { !$0.isNumber }).compactMap({ Int($0) })
      {
        packets.append(Array(bytes[position..<position + size]))
        position += size
      }
      try #require(position == bytes.count && packets.count > 1)
      self.packets = packets
    }

    func expected() throws -> [CodedFrame] { try PacketDecoderTests.frames(path) }
  }

  /// What a reader makes of a raw stream. One thread, because FFmpeg conceals damage otherwise where threads have a picture
  /// each.
  static func frames(_ path: String) throws -> [CodedFrame] {
    var path = path
    // Raw JPEG would be pictures, whose colour is that of stills.
    if path.hasSuffix(".mjpeg") {
      try Tool.ffmpeg.run(["-i", path, "-c", "copy", "-y", path + ".avi"])
      path += ".avi"
    }
    let reader = try MediaReader(url: path, threads: 1)
    var frames: [CodedFrame] = []
    while let frame = try reader.readFrame() { frames.append(frame) }
    return frames
  }

  static func time(_ index: Int) -> FrameTime {
    FrameTime(presentation: 1_000_000 + 7 * Int64(index), duration: 3, timeBase: Rational(1, 1000))
  }

  /// The frames of packets, each of which was captured at the time of its index, and how many each gave.
  static func decode(
    _ packets: [[UInt8]], _ codec: PacketDecoder.Codec, threads: Int = 0
  ) throws -> (frames: [CodedFrame], counts: [Int]) {
    let decoder = try PacketDecoder(codec: codec, threads: threads)
    var (frames, counts): ([CodedFrame], [Int]) = ([], [])
    for (index, packet) in packets.enumerated() {
      let found = try decoder.decode(unsafe packet.span.bytes, at: time(index))
      frames += found
      counts.append(found.count)
    }
    return (frames, counts)
  }

  static func samples(_ frame: CodedFrame) -> Data {
    var bytes = Data()
    for plane in 0..<frame.layout.planeCount {
      unsafe frame.withPlane(plane) { view in
        for y in 0..<(unsafe view.size.height) {
          let count = unsafe view.size.width * frame.layout.bytesPerSample
          unsafe bytes.append(view.row(y).assumingMemoryBound(to: UInt8.self), count: count)
        }
      }
    }
    return bytes
  }

  static func expectEqual(_ found: [CodedFrame], _ expected: [CodedFrame], _ comment: Comment) {
    #expect(found.count == expected.count, comment)
    for (a, b) in zip(found, expected) {
      #expect(a.format == b.format && a.metadata == b.metadata, comment)
      #expect(a.isDamaged == b.isDamaged && a.fieldOrder == b.fieldOrder, comment)
      // As a value of its own: if the comparison fails, the test library would search megabytes for differences.
      let isSame = samples(a) == samples(b)
      #expect(isSame, comment)
    }
  }

  private static let x265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params"]
  private static let x264 = ["-c:v", "libx264", "-preset", "ultrafast"]

  static let streams: [(PacketDecoder.Codec, [String])] = [
    (.mjpeg, ["-c:v", "mjpeg", "-pix_fmt", "yuvj422p"]), (.mjpeg, ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]),
    (.mjpeg, ["-c:v", "mjpeg", "-pix_fmt", "yuvj444p"]),
    (.h264, x264 + ["-bf", "0", "-pix_fmt", "yuv420p", "-g", "4"]),
    (.h264, x264 + ["-bf", "0", "-pix_fmt", "yuv422p10le", "-slices", "4", "-color_trc", "arib-std-b67"]),
    (.h264, x264 + ["-bf", "0", "-pix_fmt", "yuv420p", "-flags", "+ildct+ilme", "-x264-params", "tff=1"]),
    (.hevc, x265 + ["log-level=none:bframes=0", "-pix_fmt", "yuv420p"]),
    (
      .hevc,
      x265 + [
        "log-level=none:bframes=0:hdr10=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)"
          + "L(10000000,1):max-cll=1000,400:chromaloc=2", "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020",
        "-color_trc", "smpte2084", "-colorspace", "bt2020nc",
      ]
    ),
  ]

  static func stream(
    _ codec: PacketDecoder.Codec, _ arguments: [String], in scratch: Scratch, size: String = "130x100", frames: Int = 9
  ) throws -> Stream {
    let name = "\(UUID().uuidString).\(codec.rawValue)"
    return try Stream(
      scratch.clip(name, size: size, frames: frames, arguments + ["-f", codec.rawValue]))
  }

  /// One frame for each packet at once, and with its time.
  @Test(arguments: streams) func framesAreThoseOfAFile(_ codec: PacketDecoder.Codec, _ arguments: [String]) throws {
    let scratch = try Scratch()
    let stream = try Self.stream(codec, arguments, in: scratch)
    let (frames, counts) = try Self.decode(stream.packets, codec)
    Self.expectEqual(frames, try stream.expected(), "\(arguments)")
    #expect(counts == stream.packets.map { _ in 1 })
    #expect(frames.map(\.time) == stream.packets.indices.map(Self.time))
    #expect(frames.map(\.sourceTime) == frames.map(\.time))
  }

  @Test func metadataAndTagsAreThere() throws {
    let scratch = try Scratch()
    let (codec, arguments) = try #require(Self.streams.last)
    let (frames, _) = try Self.decode(try Self.stream(codec, arguments, in: scratch).packets, codec)
    let frame = try #require(frames.last)
    #expect(frame.color.transfer == .pq && frame.color.primaries == .bt2020 && frame.color.chromaLocation == .topLeft)
    #expect(frame.metadata.contentLight?.maxCLL == 1000 && frame.metadata.masteringDisplay?.red.x == 34000)
    let camera = try Self.stream(.mjpeg, Self.streams[0].1, in: scratch)
    let picture = try #require(try Self.decode(camera.packets, .mjpeg).frames.first)
    #expect(picture.color.range == .full && picture.layout == PixelLayout(.ycbcr422, bitDepth: 8))
    #expect(picture.color.matrix == .bt470BG)
  }

  /// Messages that FFmpeg does not parse.
  @Test(arguments: [PacketDecoder.Codec.h264, .hevc])
  func messages(_ codec: PacketDecoder.Codec) throws {
    let scratch = try Scratch()
    let made = try Self.stream(codec, Self.streams.last { $0.0 == codec }?.1 ?? [], in: scratch, frames: 3)
    let room = AmbientViewing(illuminance: 3_140_000, lightX: 15_635, lightY: 16_450)
    let raw: Injection.Codec = codec == .hevc ? .hevc : .h264
    try Injection.inject([room.seiPayload], into: made.path, raw, type: 148)
    let (frames, _) = try Self.decode(try Stream(made.path).packets, codec)
    #expect(frames.map(\.metadata.ambientViewing) == [room, room, room])
  }

  /// Pictures that the stream reorders come in order, each with the time of its own packet.
  @Test(arguments: [PacketDecoder.Codec.h264, .hevc])
  func reorderedPictures(_ codec: PacketDecoder.Codec) throws {
    let scratch = try Scratch()
    let coding =
      codec == .h264
      ? Self.x264 + ["-x264-params", "bframes=2:b-adapt=0:b-pyramid=none:scenecut=0"]
      : Self.x265 + ["log-level=none:bframes=2:b-adapt=0:b-pyramid=0:scenecut=0"]
    let stream = try Self.stream(codec, coding + ["-pix_fmt", "yuv420p"], in: scratch, frames: 22)
    let (frames, _) = try Self.decode(stream.packets, codec)
    let expected = try stream.expected()
    // What the last packets begin stays with the decoder.
    #expect(frames.count >= expected.count - 4)
    Self.expectEqual(frames, Array(expected.prefix(frames.count)), "\(codec)")
    // I0 P3 B1 B2 P6 B4 B5 ...
    let packets: [Int] = [0] + (0..<7).flatMap { group -> [Int] in [3 * group + 2, 3 * group + 3, 3 * group + 1] }
    #expect(frames.map(\.time) == packets.prefix(frames.count).map(Self.time))
  }

  /// Nothing before the first key frame; then all is intact.
  @Test(arguments: [PacketDecoder.Codec.h264, .hevc])
  func beginsAtAKeyFrame(_ codec: PacketDecoder.Codec) throws {
    let scratch = try Scratch()
    let coding =
      codec == .h264
      ? Self.x264 + ["-x264-params", "keyint=6:min-keyint=6:scenecut=0:bframes=0"]
      : Self.x265 + ["log-level=none:keyint=6:min-keyint=6:scenecut=0:bframes=0"]
    let stream = try Self.stream(codec, coding + ["-pix_fmt", "yuv420p"], in: scratch, frames: 15)
    let expected = Array(try stream.expected().dropFirst(6))
    // Devices may send the parameter sets at any time: then pictures without a reference could be decoded.
    let parameters = Self.parameterSets(stream.packets[0], codec)
    try #require(parameters.count > 20)
    for start in 1...5 {
      let packets = Array(stream.packets.dropFirst(start))
      Self.expectEqual(try Self.decode(packets, codec).frames, expected, "from \(start)")
      Self.expectEqual(
        try Self.decode([parameters] + packets, codec).frames, expected, "from \(start), with parameter sets")
    }
  }

  /// What lies before the first slice of an access unit.
  private static func parameterSets(_ packet: [UInt8], _ codec: PacketDecoder.Codec) -> [UInt8] {
    for index in packet.indices.dropLast(4) where packet[index..<index + 3].elementsEqual([0, 0, 1]) {
      let header = packet[index + 3]
      let isSlice = codec == .hevc ? header >> 1 & 0x3F < 32 : (1...5).contains(header & 0x1F)
      if isSlice { return Array(packet[..<index]) }
    }
    return []
  }

  /// Many cameras leave out the Huffman tables, which are those of the standard.
  @Test func picturesWithoutHuffmanTables() throws {
    let scratch = try Scratch()
    let coding = ["-c:v", "mjpeg", "-huffman", "default", "-pix_fmt", "yuvj422p"]
    let stream = try Self.stream(.mjpeg, coding, in: scratch)
    let stripped = stream.packets.map(Self.withoutTables)
    #expect(zip(stripped, stream.packets).allSatisfy { $0.count < $1.count - 400 })
    Self.expectEqual(try Self.decode(stripped, .mjpeg).frames, try stream.expected(), "without tables")
  }

  /// Without the segments DHT (FF C4).
  private static func withoutTables(_ picture: [UInt8]) -> [UInt8] {
    var (result, index) = (Array(picture.prefix(2)), 2)
    while index + 3 < picture.count, picture[index] == 0xFF, picture[index + 1] != 0xDA {
      let end = index + 2 + (Int(picture[index + 2]) << 8 | Int(picture[index + 3]))
      if picture[index + 1] != 0xC4 { result += picture[index..<end] }
      index = end
    }
    return result + picture[index...]
  }

  @Test(arguments: [(PacketDecoder.Codec.mjpeg, 0), (.h264, 3), (.hevc, 6)])
  func sizeChanges(_ codec: PacketDecoder.Codec, _ index: Int) throws {
    let scratch = try Scratch()
    let small = try Self.stream(codec, Self.streams[index].1, in: scratch, frames: 4)
    let large = try Self.stream(codec, Self.streams[index].1, in: scratch, size: "258x68", frames: 4)
    let (frames, _) = try Self.decode(small.packets + large.packets + small.packets, codec)
    let (a, b) = (try small.expected(), try large.expected())
    Self.expectEqual(frames, a + b + a, "\(codec)")
    #expect(Set(frames.map(\.size)).count == 2)
  }

  @Test func clips() throws {
    for name in ["media/hdr10-sample.mp4", "media/hlg-sample.mp4"] {
      let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent(name).path
      let scratch = try Scratch()
      let raw = scratch.path("a.hevc")
      try Tool.ffmpeg.run(["-i", path, "-c:v", "copy", "-frames:v", "12", "-an", "-f", "hevc", raw])
      let stream = try Stream(raw)
      let (frames, _) = try Self.decode(stream.packets, .hevc)
      #expect(frames.count > 4)
      Self.expectEqual(frames, Array(try stream.expected().prefix(frames.count)), "\(name)")
    }
  }
}
