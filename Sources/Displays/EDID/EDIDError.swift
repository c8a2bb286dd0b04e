/// A fault that makes an EDID unusable.
public enum EDIDError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// Fewer than the 128 bytes of the base block.
  case tooShort(count: Int)
  /// The bytes do not start with 00 FF FF FF FF FF FF 00.
  case noHeader
  /// The 128 bytes of the base block do not sum to 0 modulo 256: their sum.
  case wrongChecksum(sum: UInt8)
  /// A structure version other than 1.
  case unsupportedVersion(major: Int, minor: Int)

  public var description: String {
    switch self {
    case .tooShort(let count): "an EDID has at least 128 bytes, not \(count)"
    case .noHeader: "the header of an EDID is missing"
    case .wrongChecksum(let sum): "the base block must sum to 0 modulo 256, not to \(sum)"
    case .unsupportedVersion(let major, let minor): "EDID version \(major).\(minor) is not supported"
    }
  }
}
