internal import CFFmpeg
internal import Frames

/// Follows the ambient viewing environment in the packets of a stream, which FFmpeg 5.1 does not report.
///
/// A message holds for the whole coded video sequence, so the latest one is that of the pictures.
struct AmbientViewingReader {
  private let syntax: PacketSyntax?
  /// What the latest message states; before any, what the container does.
  private(set) var latest: AmbientViewing?

  init(_ parameters: AVCodecParameters, container: AmbientViewing?) {
    syntax = unsafe PacketSyntax(parameters)
    latest = container
  }

  /// Examines a packet for the decoder.
  mutating func read(_ packet: AVPacket) {
    guard let syntax, let base = unsafe packet.data, unsafe packet.size > 0 else { return }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size))
    latest = syntax.ambientViewing(in: bytes) ?? latest
  }
}
