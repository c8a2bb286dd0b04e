/// The listening address and access control of the network process.
public struct ServerConfiguration: Sendable, Hashable, Codable {
  /// Numeric address or host name to listen on.
  public var address = "127.0.0.1"
  /// TCP port, 0...65535; 0: any free port.
  public var port = 0
  /// Accepted host names for the server, besides its addresses.
  public var hostNames: [String] = []
  /// The token that every request must carry: 128 bits in hexadecimal.
  public var token: String
  /// PEM files of the certificate chain and its key; nil: no TLS.
  public var tls: TLSFiles?
  /// Clients can view but not change anything.
  public var isReadOnly = false
  /// The page's name for the content: the name of the input.
  public var title = ""
  /// Maximum number of streams at a time.
  public var maximumViewers = 16

  /// PEM files.
  public struct TLSFiles: Sendable, Hashable, Codable {
    /// The certificate, followed by its intermediate certificates.
    public var certificates: String
    /// The private key.
    public var key: String

    /// Creates a pair of files.
    public init(certificates: String, key: String) { (self.certificates, self.key) = (certificates, key) }
  }

  /// Creates a configuration that listens on 127.0.0.1, on any free port.
  public init(token: String) { self.token = token }
}
