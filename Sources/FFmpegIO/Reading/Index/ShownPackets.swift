internal import Bitstreams
internal import CFFmpeg

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
    guard case .hevc(let framing) = syntax, let base = unsafe packet.pointee.data, unsafe packet.pointee.size > 0 else {
      return nil
    }
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
  /// is the first one, a broken link (16 to 18), or follows the end of a sequence or bitstream (36, 37).
  /// Source: ISO/IEC 23008-2, table 7-1 and 8.1.3.
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

  /// Whether a VP9 frame is shown, or shows another again; several in one packet include one that is.
  /// Source: VP9 bitstream specification 0.6, 6.2 and annex B.
  private static func isShownVP9(_ packet: Span<UInt8>) -> Bool {
    if packet[packet.count - 1] & 0xE0 == 0xC0 { return true }
    // Two bits of marker and two of profile; the highest profile is followed by a reserved bit.
    let bits = packet[0] << (packet[0] & 0x30 == 0x30 ? 5 : 4)
    let showsExisting = bits & 0x80 != 0
    return showsExisting || bits & 0x20 != 0
  }
}
