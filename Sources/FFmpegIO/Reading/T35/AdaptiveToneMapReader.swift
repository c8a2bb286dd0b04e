internal import CFFmpeg
internal import Frames

/// Extracts ST 2094-50 from the packets of a stream and assigns it to the decoded pictures.
struct AdaptiveToneMapReader {
  /// Country (United States), provider (SMPTE) and oriented code. Source: SMPTE ST 2094-50, 7.3.
  private static let codes: [UInt8] = [0xB5, 0x00, 0x90, 0x00, 0x01]
  /// Country, provider (Samsung), oriented code and application of HDR10+. Source: SMPTE ST 2094-40, CTA-861-I, S.
  private static let codesOfHDR10Plus: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]
  /// Packets that a decoder may hold back: sixteen for reordering, and a few per thread.
  private static let capacity = 256

  private let syntax: PacketSyntax?
  /// Metadata of packets that have not produced a picture yet, oldest first, by presentation time.
  private var waiting: [(time: Int64, map: AdaptiveToneMap)] = []
  /// Metadata of the last packet without a timestamp: raw streams have none.
  private var untimed: AdaptiveToneMap?
  /// Malformed messages since the last seek, and what was wrong with the first.
  private(set) var ignored = 0
  private(set) var reason: AdaptiveToneMapError?

  init(_ parameters: AVCodecParameters) { syntax = unsafe PacketSyntax(parameters) }

  /// Examines a packet for the decoder.
  mutating func read(_ packet: AVPacket) {
    guard let syntax, let base = unsafe packet.data, unsafe packet.size > 0 else { return }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size))
    for message in syntax.messages(in: bytes) where message.starts(with: Self.codes) {
      do {
        let map = try AdaptiveToneMap(payload: Array(message.dropFirst(Self.codes.count)))
        guard let time = unsafe known(packet.pts) else {
          untimed = map
          continue
        }
        if waiting.count == Self.capacity { waiting.removeFirst() }
        waiting.append((time, map))
      } catch {
        ignored += 1
        reason = reason ?? error
      }
    }
  }

  /// Whether a packet carries metadata that changes from frame to frame.
  func findsDynamicMetadata(in packet: AVPacket) -> Bool {
    var size = 0
    if unsafe av_packet_get_side_data([packet], AV_PKT_DATA_DYNAMIC_HDR10_PLUS, &size) != nil { return true }
    guard let syntax, let base = unsafe packet.data, unsafe packet.size > 0 else { return false }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size))
    return syntax.messages(in: bytes).contains { message in
      [Self.codes, Self.codesOfHDR10Plus].contains { message.starts(with: $0) }
    }
  }

  /// The metadata of a picture's packet.
  mutating func take(for picture: Picture) -> AdaptiveToneMap? {
    guard let time = known(unsafe picture.frame.pointee.pts) else { return untimed }
    // A packet may carry the message twice; the last one counts.
    guard let index = waiting.lastIndex(where: { $0.time == time }) else { return nil }
    let map = waiting[index].map
    waiting.removeAll { $0.time == time }
    return map
  }

  /// Discards pending metadata, for a seek.
  mutating func flush() {
    waiting.removeAll()
    untimed = nil
    ignored = 0
    reason = nil
  }
}
