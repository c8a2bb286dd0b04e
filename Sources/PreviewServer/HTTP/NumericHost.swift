internal import Glibc
internal import NIOCore

/// A numeric address, as clients write it.
struct NumericHost: Hashable, Sendable {
  /// 4 bytes, or 16.
  let bytes: [UInt8]
  /// Without brackets: `127.0.0.1`, `fe80::1`.
  let name: String

  /// `::ffff:0:0/96`: addresses of IPv4 on a socket of IPv6 (RFC 4291, 2.5.5.2).
  private static let mappedPrefix: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

  init?(_ address: SocketAddress?) {
    guard let text = address?.ipAddress else { return nil }
    self.init(text)
  }

  /// - Parameter text: As `inet_pton` reads it: every address has one value, however it is written.
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

  /// It stands for all addresses of the machine.
  var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// It needs the name of an interface, which no browser takes (RFC 4291, 2.5.6).
  var isLinkLocal: Bool { bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

  /// As an authority has it: addresses of IPv6 in brackets (RFC 3986, 3.2.2).
  var bracketed: String { bytes.count == 16 ? "[\(name)]" : name }

  /// A name in lower case, or an address in brackets in the one way to write it, without them.
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
