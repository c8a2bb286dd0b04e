internal import CFFmpeg
internal import Frames

/// Extracts the T.35 messages of dynamic metadata from the packets of a stream, and assigns them to the decoded pictures:
/// ST 2094-50, which FFmpeg does not parse, and those of HDR10+ as they are coded.
struct DynamicMetadataReader {
  /// Country (United States), provider (SMPTE) and oriented code. Source: SMPTE ST 2094-50, 7.3.
  private static let codes: [UInt8] = [0xB5, 0x00, 0x90, 0x00, 0x01]
  /// Country, provider (Samsung), oriented code and application of HDR10+. Source: SMPTE ST 2094-40, CTA-861-I, S.
  private static let codesOfHDR10Plus: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]
  /// Packets that a decoder may hold back: sixteen for reordering, and a few per thread.
  private static let capacity: Int64 = 256

  /// What the packet of a picture carries.
  struct Messages {
    var toneMap: AdaptiveToneMap?
    var hdr10Plus: [UInt8]?
    /// The container holds HDR10+ beside the packet.
    var hasHDR10PlusBeside = false
  }

  private let syntax: PacketSyntax?
  /// Messages of packets that have not produced a picture yet, by the decoder's number of the packet.
  private var waiting: [Int64: Messages] = [:]
  /// Malformed messages of ST 2094-50 since the last seek, and what was wrong with the first.
  private(set) var ignored = 0
  private(set) var reason: AdaptiveToneMapError?

  init(_ parameters: AVCodecParameters) { syntax = unsafe PacketSyntax(parameters) }

  /// Examines a packet for the decoder.
  /// - Parameter number: `Decoder.nextPacket`.
  mutating func read(_ packet: AVPacket, number: Int64) {
    waiting[number - Self.capacity] = nil
    var found = Messages()
    // A packet may carry a message twice; the last one counts.
    for message in unsafe messages(in: packet) {
      if message.starts(with: Self.codesOfHDR10Plus) { found.hdr10Plus = message }
      guard message.starts(with: Self.codes) else { continue }
      do {
        found.toneMap = try AdaptiveToneMap(payload: Array(message.dropFirst(Self.codes.count)))
      } catch {
        ignored += 1
        reason = reason ?? error
      }
    }
    found.hasHDR10PlusBeside = unsafe Self.hasHDR10Plus(beside: packet)
    if found.toneMap != nil || found.hdr10Plus != nil || found.hasHDR10PlusBeside { waiting[number] = found }
  }

  private func messages(in packet: AVPacket) -> [[UInt8]] {
    guard let syntax, let base = unsafe packet.data, unsafe packet.size > 0 else { return [] }
    // The packet's bytes outlive this call, which retains none of them.
    return syntax.messages(in: unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size)))
  }

  /// Whether a packet carries metadata that changes from frame to frame.
  func findsDynamicMetadata(in packet: AVPacket) -> Bool {
    if unsafe Self.hasHDR10Plus(beside: packet) { return true }
    return unsafe messages(in: packet).contains { message in
      [Self.codes, Self.codesOfHDR10Plus].contains { message.starts(with: $0) }
    }
  }

  /// FFmpeg 5.1 leaves what Matroska and WebM hold beside a block as it is: an identifier, 4 for T.35, of eight bytes, and the message.
  /// Source: Matroska media container codec mappings, "ITU T.35 Metadata".
  private static func hasHDR10Plus(beside packet: AVPacket) -> Bool {
    var size = 0
    if unsafe av_packet_get_side_data([packet], AV_PKT_DATA_DYNAMIC_HDR10_PLUS, &size) != nil { return true }
    guard let data = unsafe av_packet_get_side_data([packet], AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size) else {
      return false
    }
    let bytes = unsafe UnsafeBufferPointer(start: data, count: size)
    return unsafe bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 4] + codesOfHDR10Plus)
  }

  /// Whether the bitstream of a packet carries HDR10+.
  func findsHDR10Plus(in packet: AVPacket) -> Bool {
    unsafe messages(in: packet).contains { $0.starts(with: Self.codesOfHDR10Plus) }
  }

  /// What the packet of a picture carries.
  mutating func take(for picture: Picture) -> Messages {
    waiting.removeValue(forKey: unsafe hr_frame_packet(picture.frame)) ?? Messages()
  }

  /// Discards pending messages, for a seek.
  mutating func flush() {
    waiting.removeAll()
    ignored = 0
    reason = nil
  }
}
