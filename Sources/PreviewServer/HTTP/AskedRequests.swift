internal import NIOCore
internal import NIOHTTP1
internal import PreviewProtocol

/// Requests that the renderer answers.
final class AskedRequests {
  private struct Entry {
    let exchange: Exchange
    let asked: NIODeadline
  }

  private var entries: [Int: Entry] = [:]
  private var next = 1
  /// Picture responses that are pending or being sent.
  private var pictures = 0
  private let limits: Limits
  private let report: (ServerReport) -> Bool

  init(limits: Limits, report: @escaping (ServerReport) -> Bool) { (self.limits, self.report) = (limits, report) }

  func ask(_ request: ServerRequest, _ exchange: Exchange) throws(Refusal) {
    let isPicture = request.kind.isPicture
    guard entries.count < limits.unanswered, !isPicture || pictures < limits.pictures else {
      throw .busy("There are too many requests.")
    }
    let number = next
    next += 1
    guard report(.request(id: number, request)) else { throw .busy("The preview does not answer.") }
    entries[number] = Entry(exchange: exchange, asked: .now())
    pictures += isPicture ? 1 : 0
    exchange.onEnd = { [weak self] in
      self?.entries[number] = nil
      self?.pictures -= isPicture ? 1 : 0
    }
  }

  func answer(_ number: Int, _ answer: ServerAnswer) {
    guard let entry = entries.removeValue(forKey: number) else { return }
    var response = Response(
      .init(rendererStatus: answer.status), contentType: HeaderText.plain(answer.contentType),
      body: ByteBuffer(bytes: answer.bytes))
    if let name = answer.fileName {
      response.headers.add(name: "Content-Disposition", value: HeaderText.attachment(name))
    }
    if let description = answer.description {
      response.headers.add(name: "Headroom-Stream", value: HeaderText.json(description))
    }
    entry.exchange.respond(response)
  }

  /// Refuses requests that have timed out.
  func sweep(now: NIODeadline) {
    for (number, entry) in entries where (now - entry.asked).seconds > limits.answerSeconds {
      entries[number] = nil
      entry.exchange.refuse(Refusal(.serviceUnavailable, .renderer, "The preview does not answer."))
    }
  }

  /// Ends all requests when the preview ends.
  func endAll() { for entry in Array(entries.values) { entry.exchange.refuse(.ending) } }
}

extension ServerRequest.Kind {
  fileprivate var isPicture: Bool {
    switch self {
    case .png, .avif, .exr: true
    case .patch, .pixel: false
    }
  }
}

extension HTTPResponseStatus {
  /// The renderer's status; 500 for a number that is not a final status.
  init(rendererStatus status: Int) {
    self = (200...599).contains(status) ? .init(statusCode: status) : .internalServerError
  }
}
