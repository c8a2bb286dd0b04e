/// What the rendering process tells the network process.
public enum ServerMessage: Sendable, Hashable {
  /// Listen; the first message.
  case configure(ServerConfiguration)
  /// The state of the preview as JSON has changed, or its counts have.
  case state(json: String, counts: RenderingCounts)
  /// A viewer gets a stream.
  case accepted(viewer: Int, StreamOffer)
  /// A viewer gets none.
  case refused(viewer: Int, status: Int, reason: String)
  /// What a player needs before the first fragment of a stream: `ftyp` and `moov`.
  case initialization(stream: Int, bytes: [UInt8])
  /// The next fragment of a stream: `moof` and `mdat` of one frame.
  case fragment(stream: Int, Fragment, bytes: [UInt8])
  /// A stream has ended: its viewers may ask for another.
  case streamEnded(stream: Int)
  /// What a client asked for.
  case answer(request: Int, ServerAnswer)
  /// The preview is over.
  case finish

  /// A fragment, as far as the network process cares.
  public struct Fragment: Sendable, Hashable, Codable {
    /// A decoder can begin with it.
    public var isKey: Bool
    /// Number of the fragment in its stream, from 1, without gaps.
    public var sequence: Int

    /// A fragment.
    public init(isKey: Bool, sequence: Int) { (self.isKey, self.sequence) = (isKey, sequence) }
  }
}

/// A stream that a viewer may watch.
public struct StreamOffer: Sendable, Hashable, Codable {
  /// Number of the stream; several viewers may share it.
  public var stream: Int
  /// Media type with the parameters of RFC 6381: `video/mp4; codecs="avc1.640028"`.
  public var contentType: String
  /// What it is as a JSON object, for the header `Headroom-Stream`.
  public var description: String

  /// An offer.
  public init(stream: Int, contentType: String, description: String) {
    (self.stream, self.contentType, self.description) = (stream, contentType, description)
  }
}

/// The answer to a `ServerReport.request`.
public struct ServerAnswer: Sendable, Hashable {
  /// Of HTTP.
  public var status: Int
  /// Media type of the body.
  public var contentType: String
  /// A name for those who save it; nil: it is shown.
  public var fileName: String?
  /// What it is as a JSON object, for the header `Headroom-Stream`; nil: nothing is said.
  public var description: String?
  /// The body.
  public var bytes: [UInt8]

  /// An answer.
  public init(
    status: Int = 200, contentType: String, fileName: String? = nil, description: String? = nil, bytes: [UInt8]
  ) {
    (self.status, self.contentType, self.fileName) = (status, contentType, fileName)
    (self.description, self.bytes) = (description, bytes)
  }
}

/// What rendering has counted since it began, for metrics.
public struct RenderingCounts: Sendable, Hashable, Codable {
  /// Frames that were rendered.
  public var rendered = 0
  /// Frames that came too late to be rendered or encoded.
  public var dropped = 0
  /// Frames of a device that never arrived.
  public var lost = 0
  /// Frames that were recorded, and that a recording lacks.
  public var recorded = 0
  public var unrecorded = 0
  /// Frames that were encoded for viewers, of all streams, and their bytes.
  public var encoded = 0
  public var encodedBytes = 0
  /// Streams that are encoded now.
  public var streams = 0

  /// Nothing.
  public init() {}
}
