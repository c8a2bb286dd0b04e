import Foundation
import FoundationNetworking
import LivePreview
import Synchronization
import TestSupport

import Sessions

/// A preview that is shown on other devices while a test asks for things.
final class ServedPreview: Sendable {
  /// The program lies beside the test bundle.
  static let program = Bundle.main.bundleURL.appendingPathComponent("headroom-serve").path

  struct Answer {
    let status: Int
    let headers: [String: String]
    let body: Data

    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
  }

  /// What was waited for has not come; the last answer.
  struct Silence: Error { var last = "" }

  let log = EventTests.Log()
  private let session: Session
  private let url = Mutex("")
  private let failure = Mutex<(any Error)?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  /// Begins, and waits until it listens.
  init(_ request: ServeRequest) throws {
    session = Session(onEvent: log.add)
    let listens = DispatchSemaphore(value: 0)
    let plan = try session.plan(request)
    Thread.detachNewThread { [self] in
      do {
        try session.run(plan) { url, _ in
          self.url.withLock { $0 = url }
          listens.signal()
        }
      } catch {
        failure.withLock { $0 = error }
        listens.signal()
      }
      ended.signal()
    }
    listens.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Ends it, and waits until it has ended.
  func end() throws {
    session.cancel()
    ended.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// What a page opens.
  var place: String { url.withLock { $0 } }

  private func request(_ path: String) throws -> URLRequest {
    guard let url = URL(string: "\(place)api/v1/\(path)") else { throw Silence() }
    return URLRequest(url: url, timeoutInterval: 120)
  }

  func get(_ path: String) throws -> Answer { try answer(to: request(path)) }

  func patch(_ text: String) throws -> Answer {
    var request = try request("state")
    request.httpMethod = "PATCH"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(text.utf8)
    return try answer(to: request)
  }

  private func answer(to request: URLRequest) throws -> Answer {
    let result = Mutex<Answer?>(nil)
    let done = DispatchSemaphore(value: 0)
    URLSession(configuration: .ephemeral).dataTask(with: request) { data, response, _ in
      if let data, let response = response as? HTTPURLResponse {
        result.withLock { $0 = Answer(status: response.statusCode, headers: response.fields, body: data) }
      }
      done.signal()
    }.resume()
    done.wait()
    guard let answer = result.withLock({ $0 }) else { throw Silence() }
    return answer
  }

  /// Waits until the state is one.
  func wait(_ isReached: ([String: Any]) -> Bool) throws -> [String: Any] {
    var last = ""
    for _ in 0..<2400 {
      let answer = try get("state")
      if isReached(answer.object) { return answer.object }
      last = String(decoding: answer.body, as: UTF8.self)
      usleep(50_000)
    }
    throw Silence(last: last)
  }

  /// What a viewer gets until it has some fragments.
  func stream(_ query: String, fragments: Int) throws -> (headers: [String: String], body: Data) {
    let reader = StreamReader()
    let task = URLSession(configuration: .ephemeral, delegate: reader, delegateQueue: nil)
      .dataTask(with: try request("stream?\(query)"))
    task.resume()
    for _ in 0..<2400 where reader.content.withLock({ $0.body.count(of: "moof") }) < fragments { usleep(50_000) }
    task.cancel()
    return reader.content.withLock { $0 }
  }

  private final class StreamReader: NSObject, URLSessionDataDelegate, Sendable {
    let content = Mutex<(headers: [String: String], body: Data)>(([:], Data()))

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      let headers = (response as? HTTPURLResponse)?.fields ?? [:]
      content.withLock { $0.headers = headers }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      content.withLock { $0.body += data }
    }
  }
}

extension HTTPURLResponse {
  /// Headers by their names in lower case.
  fileprivate var fields: [String: String] {
    allHeaderFields.reduce(into: [:]) { $0["\($1.key)".lowercased()] = "\($1.value)" }
  }
}

extension Data {
  fileprivate func count(of text: String) -> Int {
    var (count, place) = (0, startIndex)
    while let found = self[place...].range(of: Data(text.utf8)) { (count, place) = (count + 1, found.upperBound) }
    return count
  }
}
