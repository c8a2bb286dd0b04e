import Foundation

/// A client that blocks, over a socket, which sends whatever a test wants.
final class TestClient {
  private let descriptor: Int32
  private let port: Int
  private var buffer: [UInt8] = []
  private var isOpen = true

  /// The connection has ended, or nothing has come for a long time.
  struct End: Error {}

  /// - Parameter receiveBuffer: Bytes that the system keeps for a client that does not read; nil: as many as it likes.
  init(port: Int, receiveBuffer: Int32? = nil) throws {
    self.port = port
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if var size = receiveBuffer { unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 { throw End() }
  }

  deinit { close() }

  func close() {
    if isOpen { Foundation.close(descriptor) }
    isOpen = false
  }

  func send(_ bytes: [UInt8]) {
    _ = unsafe Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends a request of HTTP/1.1.
  func request(
    _ target: String, _ headers: [String] = ["Authorization: Bearer \(TestServer.token)"], method: String = "GET",
    host: String? = nil, body: String = ""
  ) {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers + length
    send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  // MARK: Reading

  private func fill() throws {
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &block, block.count, 0)
    guard count > 0 else { throw End() }
    buffer += block[..<count]
  }

  func bytes(_ count: Int) throws -> [UInt8] {
    while buffer.count < count { try fill() }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  func line() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end].filter { $0 != 13 }, as: UTF8.self)
      }
      try fill()
    }
  }

  /// The head of an answer.
  func head() throws -> TestAnswer {
    let status = try line().split(separator: " ")
    var answer = TestAnswer(status: status.count > 1 ? Int(status[1]) ?? 0 : 0)
    while case let text = try line(), !text.isEmpty {
      let parts = text.split(separator: ":", maxSplits: 1)
      answer.headers[parts[0].lowercased(), default: []].append(
        parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
    }
    return answer
  }

  /// An answer whose length is stated.
  func answer() throws -> TestAnswer {
    var answer = try head()
    let length = answer.headers["content-length"]?.first.flatMap { Int($0) } ?? 0
    answer.body = String(decoding: try bytes(length), as: UTF8.self)
    return answer
  }

  /// The next chunk of an answer; nil at its end.
  func chunk() throws -> String? {
    guard let length = Int(try line(), radix: 16) else { throw End() }
    let text = String(decoding: try bytes(length), as: UTF8.self)
    _ = try line()
    return length == 0 ? nil : text
  }

  /// The server has closed its side, and nothing else comes.
  var hasEnded: Bool {
    do { try fill() } catch { return buffer.isEmpty }
    return false
  }
}

/// An answer of HTTP.
struct TestAnswer {
  var status: Int
  var headers: [String: [String]] = [:]
  var body = ""

  subscript(_ name: String) -> String? { headers[name]?.first }
}
