internal import NIOCore

/// Where a client is, as far as limits care: an address of IPv4, or the first 64 bits of one of IPv6, as one subscriber
/// has all of those that follow.
struct ClientAddress: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Of whom nothing is known.
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
