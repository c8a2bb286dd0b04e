internal import Glibc
internal import NIOCore

/// A numeric address in a URL or header.
struct NumericHost: Hashable, Sendable {
  /// 4 or 16 bytes.
  let bytes: [UInt8]
  /// Without brackets: `127.0.0.1`, `fe80::1`.
  let name: String

  /// `::ffff:0:0/96`: IPv4 addresses on an IPv6 socket (RFC 4291, 2.5.5.2).
  private static let mappedPrefix: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

  init?(_ address: SocketAddress?) {
    guard let text = address?.ipAddress else { return nil }
    self.init(text)
  }

  /// - Parameter text: An address in any notation of `inet_pton`: equal addresses have equal values.
  init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
      self.bytes = bytes.starts(with: Self.mappedPrefix) ? Array(bytes.suffix(4)) : bytes
    } else if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
      self.bytes = Array(bytes.prefix(4))
    } else {
      return nil
    }
    name = Self.text(self.bytes)
  }

  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
  }

  /// Whether it stands for all addresses of the machine.
  var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// Whether it needs an interface name, which no browser accepts (RFC 4291, 2.5.6).
  var isLinkLocal: Bool { bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

  /// The form in a URL's authority: IPv6 addresses in brackets (RFC 3986, 3.2.2).
  var bracketed: String { bytes.count == 16 ? "[\(name)]" : name }

  /// Returns a name in lower case, or a bracketed address in canonical form without brackets.
  static func normalized(_ host: String) -> String {
    guard host.hasPrefix("["), host.hasSuffix("]") else { return host.lowercased() }
    return NumericHost(String(host.dropFirst().dropLast()))?.name ?? host.lowercased()
  }

  private static func text(_ address: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = address.count == 4 ? AF_INET : AF_INET6
    _ = unsafe inet_ntop(family, address, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
