internal import NIOCore
internal import NIOWebSocket

/// Rejects invalid client frames before fragments are reassembled: frames without a mask, or with bits of extensions,
/// none of which is negotiated (RFC 6455, 5.1 and 5.2).
final class ClientFrameCheck: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  /// An invalid frame.
  struct Violation: Error {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return context.fireErrorCaught(Violation())
    }
    context.fireChannelRead(data)
  }
}
