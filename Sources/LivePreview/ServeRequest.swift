internal import Displays
public import Sessions

/// A preview shown on other devices over the network.
public struct ServeRequest: Sendable, Hashable, Codable {
  /// The preview. It is not shown locally unless its screen is set.
  public var preview: PreviewRequest
  /// Numeric address or name to listen on.
  public var address = "127.0.0.1"
  /// TCP port, 0...65535; 0: any free port.
  public var port = 0
  /// Host names that other devices may use, besides its addresses.
  public var hostNames: [String] = []
  /// PEM file of a certificate chain; nil: no TLS.
  public var certificates: String?
  /// PEM file of the certificate's private key; nil: no TLS.
  public var key: String?
  /// Other devices may only view.
  public var isReadOnly = false
  /// Other devices may start and stop recordings.
  public var allowsRecording = false
  /// Token file, created if missing; nil: a new token each time.
  public var tokenFile: String?
  /// Maximum number of streams sent in parallel, 1...100.
  public var maximumViewers = 16
  /// Path of the network process's executable, `headroom-serve`.
  public var program: String

  /// On 127.0.0.1, at any free port, without TLS.
  /// - Parameters:
  ///   - input: A V4L2 device, or any other input.
  ///   - program: Path of the network process's executable.
  public init(input: String, program: String) {
    (preview, self.program) = (PreviewRequest(input: input), program)
    preview.screen = .none
  }

  private static let viewers = 1...100
  private static let ports = 0...65_535

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range.
  public func validate() throws(Refusal) {
    try preview.validate()
    guard Self.ports.contains(port) else { throw .invalid(.outOfRange(.port, "\(port)", "0", "65535")) }
    guard Self.viewers.contains(maximumViewers) else {
      throw .invalid(.outOfRange(.maximumViewers, "\(maximumViewers)", "1", "100"))
    }
    for name in hostNames where name.isEmpty || !name.utf8.allSatisfy(Self.isInHostName) {
      throw .invalid(
        "not-a-host-name", "'\(name)' is no name of a machine: \(.hostName) takes one such as box.example.")
    }
    guard (certificates == nil) == (key == nil) else {
      throw .invalid(
        "certificate-without-key", "\(.certificate) and \(.key) belong together: give both, or neither.")
    }
  }

  /// Source: RFC 1123, 2.1, and the literals of RFC 3986, 3.2.2.
  private static func isInHostName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._:[]".utf8.contains(byte)
    }
  }

  /// The address is reachable only from this machine.
  var isLocal: Bool { address == "localhost" || address.hasPrefix("127.") || address == "::1" }
}
