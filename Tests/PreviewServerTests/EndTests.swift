import Foundation
import PreviewProtocol
import PreviewServer
import ProcessLink
import Testing

/// The end of the preview, however it comes.
@Suite struct EndTests {
  private func watch(_ server: TestServer) throws -> TestClient {
    let client = try server.client()
    client.request("/api/v1/stream")
    server.renderer.accept()
    server.renderer.sendFragment("one", isKey: true)
    _ = try client.head()
    #expect(try [client.chunk(), client.chunk()] == ["init", "one"])
    return client
  }

  private func expectEnd(_ client: TestClient, _ waiting: TestClient) throws {
    #expect(try client.chunk() == nil)
    #expect(client.hasEnded)
    #expect(try waiting.answer().status == 503)
  }

  private func check(_ status: Int32, end: (TestServer) -> Void) throws {
    let server = try TestServer()
    let (client, waiting) = (try watch(server), try server.client())
    waiting.request("/api/v1/pixel?x=0&y=0")
    #expect(server.renderer.nextRequest() != nil)
    end(server)
    try expectEnd(client, waiting)
    #expect(server.wait() == status)
    #expect(throws: TestClient.End.self) { try server.client() }
  }

  @Test func theRendererEndsIt() throws { try check(0) { $0.renderer.send(.finish) } }

  @Test func theRendererDies() throws { try check(1) { $0.renderer.die() } }

  @Test func theServerIsStopped() throws { try check(0) { $0.server.stop() } }

  /// It does not take all the time that an end may take.
  @Test func anEndThatNobodyWaitsForIsSoon() throws {
    var limits = Limits()
    limits.finishSeconds = 1000
    let server = try TestServer(limits: limits)
    let idle = try server.client()
    server.renderer.send(.finish)
    #expect(server.wait() == 0)
    #expect(idle.hasEnded)
  }

  /// It takes nothing: the server does not wait for it for long.
  @Test func aClientThatDoesNotReadHoldsNobodyUp() throws {
    var limits = Limits()
    limits.finishSeconds = 0.2
    let server = try TestServer(limits: limits)
    let client = try watch(server)
    for _ in 0..<40 { server.renderer.sendFragment("more", isKey: true, padding: 500_000) }
    server.renderer.send(.finish)
    #expect(server.wait() == 0)
    client.close()
  }

  @Test func withoutAConfigurationThereIsNoServer() throws {
    let ends = try LinkSockets.pair()
    let renderer = RendererLink(descriptor: ends.parent)
    try renderer.send(.finish)
    #expect(Server(descriptor: ends.child).run() == 1)
  }
}
