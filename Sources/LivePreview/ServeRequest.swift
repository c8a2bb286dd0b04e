internal import Displays
public import Sessions

/// A preview that is shown on other devices, over the network.
public struct ServeRequest: Sendable, Hashable, Codable {
  /// What is shown. It is not shown here unless its screen says where.
  public var preview: PreviewRequest
  /// Numeric address or name to listen on.
  public var address = "127.0.0.1"
  /// TCP port, 0...65535; 0: any that is free.
  public var port = 0
  /// Names by which other devices ask for this one, besides its addresses.
  public var hostNames: [String] = []
  /// PEM file of a certificate chain; nil: no TLS.
  public var certificates: String?
  /// PEM file of the certificate's private key; nil: no TLS.
  public var key: String?
  /// Other devices may look, and change nothing.
  public var isReadOnly = false
  /// Other devices may begin and end recordings.
  public var allowsRecording = false
  /// A file with the token, which is made if it is missing; nil: a new token each time.
  public var tokenFile: String?
  /// Streams that are sent at a time, 1...100.
  public var maximumViewers = 16
  /// The file of the network process's program, `headroom-serve`.
  public var program: String

  /// On 127.0.0.1, at any free port, without TLS.
  /// - Parameters:
  ///   - input: A V4L2 device, or anything that is read otherwise.
  ///   - program: The file of the network process's program.
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

  /// Only this machine can reach the address.
  var isLocal: Bool { address == "localhost" || address.hasPrefix("127.") || address == "::1" }
}
