internal import Bitstreams
internal import CFFmpeg

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
