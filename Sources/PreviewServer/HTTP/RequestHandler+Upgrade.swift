internal import NIOCore
internal import NIOHTTP1

extension RequestHandler {
  /// Answers with status 101 and `headers`, and hands the connection to `client`.
  func upgrade(to client: EventClient, _ headers: HTTPHeaders, for exchange: Exchange) {
    guard leave(exchange), let context else { return }
    hub.counts.count(.switchingProtocols)
    let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    exchange.ended()
    let pipeline = context.pipeline.syncOperations
    do { try codec.replace(self, by: client, in: pipeline, limits: hub.limits) } catch { connection.drop() }
  }
}
