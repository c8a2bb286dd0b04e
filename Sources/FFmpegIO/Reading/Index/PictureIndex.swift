internal import Bitstreams
internal import CFFmpeg
public import Frames
public import Media

/// The pictures of an input in presentation order, found without decoding; used to cut a film into chunks.
///
/// The times match the frames of `MediaReader`, because both read the same packets with the same corrected clock.
/// Packets that an edit list hides, packets without a separate picture, and pictures before the first decodable one are
/// left out. Packet contents are not checked: damaged packets count as pictures. About 24 bytes per picture are kept.
public struct PictureIndex: Sendable {
  /// Where decoding can begin.
  public enum Access: UInt8, Sendable, Hashable, Codable {
    /// A coded video sequence: nothing before it is needed.
    case sequence
    /// A group of pictures in a sequence; pictures shown before it but stored after it need the previous group.
    case group
  }

  /// A picture.
  public struct Picture: Sendable, Hashable {
    /// Presentation time in units of the stream's time base.
    public let presentation: Int64
    /// Duration in the same units; 0 if the container does not state it.
    public let duration: Int64
    /// The access point at this picture; nil if decoding cannot begin here.
    public let access: Access?
    /// Whether a field that is coded as a picture is a top field; nil for frames.
    fileprivate var isTop: Bool?
  }

  /// Progress of reading.
  public struct Progress: Sendable, Hashable {
    /// Pictures so far.
    public let pictures: Int
    /// Seconds of the input's clock.
    public let seconds: Double
  }

  /// In order of presentation.
  public private(set) var pictures: [Picture]
  /// Index of the stream in the file.
  public let stream: Int
  /// Length in seconds of one unit of the times.
  public private(set) var timeBase: Rational
  /// Pictures without a presentation time. They are listed by decoding time, which may differ from the frame's time.
  public let untimed: Int
  /// Whether some pictures are coded as two fields with a packet each; both form one entry.
  public let hasFieldPackets: Bool
  /// Whether some packets carry HDR10+ or ST 2094-50.
  public let hasDynamicMetadata: Bool
  /// Clock discontinuities: the times before and after one are not comparable, so seeking by them fails.
  public let clockJumps: Int
  /// Packets that the container marks as damaged, and failed reads: pictures are missing.
  public let errors: Int
  /// Whether the file is truncated.
  public let endsEarly: Bool

  /// Packets between two calls of `proceed`.
  private static let interval = 256
  /// Maximum number of pictures in an input: nine days at 25 frames a second.
  private static let limit = 20_000_000

  /// Reads an input to its end.
  /// - Parameters:
  ///   - url: As for `MediaReader`.
  ///   - format: FFmpeg's name of the container; nil: detected from the content.
  ///   - videoIndex: Index of the stream; nil: FFmpeg's best choice.
  ///   - limits: Limits on what a file may demand.
  ///   - proceed: Called every few hundred packets; false ends reading.
  /// - Returns: nil if `proceed` ended it.
  /// - Throws: `FFmpegError` if the input cannot be opened or read a second time, has no video, no picture that can be
  ///   decoded, or more pictures than any film, or if the system cannot read on.
  public static func read(
    url: String, format: String? = nil, videoIndex: Int? = nil, limits: ReadLimits = ReadLimits(),
    proceed: (Progress) -> Bool = { _ in true }
  ) throws(FFmpegError) -> PictureIndex? {
    FFmpegLog.prepare()
    let policy = ProtocolPolicy(limits.protocols)
    let source = PictureStream.Source(
      location: try Location(input: url, policy), format: format, protocols: policy, video: videoIndex, threads: 1,
      maxPixels: limits.maxPixels)
    let stream = try PictureStream(source)
    guard stream.isRepeatable else {
      throw .failed(
        .seek, path: source.location.name, code: 0, message: "the input is a stream and cannot be read twice")
    }
    let first = try firstTime(source)
    return try PictureIndex(stream, from: first, proceed)
  }

  /// Time of the first picture that the decoder returns: it skips pictures that depend on data before the file.
  private static func firstTime(_ source: PictureStream.Source) throws(FFmpegError) -> Int64 {
    let stream = try PictureStream(source)
    while let step = try stream.next() {
      guard let picture = step.picture else { continue }
      return unsafe known(picture.frame.pointee.best_effort_timestamp) ?? known(picture.frame.pointee.pts) ?? .min
    }
    throw .nothingDecoded(path: source.location.name, packets: stream.packets, errors: stream.errors)
  }

  private init?(
    _ stream: PictureStream, from first: Int64, _ proceed: (Progress) -> Bool
  ) throws(FFmpegError) {
    var found: [Picture] = []
    var untimed = 0
    var packets = 0
    var isDynamic = false
    var damaged = 0
    guard let parameters = unsafe stream.stream.pointee.codecpar else { return nil }
    var shown = try unsafe ShownPackets(parameters)
    while try stream.readPacket() {
      defer { unsafe av_packet_unref(stream.packet) }
      guard unsafe Int(stream.packet.pointee.stream_index) == stream.index else { continue }
      stream.countUndecoded()
      packets += 1
      if unsafe stream.packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 { damaged += 1 }
      if packets % Self.interval == 0, !proceed(Progress(pictures: found.count, seconds: stream.lastTime)) {
        return nil
      }
      if !isDynamic { isDynamic = unsafe stream.packetMetadata.findsDynamicMetadata(in: stream.packet.pointee) }
      let kind = unsafe stream.accessPoints.kind(of: stream.packet.pointee)
      guard unsafe shown.isShown(stream.packet) else { continue }
      if unsafe known(stream.packet.pointee.pts) == nil { untimed += 1 }
      guard var picture = unsafe Picture(stream.packet, kind), picture.presentation >= first else { continue }
      if stream.weaver != nil { picture.isTop = unsafe shown.isTopField(stream.packet) }
      found.append(picture)
      if found.count > Self.limit {
        let message = "it has more than \(Self.limit) pictures: cut it into parts first"
        throw .failed(.read, path: stream.source.location.name, code: 0, message: message)
      }
    }
    // Sorting is stable: equal times stay in file order.
    found.sort { $0.presentation < $1.presentation }
    pictures = Self.woven(found)
    self.stream = stream.index
    timeBase = unsafe stream.stream.pointee.time_base.rational
    self.untimed = untimed
    hasDynamicMetadata = isDynamic
    hasFieldPackets = shown.hasFieldPackets || pictures.count < found.count
    clockJumps = stream.clock.jumps
    errors = stream.errors + damaged
    endsEarly = stream.endsEarly
  }

  /// The frames after weaving fields, as `FieldWeaver` does.
  private static func woven(_ pictures: [Picture]) -> [Picture] {
    var (pairing, frames) = (FieldPairing(), [Picture]())
    for picture in pictures {
      let field = picture.isTop.map {
        FieldPairing.Field(isTop: $0, time: picture.presentation, duration: picture.duration)
      }
      switch field.map({ pairing.place($0) }) {
      case .second:
        let first = frames.removeLast()
        let duration = first.duration / 2 &+ picture.duration
        frames.append(Picture(presentation: first.presentation, duration: duration, access: first.access))
      // The missing field is as long as the present one.
      case .first, .alone:
        let duration = picture.duration &* 2
        frames.append(Picture(presentation: picture.presentation, duration: duration, access: picture.access))
      case .early: break
      case nil:
        pairing.interrupt()
        frames.append(picture)
      }
    }
    return frames
  }

  /// The frames of a reader that deinterlaces, if all pictures are interlaced.
  public func deinterlaced(_ deinterlacing: Deinterlacing?) -> PictureIndex {
    guard deinterlacing == .field else { return self }
    var index = self
    index.timeBase = timeBase.halved
    index.pictures = pictures.indices.flatMap { place in
      let first = pictures[place]
      let next = place + 1 < pictures.count ? pictures[place + 1].presentation : first.presentation &+ first.duration
      return [(first.presentation &* 2, first.access), (first.presentation &+ next, nil)].map { time, access in
        Picture(presentation: time, duration: first.duration, access: access)
      }
    }
    return index
  }
}

extension PictureIndex.Picture {
  /// nil for a packet without timestamps.
  fileprivate init?(_ packet: UnsafePointer<AVPacket>, _ access: PictureIndex.Access?) {
    guard let time = unsafe known(packet.pointee.pts) ?? known(packet.pointee.dts) else { return nil }
    presentation = time
    duration = unsafe max(0, packet.pointee.duration)
    self.access = access
  }
}

/// Distinguishes packets that result in a frame from others: references that are never shown, second fields, and
/// pictures whose references are missing on purpose.
@safe
struct ShownPackets {
  // @safe: the parser is freed with the object that owns it.

  /// Whether some pictures have a packet per field.
  private(set) var hasFieldPackets = false
  private let codec: AVCodecID
  private let syntax: PacketSyntax?
  private let parser: PacketParser?
  /// The first field of a picture whose second field is pending.
  private var firstField: AVPictureStructure?
  /// Whether skipped leading pictures of the latest random access point lack references.
  private var skipsLeading = false
  /// Whether no random access point has followed the start, or the end of a sequence.
  private var isBeginning = true

  init(_ parameters: UnsafePointer<AVCodecParameters>) throws(FFmpegError) {
    codec = unsafe parameters.pointee.codec_id
    syntax = unsafe PacketSyntax(parameters.pointee)
    parser = codec == AV_CODEC_ID_H264 ? try unsafe PacketParser(parameters) : nil
  }

  /// Whether the next packet, in file order, results in a frame.
  mutating func isShown(_ packet: UnsafePointer<AVPacket>) -> Bool {
    guard let base = unsafe packet.pointee.data, unsafe packet.pointee.size > 0 else { return false }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.pointee.size))
    let isOwn =
      switch codec {
      case AV_CODEC_ID_H264: unsafe beginsPicture(packet)
      case AV_CODEC_ID_HEVC: isDecodable(bytes)
      case AV_CODEC_ID_VP8: bytes[0] & 0x10 != 0
      case AV_CODEC_ID_VP9: Self.isShownVP9(bytes)
      default: true
      }
    return unsafe isOwn && packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0
  }

  /// Whether a field picture is a top field, by `pic_struct` of its timing; nil if missing. Source: ISO/IEC 23008-2,
  /// D.2.3 and table D.2.
  func isTopField(_ packet: UnsafePointer<AVPacket>) -> Bool? {
    guard case .hevc(let framing) = syntax, let base = unsafe packet.pointee.data, unsafe packet.pointee.size > 0
    else { return nil }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.pointee.size))
    let timing = SEIMessages.messages(of: [SEIMessages.pictureTiming], in: bytes, framing: framing, header: .hevc).first
    switch timing?.payload.first.map({ $0 >> 4 }) {
    case 1, 9, 11: return true
    case 2, 10, 12: return false
    default: return nil
    }
  }

  /// Whether an H.264 packet is a frame or a first field.
  private mutating func beginsPicture(_ packet: UnsafePointer<AVPacket>) -> Bool {
    let structure = unsafe parser?.parse(packet).structure ?? AV_PICTURE_STRUCTURE_UNKNOWN
    guard structure == AV_PICTURE_STRUCTURE_TOP_FIELD || structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD else {
      firstField = nil
      return true
    }
    if let first = firstField, first != structure {
      firstField = nil
      hasFieldPackets = true
      return false
    }
    firstField = structure
    return true
  }

  /// Whether an HEVC picture has its references. Skipped leading pictures (8, 9) belong to a random access point that
  /// is the first one, a broken link (16 to 18), or follows the end of a sequence or bitstream (36, 37). Source:
  /// ISO/IEC 23008-2, table 7-1 and 8.1.3.
  private mutating func isDecodable(_ packet: Span<UInt8>) -> Bool {
    guard case .hevc(let framing) = syntax else { return true }
    let header = SEIMessages.Header.hevc
    var position = 0
    var result = true
    var hasPicture = false
    while let unit = NALUnits.next(in: packet, from: &position, framing) {
      guard unit.count > 0 else { continue }
      let type = header.type(packet[unit.lowerBound])
      if type == 36 || type == 37 { isBeginning = true }
      guard header.isPicture(type), !hasPicture else { continue }
      hasPicture = true
      if (16...23).contains(type) {
        skipsLeading = isBeginning || (16...18).contains(type)
        isBeginning = false
      }
      if type == 8 || type == 9 { result = !skipsLeading }
    }
    return result
  }

  /// Whether a VP9 frame is shown, or shows another again; several in one packet include one that is. Source: VP9
  /// bitstream specification 0.6, 6.2 and annex B.
  private static func isShownVP9(_ packet: Span<UInt8>) -> Bool {
    if packet[packet.count - 1] & 0xE0 == 0xC0 { return true }
    // Two bits of marker and two of profile; the highest profile is followed by a reserved bit.
    let bits = packet[0] << (packet[0] & 0x30 == 0x30 ? 5 : 4)
    let showsExisting = bits & 0x80 != 0
    return showsExisting || bits & 0x20 != 0
  }
}

/// FFmpeg's parser of whole packets: reads the structure and order of pictures from their headers.
@safe
final class PacketParser {
  // @safe: the pointers do not leave this object, and are freed with it.
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let parser: UnsafeMutablePointer<AVCodecParserContext>

  /// - Returns: nil if FFmpeg has no parser for the codec.
  init?(_ parameters: UnsafePointer<AVCodecParameters>) throws(FFmpegError) {
    guard let parser = unsafe av_parser_init(Int32(bitPattern: parameters.pointee.codec_id.rawValue))
    else { return nil }
    guard let context = unsafe avcodec_alloc_context3(nil) else {
      unsafe av_parser_close(parser)
      throw .outOfMemory
    }
    unsafe self.parser = unsafe parser
    unsafe self.context = unsafe context
    unsafe parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    if unsafe avcodec_parameters_to_context(context, parameters) < 0 { throw .outOfMemory }
  }

  deinit {
    unsafe av_parser_close(parser)
    unsafe release(context, avcodec_free_context)
  }

  /// Reads the next packet, in file order.
  /// - Returns: Whether it is a frame or which field its first slice belongs to, and its output position since the last
  ///   picture that began a sequence.
  func parse(_ packet: UnsafePointer<AVPacket>) -> (structure: AVPictureStructure, order: Int) {
    var output: UnsafeMutablePointer<UInt8>?
    var size: Int32 = 0
    _ = unsafe av_parser_parse2(
      parser, context, &output, &size, packet.pointee.data, packet.pointee.size, packet.pointee.pts,
      packet.pointee.dts, packet.pointee.pos)
    return unsafe (parser.pointee.picture_structure, Int(parser.pointee.output_picture_number))
  }
}
