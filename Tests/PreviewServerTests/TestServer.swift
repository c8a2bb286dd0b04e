import Foundation
import PreviewProtocol
import PreviewServer
import ProcessLink
import Synchronization

/// A server on a thread of the test, and the renderer that it serves for.
final class TestServer: Sendable {
  static let token = "00112233445566778899aabbccddeeff"

  let renderer: FakeRenderer
  let server: Server
  let listening: ServerReport.Listening
  let port: Int
  private let exit = Exit()

  /// The end of the thread that the server runs on.
  private final class Exit: Sendable {
    let status = Mutex<Int32?>(nil)
    let ended = DispatchSemaphore(value: 0)
  }

  /// The server does not listen, and says why.
  struct Failure: Error { var reason: String }

  init(limits: Limits = Limits(), _ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
    let ends = try LinkSockets.pair()
    renderer = try FakeRenderer(descriptor: ends.parent)
    server = Server(descriptor: ends.child, limits: limits)
    var configuration = ServerConfiguration(token: Self.token)
    change(&configuration)
    renderer.send(.configure(configuration))
    let (server, exit) = (server, exit)
    Thread.detachNewThread {
      let code = server.run()
      exit.status.withLock { $0 = code }
      exit.ended.signal()
    }
    let outcome: Result<ServerReport.Listening, Failure>? = renderer.next {
      switch $0 {
      case .listening(let listening): .success(listening)
      case .failed(let reason): .failure(Failure(reason: reason))
      default: nil
      }
    }
    guard let outcome else { throw Failure(reason: "nothing is reported") }
    listening = try outcome.get()
    port = URLComponents(string: listening.url)?.port ?? 0
  }

  deinit { renderer.die() }

  /// The exit status, when the server has ended.
  func wait() -> Int32? {
    guard exit.ended.wait(timeout: .now() + 10) == .success else { return nil }
    return exit.status.withLock { $0 }
  }

  func client() throws -> TestClient { try TestClient(port: port) }

  /// Sends one request and reads its answer.
  func answer(
    _ target: String, _ headers: [String] = ["Authorization: Bearer \(TestServer.token)"], method: String = "GET",
    host: String? = nil, body: String = ""
  ) throws -> TestAnswer {
    let client = try client()
    client.request(target, headers, method: method, host: host ?? "127.0.0.1:\(port)", body: body)
    return try client.answer()
  }
}
