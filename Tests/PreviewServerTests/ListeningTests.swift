import Foundation
import PreviewProtocol
import PreviewServer
import Testing

/// Where the server listens.
@Suite struct ListeningTests {
  @Test func theAddressIsPrintedAndPainted() throws {
    let server = try TestServer()
    #expect(server.listening.url == "http://127.0.0.1:\(server.port)/\(TestServer.token)/")
    // A code of version 4 or more with its margin, two modules to a line.
    #expect(server.listening.code.count >= 20)
    #expect(Set(server.listening.code.map(\.count)).count == 1)
    #expect(Set(server.listening.code.joined()) == ["█", "▀", "▄", " "])
  }

  @Test func allAddressesAreOneOfThem() throws {
    let server = try TestServer { $0.address = "0.0.0.0" }
    let host = try #require(URLComponents(string: server.listening.url)?.host)
    #expect(host != "0.0.0.0")
    #expect(try server.answer("/api/v1/metrics").status == 200)
    #expect(try server.answer("/api/v1/metrics", host: "0.0.0.0:\(server.port)").status == 403)
  }

  @Test func namesAreResolved() throws {
    let server = try TestServer { $0.address = "localhost" }
    #expect(server.listening.url.hasPrefix("http://localhost:\(server.port)/"))
    let named = try TestServer { $0.hostNames = ["box.example"] }
    #expect(named.listening.url.hasPrefix("http://box.example:\(named.port)/"))
  }

  @Test func whatCannotBeListenedOnIsSaid() throws {
    let taken = try TestServer()
    let changes: [(inout ServerConfiguration) -> Void] = [
      { $0.port = taken.port }, { $0.address = "192.0.2.1" }, { $0.address = "no such name" }, { $0.port = 65_536 },
      { $0.token = "" }, { $0.token = String(repeating: "g", count: 32) },
      { $0.tls = .init(certificates: "/nowhere", key: "/nowhere") },
    ]
    for change in changes {
      #expect(throws: TestServer.Failure.self) { try TestServer(change) }
    }
  }
}
