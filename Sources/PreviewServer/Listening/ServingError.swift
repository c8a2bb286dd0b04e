internal import Glibc

/// A reason why the server cannot listen.
enum ServingError: Error, Sendable, Hashable {
  /// The host is neither an address nor a resolvable name, or the port is out of range.
  case hasNoAddress(String)
  /// The token is not 128 bits in hexadecimal.
  case hasNoToken
  /// The certificate or key file is unusable.
  case hasNoCertificate(String)
  case hasNoKey(String)
  /// The system refuses to listen.
  case cannotListen(String, Int, code: Int32)
  case system(Int32)
}

extension ServingError: CustomStringConvertible {
  /// The error as a sentence.
  var description: String {
    switch self {
    case .hasNoAddress(let address):
      "Cannot listen on “\(address)”: it is neither an address nor a name that can be resolved."
    case .hasNoToken: "The token must be 32 hexadecimal digits."
    case .hasNoCertificate(let path): "The file “\(path)” has no certificate that can be used."
    case .hasNoKey(let path): "The file “\(path)” has no key that can be used, or not that of the certificate."
    case .cannotListen(let address, let port, let code):
      "Cannot listen on \(address), port \(port): \(Self.text(code))."
    case .system(let code): "The server cannot start: \(Self.text(code))."
    }
  }

  private static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
