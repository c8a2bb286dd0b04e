internal import Bitstreams
internal import CFFmpeg
internal import Frames

/// Reads metadata from packets that FFmpeg does not report, and assigns it to the decoded pictures: ST 2094-50, HDR10+
/// in its coded form, and static metadata that FFmpeg 5.1 does not parse.
struct PacketMetadataReader {
  /// Maximum number of packets that a decoder holds back: sixteen for reordering, and a few per thread.
  private static let capacity: Int64 = 256

  /// Metadata in a picture's packet.
  struct Messages {
    var toneMap: AdaptiveToneMap?
    var hdr10Plus: [UInt8]?
    /// Whether the container holds HDR10+ beside the packet.
    var hasHDR10PlusBeside = false
    /// Static metadata, which applies until the next message.
    var sequence = HDRMetadata()
  }

  private let syntax: PacketSyntax?
  /// Whether to read mastering display and content light, which FFmpeg 5.1 does not report for H.264. For HEVC and AV1
  /// it does, and ends them with the coded video sequence.
  private let readsLight: Bool
  private let container: AmbientViewing?
  /// Messages of packets that have not produced a picture yet, by the decoder's packet number.
  private var waiting: [Int64: Messages] = [:]
  /// The latest static metadata.
  private var sequence: HDRMetadata
  /// Malformed ST 2094-50 messages since the last seek, and the first error.
  private(set) var ignored = 0
  private(set) var reason: AdaptiveToneMapError?

  init(_ parameters: AVCodecParameters, container: AmbientViewing? = nil) {
    syntax = unsafe PacketSyntax(parameters)
    readsLight = unsafe parameters.codec_id == AV_CODEC_ID_H264
    self.container = container
    sequence = HDRMetadata(ambientViewing: container)
  }

  /// Examines a packet before decoding.
  /// - Parameter number: `Decoder.nextPacket`.
  mutating func read(_ packet: AVPacket, number: Int64) {
    waiting[number - Self.capacity] = nil
    var found = Messages()
    // A packet may contain a message twice; the last one counts.
    for message in unsafe messages(in: packet) {
      switch message {
      case .registered(let bytes): note(bytes, in: &found)
      case .masteringDisplay(let display): if readsLight { sequence.masteringDisplay = display }
      case .contentLight(let light): if readsLight { sequence.contentLight = light }
      case .ambientViewing(let ambient): sequence.ambientViewing = ambient
      }
    }
    found.hasHDR10PlusBeside = unsafe Self.hasHDR10Plus(beside: packet)
    found.sequence = sequence
    waiting[number] = found
  }

  private mutating func note(_ message: [UInt8], in found: inout Messages) {
    switch RegisteredMessage(message) {
    case .hdr10Plus: found.hdr10Plus = message
    case .adaptiveToneMap:
      do {
        let codes = RegisteredMessage.adaptiveToneMap.codes
        found.toneMap = try AdaptiveToneMap(payload: Array(message.dropFirst(codes.count)))
      } catch {
        ignored += 1
        reason = reason ?? error
      }
    case .captions, nil: break
    }
  }

  /// Whether packets of this codec are supported.
  var knowsCodec: Bool { syntax != nil }

  /// Messages in a packet besides its picture.
  func messages(in packet: AVPacket) -> [PacketMessage] {
    guard let syntax, let base = unsafe packet.data, unsafe packet.size > 0 else { return [] }
    // The packet's bytes outlive this call, which retains none of them.
    return syntax.messages(in: unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size)))
  }

  /// The kinds of T.35 messages in a packet's bitstream.
  func kinds(in packet: AVPacket) -> Set<RegisteredMessage> {
    Set(
      unsafe messages(in: packet).compactMap { message in
        if case .registered(let bytes) = message { RegisteredMessage(bytes) } else { nil }
      })
  }

  /// Whether a packet carries metadata that changes from frame to frame.
  func findsDynamicMetadata(in packet: AVPacket) -> Bool {
    unsafe Self.hasHDR10Plus(beside: packet) || !kinds(in: packet).isDisjoint(with: [.adaptiveToneMap, .hdr10Plus])
  }

  /// FFmpeg 5.1 does not parse Matroska's and WebM's data beside a block: an eight-byte identifier, 4 for T.35, and the
  /// message. Source: Matroska media container codec mappings, "ITU T.35 Metadata".
  private static func hasHDR10Plus(beside packet: AVPacket) -> Bool {
    var size = 0
    if unsafe av_packet_get_side_data([packet], AV_PKT_DATA_DYNAMIC_HDR10_PLUS, &size) != nil { return true }
    guard let data = unsafe av_packet_get_side_data([packet], AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size)
    else { return false }
    let bytes = unsafe UnsafeBufferPointer(start: data, count: size)
    return unsafe bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 4] + RegisteredMessage.hdr10Plus.codes)
  }

  /// The metadata in a picture's packet.
  mutating func take(for picture: Picture) -> Messages {
    waiting.removeValue(forKey: unsafe hr_frame_packet(picture.frame)) ?? Messages(sequence: sequence)
  }

  /// Discards all state, for a seek.
  mutating func flush() {
    waiting.removeAll()
    sequence = HDRMetadata(ambientViewing: container)
    ignored = 0
    reason = nil
  }
}
