import Foundation
import PreviewProtocol
import ProcessLink
import Testing

/// Messages and reports over their link.
@Suite struct PreviewLinkTests {
  private func pair() throws -> (renderer: RendererLink, network: NetworkLink) {
    let ends = try LinkSockets.pair()
    return (RendererLink(descriptor: ends.parent), NetworkLink(descriptor: ends.child))
  }

  @Test func messagesArriveInOrder() throws {
    let (renderer, network) = try pair()
    // One is larger than the socket holds: nobody would read it while it is sent.
    for message in MessageTests.messages.filter({ $0 != MessageTests.messages[6] }) {
      try renderer.send(message)
      #expect(try network.receive() == message)
    }
    for report in MessageTests.reports { try network.send(report) }
    for report in MessageTests.reports { #expect(try renderer.receive() == report) }
  }

  /// A stated length takes no memory before its bytes come.
  @Test func aReportIsBoundedForTheRenderer() throws {
    let ends = try LinkSockets.pair()
    let renderer = RendererLink(descriptor: ends.parent)
    let header: [UInt8] = [0, 16, 0, 1, 1, 0, 0, 0, 0]
    #expect(unsafe write(ends.child, header, header.count) == header.count)
    close(ends.child)
    #expect(throws: LinkError.isTooLong(bytes: 1 << 20 | 1)) { try renderer.receive() }
    let network = try pair().network
    let request = ServerRequest(.patch, body: String(repeating: "a", count: 1 << 20))
    #expect(throws: LinkError.self) { try network.send(.request(id: 1, request)) }
  }
}
