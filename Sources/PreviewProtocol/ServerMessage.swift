/// A message from the rendering process to the network process.
public enum ServerMessage: Sendable, Hashable {
  /// Start listening; the first message.
  case configure(ServerConfiguration)
  /// The state of the preview (as JSON) or its counts have changed.
  case state(json: String, counts: RenderingCounts)
  /// A viewer gets a stream.
  case accepted(viewer: Int, StreamOffer)
  /// A viewer is refused.
  case refused(viewer: Int, status: Int, reason: String)
  /// The initialization segment of a stream: `ftyp` and `moov`.
  case initialization(stream: Int, bytes: [UInt8])
  /// The next fragment of a stream: `moof` and `mdat` of one frame.
  case fragment(stream: Int, Fragment, bytes: [UInt8])
  /// A stream has ended: its viewers can request another.
  case streamEnded(stream: Int)
  /// The response to a client's request.
  case answer(request: Int, ServerAnswer)
  /// The preview has ended.
  case finish

  /// The properties of a fragment that the network process needs.
  public struct Fragment: Sendable, Hashable, Codable {
    /// Decoding can start with it.
    public var isKey: Bool
    /// Number of the fragment in its stream, from 1, without gaps.
    public var sequence: Int

    /// Creates a description of a fragment.
    public init(isKey: Bool, sequence: Int) { (self.isKey, self.sequence) = (isKey, sequence) }
  }
}

/// A stream offered to a viewer.
public struct StreamOffer: Sendable, Hashable, Codable {
  /// Number of the stream; viewers may share it.
  public var stream: Int
  /// Media type with the parameters of RFC 6381: `video/mp4; codecs="avc1.640028"`.
  public var contentType: String
  /// A description as a JSON object, for the header `Headroom-Stream`.
  public var description: String

  /// Creates an offer.
  public init(stream: Int, contentType: String, description: String) {
    (self.stream, self.contentType, self.description) = (stream, contentType, description)
  }
}

/// The response to a `ServerReport.request`.
public struct ServerAnswer: Sendable, Hashable {
  /// HTTP status.
  public var status: Int
  /// Media type of the body.
  public var contentType: String
  /// A file name for saving; nil: the content is displayed.
  public var fileName: String?
  /// A description as a JSON object, for the header `Headroom-Stream`; nil: none.
  public var description: String?
  /// The body.
  public var bytes: [UInt8]

  /// Creates a response.
  public init(
    status: Int = 200, contentType: String, fileName: String? = nil, description: String? = nil, bytes: [UInt8]
  ) {
    (self.status, self.contentType, self.fileName) = (status, contentType, fileName)
    (self.description, self.bytes) = (description, bytes)
  }
}

/// Rendering counts since the start, for metrics.
public struct RenderingCounts: Sendable, Hashable, Codable {
  /// Rendered frames.
  public var rendered = 0
  /// Frames dropped because they were too late for rendering or encoding.
  public var dropped = 0
  /// Frames of a device that never arrived.
  public var lost = 0
  /// Frames recorded, and frames missing in a recording.
  public var recorded = 0
  public var unrecorded = 0
  /// Frames encoded for viewers of all streams, and their bytes.
  public var encoded = 0
  public var encodedBytes = 0
  /// Streams being encoded.
  public var streams = 0

  /// Creates zero counts.
  public init() {}
}
