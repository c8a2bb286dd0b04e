import ColorScience

extension DisplayID {
  /// Reads version 1 colour characteristics, after the three-byte header.
  ///
  /// - Parameter revision: The second byte of the header; its top bit selects the kind of coordinates.
  /// - Returns: Whether the payload is long enough.
  /// Source: VESA DisplayID 1.3, 4.3.
  mutating func readColor(_ payload: Span<UInt8>, revision: Int) -> Bool {
    guard payload.count >= 2 else { return false }
    let whiteCount = payload[at: 0] & 0x0F
    let primaryCount = payload[at: 0] >> 4 & 7
    if primaryCount == 0 {
      primaries = primaries ?? Self.standardSpace(payload[at: 1])
      return true
    }
    guard payload.count >= 1 + 3 * (primaryCount + whiteCount) else { return false }
    // More than three primaries do not form an RGB space; the first of several whites is the default.
    guard primaryCount == 3, whiteCount > 0 else { return true }
    primaries =
      primaries ?? Self.space(of: payload, primariesAt: 1, whiteAt: 10, isUniform: revision & 0x80 != 0)
    return true
  }

  /// Returns the space of a code; nil if the name does not define primaries and white.
  private static func standardSpace(_ code: Int) -> RGBSpace? {
    switch code {
    case 0, 2: .bt709
    case 4: .dciP3
    default: nil
    }
  }

  /// Returns a space from three primaries and a white of three bytes each.
  /// - Parameter isUniform: Whether coordinates are u′, v′ instead of x, y.
  static func space(of payload: Span<UInt8>, primariesAt start: Int, whiteAt white: Int, isUniform: Bool) -> RGBSpace? {
    func point(_ offset: Int) -> Chromaticity {
      let bits = payload.integer24(at: offset)
      let first = Double(bits & 0xFFF) / 4096
      let second = Double(bits >> 12) / 4096
      return isUniform ? Chromaticity(u: first, v: second) : Chromaticity(x: first, y: second)
    }
    return RGBSpace(displayRed: point(start), green: point(start + 3), blue: point(start + 6), white: point(white))
  }
}

extension Chromaticity {
  /// The chromaticity of CIE 1976 u′, v′; not finite or negative if invalid.
  ///
  /// Source: ISO/CIE 11664-5, 4.2.
  fileprivate init(u: Double, v: Double) {
    let scale = 6 * u - 16 * v + 12
    self.init(x: 9 * u / scale, y: 4 * v / scale)
  }
}
