/// What the network process tells the rendering process.
public enum ServerReport: Sendable, Hashable {
  /// It listens.
  case listening(Listening)
  /// It cannot, in a sentence; it ends.
  case failed(reason: String)
  /// A client asks for something that only the renderer knows.
  case request(id: Int, ServerRequest)
  /// A client asks for a stream, with the items of its query.
  case joined(viewer: Int, query: [String: String])
  /// A viewer has gone.
  case left(viewer: Int)
  /// Somebody waits for the next frame that a decoder can begin with.
  case needsKeyFrame(stream: Int)

  /// Where it listens.
  public struct Listening: Sendable, Hashable, Codable {
    /// What a person opens, with the token.
    public var url: String
    /// A QR code of it, for a terminal: a line of blocks for two rows of modules; empty if there is none.
    public var code: [String]

    /// A place.
    public init(url: String, code: [String]) { (self.url, self.code) = (url, code) }
  }
}

/// What a client asks of the renderer.
public struct ServerRequest: Sendable, Hashable, Codable {
  /// What is asked for.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// `PATCH /api/v1/state`.
    case patch
    /// `GET /api/v1/frame.png`, `.avif` and `.exr`.
    case png, avif, exr
    /// `GET /api/v1/pixel`.
    case pixel
  }

  /// What is asked for.
  public var kind: Kind
  /// Items of the query, each of which was given once.
  public var query: [String: String]
  /// The body of a patch.
  public var body: String

  /// A request.
  public init(_ kind: Kind, query: [String: String] = [:], body: String = "") {
    (self.kind, self.query, self.body) = (kind, query, body)
  }
}
