/// A message from the network process to the rendering process.
public enum ServerReport: Sendable, Hashable {
  /// The server is listening.
  case listening(Listening)
  /// The server cannot listen (a sentence) and exits.
  case failed(reason: String)
  /// A client's request for the renderer.
  case request(id: Int, ServerRequest)
  /// A client requests a stream, with its query items.
  case joined(viewer: Int, query: [String: String])
  /// A viewer has left.
  case left(viewer: Int)
  /// A viewer waits for the next key frame.
  case needsKeyFrame(stream: Int)

  /// The listening address.
  public struct Listening: Sendable, Hashable, Codable {
    /// The URL for users, with the token.
    public var url: String
    /// The URL as a QR code for a terminal: one line of block characters per two rows of modules; empty: no code.
    public var code: [String]

    /// Creates an address.
    public init(url: String, code: [String]) { (self.url, self.code) = (url, code) }
  }
}

/// A client's request to the renderer.
public struct ServerRequest: Sendable, Hashable, Codable {
  /// The kind of request.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// `PATCH /api/v1/state`.
    case patch
    /// `GET /api/v1/frame.png`, `.avif` and `.exr`.
    case png, avif, exr
    /// `GET /api/v1/pixel`.
    case pixel
  }

  /// The kind of request.
  public var kind: Kind
  /// The query items, without repetitions.
  public var query: [String: String]
  /// The body of a patch.
  public var body: String

  /// Creates a request.
  public init(_ kind: Kind, query: [String: String] = [:], body: String = "") {
    (self.kind, self.query, self.body) = (kind, query, body)
  }
}
