internal import NIOHTTP1
internal import PreviewProtocol

/// The purpose of a request.
enum Route: Hashable, Sendable {
  case page
  case description
  case state
  case change
  case events
  case stream
  case metrics
  /// A request for the renderer.
  case ask(ServerRequest.Kind)

  /// The routes by path and method.
  private static let table: [String: [String: Route]] = [
    "/": ["GET": .page],
    "/api/v1/openapi.json": ["GET": .description],
    "/api/v1/state": ["GET": .state, "PATCH": .change],
    "/api/v1/events": ["GET": .events],
    "/api/v1/stream": ["GET": .stream],
    "/api/v1/metrics": ["GET": .metrics],
    "/api/v1/pixel": ["GET": .ask(.pixel)],
    "/api/v1/frame.png": ["GET": .ask(.png)],
    "/api/v1/frame.avif": ["GET": .ask(.avif)],
    "/api/v1/frame.exr": ["GET": .ask(.exr)],
  ]

  /// - Throws: A refusal: 404, or 405 with the allowed methods.
  init(_ method: HTTPMethod, _ path: String) throws(Refusal) {
    guard let methods = Self.table[path] else { throw Refusal(.notFound, .path, "There is nothing here.") }
    guard let route = methods[method.rawValue] else {
      var refusal = Refusal(.methodNotAllowed, .method, "This method is not allowed here.")
      refusal.headers = [("Allow", methods.keys.sorted().joined(separator: ", "))]
      throw refusal
    }
    self = route
  }

  /// Whether it takes a body.
  var hasBody: Bool { self == .change }
}
