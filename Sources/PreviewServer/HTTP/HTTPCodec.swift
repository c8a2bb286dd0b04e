internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// The HTTP handlers of a connection, removed when a WebSocket starts.
struct HTTPCodec {
  private let encoder = HTTPResponseEncoder()
  private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
  private let pipelining = HTTPServerPipelineHandler()

  init(limits: Limits) {
    var configuration = NIOHTTPDecoderLimitConfiguration()
    configuration.maxHeaderFieldSize = max(limits.targetBytes * 2, limits.headerBytes / 2)
    configuration.maxHeaderListSize = limits.headerBytes + limits.targetBytes
    configuration.maxHeaderFieldCount = limits.headers
    decoder = ByteToMessageHandler(
      HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: configuration))
  }

  func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
    try pipeline.addHandlers([encoder, decoder, pipelining])
  }

  /// Replaces `handler` with `client`, and HTTP with WebSocket frames.
  func replace(
    _ handler: RequestHandler, by client: EventClient, in pipeline: ChannelPipeline.SynchronousOperations,
    limits: Limits
  ) throws {
    let frames = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.messageBytes))
    let aggregator = NIOWebSocketFrameAggregator(
      minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 16, maxAccumulatedFrameSize: limits.messageBytes)
    _ = pipeline.removeHandler(encoder)
    _ = pipeline.removeHandler(pipelining)
    _ = pipeline.removeHandler(handler)
    try pipeline.addHandlers([WebSocketFrameEncoder(), frames, ClientFrameCheck(), aggregator, client])
    // The decoder passes on unread bytes when removed: last, so that they are decoded as frames.
    _ = pipeline.removeHandler(decoder)
  }
}
