internal import NIOHTTP1

/// A refusal of a request.
struct Refusal: Error, Sendable {
  var status: HTTPResponseStatus
  /// The reason for metrics.
  var reason: Reason
  /// A sentence; must reveal nothing about the server to clients without the token.
  var sentence: String
  var headers: [(String, String)] = []
  /// Whether to answer with a page rather than JSON.
  var isPage = false

  /// The kind of problem.
  enum Reason: String, Sendable, CaseIterable {
    case syntax, version, host, origin, site, token, rate, path, method, body, type, query, upgrade
    case readOnly = "read_only"
    case time, size, busy, renderer, ending
  }

  init(_ status: HTTPResponseStatus, _ reason: Reason, _ sentence: String) {
    (self.status, self.reason, self.sentence) = (status, reason, sentence)
  }

  /// The refusal for too many requests at a time.
  static func busy(_ sentence: String) -> Refusal {
    var refusal = Refusal(.serviceUnavailable, .busy, sentence)
    refusal.headers = [("Retry-After", "1")]
    return refusal
  }

  static let tooOften: Refusal = {
    var refusal = Refusal(.tooManyRequests, .rate, "There are too many requests.")
    refusal.headers = [("Retry-After", "1")]
    return refusal
  }()

  static let ending = Refusal(.serviceUnavailable, .ending, "The preview is over.")
  static let tooSlow = Refusal(.requestTimeout, .time, "The request came too slowly.")
  static let bodyTooLarge = Refusal(.payloadTooLarge, .size, "The body is too large.")
}
