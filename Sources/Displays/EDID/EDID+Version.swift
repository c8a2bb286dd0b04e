extension EDID {
  /// The version and revision of a structure.
  public struct Version: Sendable, Hashable, Codable, Comparable {
    /// The version, 1 for E-EDID.
    public let major: Int
    /// The revision, 0 and up.
    public let minor: Int

    /// Creates a version such as 1.4.
    public init(_ major: Int, _ minor: Int) {
      self.major = major
      self.minor = minor
    }

    public static func < (left: Version, right: Version) -> Bool {
      (left.major, left.minor) < (right.major, right.minor)
    }
  }
}
