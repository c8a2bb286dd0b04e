internal import NIOCore

/// A client's address for rate limits: an IPv4 address, or the first 64 bits of an IPv6 address, as one subscriber has
/// the whole prefix.
struct ClientAddress: Hashable, Sendable {
  private let bytes: [UInt8]

  /// An unknown address.
  static let other = ClientAddress(bytes: [])

  private init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ address: SocketAddress?) {
    guard let all = NumericHost(address)?.bytes else {
      self = .other
      return
    }
    bytes = all.count == 4 ? all : Array(all.prefix(8))
  }
}
