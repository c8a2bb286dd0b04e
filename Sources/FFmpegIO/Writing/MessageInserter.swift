internal import Bitstreams
internal import CFFmpeg

/// Inserts the T.35 messages of frames, HDR10+ and closed captions, into their packets, for all encoders alike, because
/// few write them.
struct MessageInserter {
  private let syntax: PacketSyntax
  /// Messages of frames that are still in the encoder, by presentation time.
  private var waiting: [Int64: [[UInt8]]] = [:]

  /// - Returns: nil for codecs that cannot carry them.
  init?(_ parameters: AVCodecParameters) {
    guard let syntax = unsafe PacketSyntax(parameters) else { return nil }
    self.syntax = syntax
  }

  /// Stores the messages of a frame.
  mutating func add(_ messages: [[UInt8]], at presentation: Int64) {
    if !messages.isEmpty { waiting[presentation] = messages }
  }

  /// Inserts the messages of the packet's frame. `OutputCheck` detects messages that could not be inserted.
  mutating func insert(into packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    for message in unsafe waiting.removeValue(forKey: packet.pointee.pts) ?? [] {
      guard let data = unsafe packet.pointee.data else { return }
      // The packet's bytes outlive this span.
      let bytes = unsafe Span(_unsafeStart: data, count: Int(packet.pointee.size))
      guard let (place, inserted) = syntax.insertion(of: message, in: bytes) else { return }
      try unsafe FFmpegIO.insert(inserted, into: packet, at: place)
    }
  }
}

extension AV1Metadata {
  /// Inserts the OBUs into the packet of a key frame; other packets are unchanged.
  func insert(into packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    guard unsafe packet.pointee.flags & AV_PKT_FLAG_KEY != 0, let data = unsafe packet.pointee.data else { return }
    let count = unsafe Int(packet.pointee.size)
    let bytes = unsafe UnsafeBufferPointer(start: data, count: count)
    guard let place = unsafe Self.endOfSequenceHeader(in: bytes.span) else { return }
    try unsafe FFmpegIO.insert(units, into: packet, at: place)
  }
}
