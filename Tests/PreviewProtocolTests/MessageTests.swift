import PreviewProtocol
import ProcessLink
import Testing

/// Messages keep their values on the way.
@Suite struct MessageTests {
  static let configuration = {
    var configuration = ServerConfiguration(token: "00ff")
    configuration.hostNames = ["éditeur.example"]
    configuration.tls = .init(certificates: "/a b", key: "/k")
    configuration.isReadOnly = true
    return configuration
  }()

  static let messages: [ServerMessage] = [
    .configure(configuration), .configure(ServerConfiguration(token: "")),
    .state(json: #"{"input":"ü \" \\"}"#, counts: counts),
    .accepted(viewer: 7, StreamOffer(stream: 2, contentType: #"video/mp4; codecs="av01""#, description: "{}")),
    .refused(viewer: .max, status: 503, reason: "No stream."), .initialization(stream: 0, bytes: [0, 255]),
    .fragment(stream: 1, .init(isKey: true, sequence: 9), bytes: Array(repeating: 7, count: 300_000)),
    .fragment(stream: 1, .init(isKey: false, sequence: 1), bytes: []), .streamEnded(stream: -1),
    .answer(
      request: 3, ServerAnswer(status: 404, contentType: "a/b", fileName: "ä.png", description: "{}", bytes: [1])),
    .answer(request: 4, ServerAnswer(contentType: "", bytes: [])), .finish,
  ]

  static let counts = {
    var counts = RenderingCounts()
    (counts.rendered, counts.encodedBytes) = (5, 1 << 40)
    return counts
  }()

  static let reports: [ServerReport] = [
    .listening(.init(url: "http://127.0.0.1:1/0/", code: ["█▀"])), .failed(reason: "„No“."),
    .request(id: 1, ServerRequest(.pixel, query: ["x": "0.5", "é": ""])),
    .request(id: 2, ServerRequest(.patch, body: "\u{0}\u{1F600}")), .joined(viewer: 1, query: [:]),
    .left(viewer: 1), .needsKeyFrame(stream: 4),
  ]

  @Test(arguments: messages) func messagesAreTheSameAfterwards(_ message: ServerMessage) throws {
    let (kind, json, bytes) = try message.kindAndValues
    #expect(try ServerMessage(kind: kind, json: json, bytes: bytes) == message)
  }

  @Test(arguments: reports) func reportsAreTheSameAfterwards(_ report: ServerReport) throws {
    let (kind, json, bytes) = try report.kindAndValues
    #expect(try ServerReport(kind: kind, json: json, bytes: bytes) == report)
  }

  @Test func unknownKindsAreRefused() {
    #expect(throws: LinkError.hasUnknownKind(0)) { try ServerMessage(kind: 0, json: [], bytes: []) }
    #expect(throws: LinkError.hasUnknownKind(200)) { try ServerReport(kind: 200, json: [], bytes: []) }
  }

  /// Every kind, with JSON that is none, of other members, and of other types.
  @Test(arguments: ["", "[", "{}", "null", #"{"viewer":"1","stream":1.5,"id":[],"reason":0,"request":{}}"#])
  func wrongValuesAreRefused(_ json: String) {
    for kind in UInt8(1)...6 {
      #expect(throws: LinkError.isMalformed) { try ServerReport(kind: kind, json: Array(json.utf8), bytes: []) }
    }
    for kind in UInt8(1)...8 {
      #expect(throws: LinkError.isMalformed) { try ServerMessage(kind: kind, json: Array(json.utf8), bytes: []) }
    }
  }

  @Test func aStateIsUTF8() throws {
    let (kind, json, _) = try ServerMessage.state(json: "", counts: Self.counts).kindAndValues
    #expect(throws: LinkError.isMalformed) { try ServerMessage(kind: kind, json: json, bytes: [0xC0, 0x80]) }
  }
}
