public import ProcessLink

extension ServerReport: LinkMessage {
  /// 1 MiB: a patch body has at most 64 KiB. Limits the renderer's memory for messages of the network process.
  public static let largest = 1 << 20

  private enum Kind: UInt8 {
    case listening = 1
    case failed, request, joined, left, needsKeyFrame
  }

  private struct Failure: Codable { var reason: String }

  private struct Request: Codable {
    var id: Int
    var request: ServerRequest
  }

  private struct Viewer: Codable {
    var viewer: Int
    var query: [String: String]?
  }

  private struct Stream: Codable { var stream: Int }

  /// The encoded message.
  public var kindAndValues: (kind: UInt8, json: [UInt8], bytes: [UInt8]) {
    get throws(LinkError) {
      let (kind, json) = try parts
      return (kind.rawValue, json, [])
    }
  }

  private var parts: (Kind, [UInt8]) {
    get throws(LinkError) {
      switch self {
      case .listening(let place): (.listening, try LinkValues.encode(place))
      case .failed(let reason): (.failed, try LinkValues.encode(Failure(reason: reason)))
      case .request(let id, let request): (.request, try LinkValues.encode(Request(id: id, request: request)))
      case .joined(let viewer, let query): (.joined, try LinkValues.encode(Viewer(viewer: viewer, query: query)))
      case .left(let viewer): (.left, try LinkValues.encode(Viewer(viewer: viewer)))
      case .needsKeyFrame(let stream): (.needsKeyFrame, try LinkValues.encode(Stream(stream: stream)))
      }
    }
  }

  /// Decodes a message.
  public init(kind: UInt8, json: [UInt8], bytes: [UInt8]) throws(LinkError) {
    guard let known = Kind(rawValue: kind) else { throw .hasUnknownKind(kind) }
    guard bytes.isEmpty else { throw .isMalformed }
    switch known {
    case .listening: self = .listening(try LinkValues.decode(Listening.self, json))
    case .failed: self = .failed(reason: try LinkValues.decode(Failure.self, json).reason)
    case .request:
      let values = try LinkValues.decode(Request.self, json)
      self = .request(id: values.id, values.request)
    case .joined:
      let values = try LinkValues.decode(Viewer.self, json)
      guard let query = values.query else { throw .isMalformed }
      self = .joined(viewer: values.viewer, query: query)
    case .left: self = .left(viewer: try LinkValues.decode(Viewer.self, json).viewer)
    case .needsKeyFrame: self = .needsKeyFrame(stream: try LinkValues.decode(Stream.self, json).stream)
    }
  }
}
