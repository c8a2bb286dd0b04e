import Foundation
import PreviewProtocol
import PreviewServer
import Testing

/// Streams and their viewers.
@Suite struct StreamTests {
  private func begin(_ server: TestServer, receiveBuffer: Int32? = nil) throws -> TestClient {
    let client = try TestClient(port: server.port, receiveBuffer: receiveBuffer)
    client.request("/api/v1/stream?width=640")
    return client
  }

  @Test func aViewerGetsItsStreamToTheEnd() throws {
    let server = try TestServer()
    let client = try begin(server)
    let joined = try #require(server.renderer.nextViewer())
    #expect(joined.query == ["width": "640"])
    let offer = StreamOffer(stream: 7, contentType: #"video/mp4; codecs="avc1""#, description: "{}")
    server.renderer.send(.initialization(stream: 7, bytes: Array("init".utf8)))
    server.renderer.send(.accepted(viewer: joined.viewer, offer))
    let head = try client.head()
    #expect(head.status == 200)
    #expect(head["content-type"] == #"video/mp4; codecs="avc1""#)
    #expect(head["headroom-stream"] == "{}")
    for (text, isKey) in [("lost", false), ("one", true), ("two", false)] {
      server.renderer.sendFragment(text, isKey: isKey, stream: 7)
    }
    #expect(try (0..<3).map { _ in try client.chunk() } == ["init", "one", "two"])
    server.renderer.send(.streamEnded(stream: 7))
    #expect(try client.chunk() == nil)
    // It may ask again at once, on the same connection.
    client.request("/api/v1/stream")
    #expect(server.renderer.nextViewer()?.viewer == joined.viewer + 1)
    #expect(server.renderer.nextFarewell() == joined.viewer)
  }

  @Test func whoComesLaterBeginsAtAKeyFrame() throws {
    let server = try TestServer()
    let first = try begin(server)
    server.renderer.accept()
    server.renderer.sendFragment("one", isKey: true)
    _ = try first.head()
    #expect(try first.chunk() == "init")
    let second = try begin(server)
    server.renderer.accept()
    #expect(server.renderer.nextKeyFrame() == 1)
    for (text, isKey) in [("two", false), ("three", true)] { server.renderer.sendFragment(text, isKey: isKey) }
    _ = try second.head()
    #expect(try [second.chunk(), second.chunk()] == ["init", "three"])
    #expect(try (0..<3).map { _ in try first.chunk() } == ["one", "two", "three"])
  }

  @Test func aViewerIsRefused() throws {
    let server = try TestServer { $0.maximumViewers = 1 }
    let client = try begin(server)
    let viewer = try #require(server.renderer.nextViewer()?.viewer)
    #expect(try server.answer("/api/v1/stream").status == 503)
    server.renderer.send(.refused(viewer: viewer, status: 503, reason: "No \"stream\"."))
    let answer = try client.answer()
    #expect(answer.status == 503)
    #expect(answer.body == "{\"error\": \"No \\\"stream\\\".\"}\n")
    // The renderer has not kept it: its end is no news.
    client.request("/api/v1/stream")
    #expect(server.renderer.accept() == viewer + 1)
    client.close()
    #expect(server.renderer.nextFarewell() == viewer + 1)
  }

  /// It may ask again: it does not wait for a stream that has gone.
  @Test func aStreamThatHasEndedIsNotOffered() throws {
    let server = try TestServer()
    let client = try begin(server)
    let viewer = try #require(server.renderer.nextViewer()?.viewer)
    server.renderer.send(.initialization(stream: 3, bytes: []))
    server.renderer.send(.streamEnded(stream: 3))
    server.renderer.send(.accepted(viewer: viewer, StreamOffer(stream: 3, contentType: "video/mp4", description: "{}")))
    #expect(try client.answer().status == 503)
    #expect(server.renderer.nextFarewell() == viewer)
  }

  @Test func aViewerThatGoesIsTold() throws {
    let server = try TestServer()
    let early = try begin(server)
    let viewer = try #require(server.renderer.nextViewer()?.viewer)
    early.close()
    #expect(server.renderer.nextFarewell() == viewer)
    // Too late: nothing happens.
    server.renderer.send(.accepted(viewer: viewer, StreamOffer(stream: 1, contentType: "", description: "")))
    let late = try begin(server)
    server.renderer.accept()
    _ = try late.head()
    late.close()
    #expect(server.renderer.nextFarewell() == viewer + 1)
    #expect(try server.answer("/api/v1/metrics").body.contains("\nheadroom_viewers 0\n"))
  }

  /// It loses fragments, goes on with a key frame, and never holds up another.
  @Test func aSlowViewerGetsFewerFragments() throws {
    let server = try TestServer()
    let slow = try begin(server, receiveBuffer: 16_384)
    server.renderer.accept()
    let fast = try begin(server)
    server.renderer.accept()
    _ = try fast.head()
    for number in 0..<40 {
      server.renderer.sendFragment("\(number)", isKey: number == 0, padding: 200_000)
      if number == 0 { #expect(try fast.chunk() == "init") }
      #expect(try fast.chunk()?.hasPrefix("\(number).") == true)
    }
    // When everything has been read, a key frame is asked for.
    let renderer = server.renderer
    Thread.detachNewThread {
      if renderer.nextKeyFrame() == 1 { renderer.sendFragment("key", isKey: true) }
    }
    _ = try slow.head()
    #expect(try slow.chunk() == "init")
    var got: [String] = []
    while got.last != "key", got.count < 40, let chunk = try? slow.chunk() {
      got.append(String(chunk.prefix { $0 != "." }))
    }
    #expect(got.last == "key")
    #expect(got.dropLast() == ArraySlice((0..<max(got.count - 1, 0)).map(String.init)))
    #expect((3..<30).contains(got.count))
    let metrics = try server.answer("/api/v1/metrics").body
    #expect(metrics.contains("\nheadroom_viewer_fragments_sent_total{viewer=\"2\"} 41\n"))
    #expect(!metrics.contains("\nheadroom_fragments_skipped_total 0\n"))
  }
}
