internal import CFFmpeg

/// Puts the HDR10+ messages of frames into the packets that they are coded in: encoders do not write them.
struct HDR10PlusInserter {
  private let syntax: PacketSyntax
  /// Messages of frames that the encoder still holds, by presentation time.
  private var waiting: [Int64: [UInt8]] = [:]

  /// - Returns: nil for codecs that have no place for them.
  init?(_ parameters: AVCodecParameters) {
    guard let syntax = unsafe PacketSyntax(parameters) else { return nil }
    self.syntax = syntax
  }

  /// Keeps the message of a frame.
  mutating func add(_ message: [UInt8], at presentation: Int64) { waiting[presentation] = message }

  /// Inserts the message of the packet's frame, if it has one. One that finds no place is missed by `OutputCheck`.
  mutating func insert(into packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    guard let message = unsafe waiting.removeValue(forKey: packet.pointee.pts), let data = unsafe packet.pointee.data
    else { return }
    // The packet's bytes outlive this span.
    let bytes = unsafe Span(_unsafeStart: data, count: Int(packet.pointee.size))
    guard let (place, inserted) = syntax.insertion(of: message, in: bytes) else { return }
    try unsafe FFmpegIO.insert(inserted, into: packet, at: place)
  }
}
