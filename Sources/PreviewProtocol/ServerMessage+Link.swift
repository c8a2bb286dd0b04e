public import ProcessLink

extension ServerMessage: LinkMessage {
  /// 512 MiB: 8192 x 8192 pixels with three 16-bit samples take 384 MiB, and a PNG of noise is slightly larger than its
  /// content.
  public static let largest = 512 << 20

  private enum Kind: UInt8 {
    case configure = 1
    case state, accepted, refused, initialization, fragment, streamEnded, answer, finish
  }

  private struct Acceptance: Codable {
    var viewer: Int
    var offer: StreamOffer
  }

  private struct Refusal: Codable {
    var viewer: Int
    var status: Int
    var reason: String
  }

  private struct Place: Codable {
    var stream: Int
    var fragment: Fragment?
  }

  private struct Answer: Codable {
    var request: Int
    var status: Int
    var contentType: String
    var fileName: String?
    var description: String?
  }

  private struct Nothing: Codable {}

  /// The encoded message.
  public var kindAndValues: (kind: UInt8, json: [UInt8], bytes: [UInt8]) {
    get throws(LinkError) {
      let (kind, json, bytes) = try parts
      return (kind.rawValue, json, bytes)
    }
  }

  private var parts: (Kind, [UInt8], [UInt8]) {
    get throws(LinkError) {
      switch self {
      case .configure(let configuration): (.configure, try LinkValues.encode(configuration), [])
      case .state(let json, let counts): (.state, try LinkValues.encode(counts), Array(json.utf8))
      case .accepted(let viewer, let offer):
        (.accepted, try LinkValues.encode(Acceptance(viewer: viewer, offer: offer)), [])
      case .refused(let viewer, let status, let reason):
        (.refused, try LinkValues.encode(Refusal(viewer: viewer, status: status, reason: reason)), [])
      case .initialization(let stream, let bytes):
        (.initialization, try LinkValues.encode(Place(stream: stream)), bytes)
      case .fragment(let stream, let fragment, let bytes):
        (.fragment, try LinkValues.encode(Place(stream: stream, fragment: fragment)), bytes)
      case .streamEnded(let stream): (.streamEnded, try LinkValues.encode(Place(stream: stream)), [])
      case .answer(let request, let answer):
        (
          .answer,
          try LinkValues.encode(
            Answer(
              request: request, status: answer.status, contentType: answer.contentType, fileName: answer.fileName,
              description: answer.description)), answer.bytes
        )
      case .finish: (.finish, try LinkValues.encode(Nothing()), [])
      }
    }
  }

  /// Decodes a message.
  public init(kind: UInt8, json: [UInt8], bytes: [UInt8]) throws(LinkError) {
    guard let known = Kind(rawValue: kind) else { throw .hasUnknownKind(kind) }
    switch known {
    case .configure: self = .configure(try LinkValues.decode(ServerConfiguration.self, json))
    case .state:
      self = .state(
        json: try LinkValues.text(bytes), counts: try LinkValues.decode(RenderingCounts.self, json))
    case .accepted:
      let values = try LinkValues.decode(Acceptance.self, json)
      self = .accepted(viewer: values.viewer, values.offer)
    case .refused:
      let values = try LinkValues.decode(Refusal.self, json)
      self = .refused(viewer: values.viewer, status: values.status, reason: values.reason)
    case .initialization:
      self = .initialization(stream: try LinkValues.decode(Place.self, json).stream, bytes: bytes)
    case .fragment:
      let place = try LinkValues.decode(Place.self, json)
      guard let fragment = place.fragment else { throw .isMalformed }
      self = .fragment(stream: place.stream, fragment, bytes: bytes)
    case .streamEnded: self = .streamEnded(stream: try LinkValues.decode(Place.self, json).stream)
    case .answer:
      let values = try LinkValues.decode(Answer.self, json)
      self = .answer(
        request: values.request,
        ServerAnswer(
          status: values.status, contentType: values.contentType, fileName: values.fileName,
          description: values.description, bytes: bytes))
    case .finish: self = .finish
    }
  }
}
