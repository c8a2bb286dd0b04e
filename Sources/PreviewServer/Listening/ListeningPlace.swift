internal import NIOCore
internal import NIOPosix
internal import PreviewProtocol

/// Where the server listens, and what its clients call that.
struct ListeningPlace {
  let address: SocketAddress
  /// What is asked for, when that is a name.
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

  /// As it was asked for.
  var host: String { configuration.address }

  /// Names by which clients may ask, besides the address at which they reach the server.
  var names: Set<String> { Set((configuration.hostNames + (name.map { [$0] } ?? [])).map(NumericHost.normalized)) }

  /// What a person opens.
  /// - Parameter bound: Where the server listens, with the port that it was given.
  func url(bound: SocketAddress, isSecure: Bool) -> String {
    let host = configuration.hostNames.first ?? name ?? Self.reachable(bound)?.bracketed ?? configuration.address
    let port = bound.port ?? configuration.port
    return "\(isSecure ? "https" : "http")://\(host):\(port)/\(configuration.token)/"
  }

  /// The address itself, or for one that stands for all of the machine's, one of those: of another machine's view if
  /// there is one, of IPv4 if there is one.
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
