/// How the network process listens, and whom it lets in.
public struct ServerConfiguration: Sendable, Hashable, Codable {
  /// Numeric address or name to listen on.
  public var address = "127.0.0.1"
  /// TCP port, 0...65535; 0: any that is free.
  public var port = 0
  /// Names by which clients may ask for the server, besides its addresses.
  public var hostNames: [String] = []
  /// What every request must carry: 128 bits in hexadecimal.
  public var token: String
  /// PEM files of a certificate chain and its key; nil: no TLS.
  public var tls: TLSFiles?
  /// Clients may look, and change nothing.
  public var isReadOnly = false
  /// What a page calls what it shows: the name of the input.
  public var title = ""
  /// Streams that are served at a time.
  public var maximumViewers = 16

  /// PEM files.
  public struct TLSFiles: Sendable, Hashable, Codable {
    /// A certificate, followed by those that vouch for it.
    public var certificates: String
    /// Its private key.
    public var key: String

    /// Two files.
    public init(certificates: String, key: String) { (self.certificates, self.key) = (certificates, key) }
  }

  /// Listens on 127.0.0.1, at any free port.
  public init(token: String) { self.token = token }
}
