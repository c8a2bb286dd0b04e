internal import Bitstreams
internal import CFFmpeg

/// Puts the T.35 messages of frames, HDR10+ and closed captions, into the packets that they are coded in: one way for all
/// encoders, few of which write them.
struct MessageInserter {
  private let syntax: PacketSyntax
  /// Messages of frames that the encoder still holds, by presentation time.
  private var waiting: [Int64: [[UInt8]]] = [:]

  /// - Returns: nil for codecs that have no place for them.
  init?(_ parameters: AVCodecParameters) {
    guard let syntax = unsafe PacketSyntax(parameters) else { return nil }
    self.syntax = syntax
  }

  /// Keeps the messages of a frame.
  mutating func add(_ messages: [[UInt8]], at presentation: Int64) {
    if !messages.isEmpty { waiting[presentation] = messages }
  }

  /// Inserts the messages of the packet's frame, if it has some. One that finds no place is missed by `OutputCheck`.
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
