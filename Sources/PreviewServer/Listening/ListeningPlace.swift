internal import NIOCore
internal import NIOPosix
internal import PreviewProtocol

/// The address to listen on, and its names for clients.
struct ListeningPlace {
  let address: SocketAddress
  /// The requested host, if it is a name.
  private let name: String?
  private let configuration: ServerConfiguration

  /// Resolves the address.
  init(_ configuration: ServerConfiguration) throws(ServingError) {
    self.configuration = configuration
    guard (0...65_535).contains(configuration.port) else { throw .hasNoAddress(configuration.address) }
    if let numeric = try? SocketAddress(ipAddress: configuration.address, port: configuration.port) {
      (address, name) = (numeric, nil)
      return
    }
    guard
      let resolved = try? SocketAddress.makeAddressResolvingHost(configuration.address, port: configuration.port)
    else { throw .hasNoAddress(configuration.address) }
    (address, name) = (resolved, configuration.address)
  }

  /// The requested host.
  var host: String { configuration.address }

  /// Accepted host names, besides the address that the client connects to.
  var names: Set<String> { Set((configuration.hostNames + (name.map { [$0] } ?? [])).map(NumericHost.normalized)) }

  /// Returns the URL for users.
  /// - Parameter bound: The listening address, with the assigned port.
  func url(bound: SocketAddress, isSecure: Bool) -> String {
    let host = configuration.hostNames.first ?? name ?? Self.reachable(bound)?.bracketed ?? configuration.address
    let port = bound.port ?? configuration.port
    return "\(isSecure ? "https" : "http")://\(host):\(port)/\(configuration.token)/"
  }

  /// Returns the address itself or, if it stands for all addresses of the machine, one of those: preferably one that is
  /// reachable from other machines, and preferably IPv4.
  private static func reachable(_ bound: SocketAddress) -> NumericHost? {
    guard let host = NumericHost(bound), host.isUnspecified else { return NumericHost(bound) }
    let devices = (try? System.enumerateDevices()) ?? []
    let hosts = devices.compactMap { NumericHost($0.address) }.filter { candidate in
      !candidate.isLinkLocal && (host.bytes.count == 16 || candidate.bytes.count == 4)
    }
    return hosts.min { rank($0) < rank($1) }
  }

  private static func rank(_ host: NumericHost) -> Int {
    (host.isLoopback ? 2 : 0) + (host.bytes.count == 16 ? 1 : 0)
  }
}
