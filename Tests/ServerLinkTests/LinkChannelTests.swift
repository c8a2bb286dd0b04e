import Foundation
import ServerLink
import Testing

/// Messages between two ends of a socket, and what is no message.
@Suite struct LinkChannelTests {
  private func pair() throws -> (renderer: RendererLink, network: NetworkLink) {
    let ends = try LinkSockets.pair()
    return (RendererLink(descriptor: ends.renderer, patience: 0.1), NetworkLink(descriptor: ends.network))
  }

  /// A channel, and the descriptor at its other end, which the test closes.
  private func raw() throws -> (descriptor: Int32, network: NetworkLink) {
    let ends = try LinkSockets.pair()
    return (ends.renderer, NetworkLink(descriptor: ends.network))
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    #expect(unsafe Foundation.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  @Test func messagesArriveInOrder() throws {
    let (renderer, network) = try pair()
    for message in LinkMessageTests.messages.filter({ $0 != LinkMessageTests.messages[6] }) {
      try renderer.send(message)
      #expect(try network.receive() == message)
    }
    for report in LinkMessageTests.reports { try network.send(report) }
    for report in LinkMessageTests.reports { #expect(try renderer.receive() == report) }
    renderer.close()
    #expect(try network.receive() == nil)
    #expect(throws: LinkError.isClosed) { try network.send(.left(viewer: 1)) }
  }

  /// Larger than the socket holds, from two threads at once.
  @Test func messagesOfThreadsAreNotMixed() async throws {
    let ends = try LinkSockets.pair()
    let renderer = RendererLink(descriptor: ends.renderer)
    let network = NetworkLink(descriptor: ends.network)
    for stream in [1, 2] {
      Thread.detachNewThread {
        for sequence in 1...20 {
          let bytes = [UInt8](repeating: UInt8(stream), count: 100_000)
          try? renderer.send(.fragment(stream: stream, .init(isKey: false, sequence: sequence), bytes: bytes))
        }
      }
    }
    var last = [1: 0, 2: 0]
    for _ in 1...40 {
      guard case .fragment(let stream, let fragment, let bytes)? = try network.receive() else {
        Issue.record("no fragment")
        return
      }
      #expect(bytes == [UInt8](repeating: UInt8(stream), count: 100_000))
      #expect(fragment.sequence == last[stream, default: 0] + 1)
      last[stream] = fragment.sequence
    }
  }

  @Test func aProcessThatDoesNotReadIsGivenUp() throws {
    let (renderer, network) = try pair()
    let bytes = [UInt8](repeating: 0, count: 4 << 20)
    #expect(throws: LinkError.timedOut) { try renderer.send(.initialization(stream: 1, bytes: bytes)) }
    #expect(throws: LinkError.isClosed) { try renderer.send(.finish) }
    withExtendedLifetime(network) {}
  }

  @Test func closingWakesTheReader() async throws {
    let (renderer, network) = try pair()
    Thread.detachNewThread { network.close() }
    #expect(try network.receive() == nil)
    #expect(try renderer.receive() == nil)
  }

  @Test(arguments: [
    ([0, 0, 0, 4, 9, 0, 0, 0, 0], LinkError.isMalformed),
    ([0, 0, 0, 6, 9, 0, 0, 0, 2], .isMalformed),
    ([0, 0, 0, 5, 9, 255, 255, 255, 255], .isMalformed),
    ([255, 255, 255, 255, 9, 0, 0, 0, 0], .isTooLong(bytes: 0xFFFF_FFFF)),
    ([0, 0, 0, 5, 77, 0, 0, 0, 0], .hasUnknownKind(77)),
    ([0, 0, 0, 5, 1, 0, 0, 0, 0], .isMalformed),
    ([0, 0, 0], .isTruncated), ([0, 0, 0, 9, 9, 0, 0, 0, 2, 0x7B], .isTruncated),
  ]) func whatIsNoMessageIsAnError(bytes: [UInt8], error: LinkError) throws {
    let (descriptor, network) = try raw()
    write(bytes, to: descriptor)
    close(descriptor)
    #expect(throws: error) { try network.receive() }
  }

  /// A stated length takes no memory before its bytes come.
  @Test func aReportIsBoundedForTheRenderer() throws {
    let ends = try LinkSockets.pair()
    let renderer = RendererLink(descriptor: ends.renderer)
    write([0, 16, 0, 1, 1, 0, 0, 0, 0], to: ends.network)
    close(ends.network)
    #expect(throws: LinkError.isTooLong(bytes: 1 << 20 | 1)) { try renderer.receive() }
    let network = try pair().network
    let request = ServerRequest(.patch, body: String(repeating: "a", count: 1 << 20))
    #expect(throws: LinkError.self) { try network.send(.request(id: 1, request)) }
  }
}
