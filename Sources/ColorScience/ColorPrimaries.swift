/// Colour primaries by their code point.
///
/// Source: ITU-T H.273 (07/2021), table 2.
public enum ColorPrimaries: UInt8, Sendable, Hashable, Codable, CaseIterable {
  /// ITU-T H.273 ColourPrimaries 1: ITU-R BT.709, also sRGB's.
  case bt709 = 1
  /// ITU-T H.273 ColourPrimaries 2: unspecified.
  case unspecified = 2
  /// ITU-T H.273 ColourPrimaries 4: ITU-R BT.470 System M (NTSC 1953), white C.
  case bt470M = 4
  /// ITU-T H.273 ColourPrimaries 5: ITU-R BT.470 System B, G (PAL, SECAM), BT.601 625 lines.
  case bt470BG = 5
  /// ITU-T H.273 ColourPrimaries 6: SMPTE ST 170 (SMPTE C), BT.601 525 lines.
  case smpte170M = 6
  /// ITU-T H.273 ColourPrimaries 7: SMPTE ST 240, the same chromaticities as 6.
  case smpte240M = 7
  /// ITU-T H.273 ColourPrimaries 8: generic film (Wratten filters 25, 58, 47B), white C.
  case film = 8
  /// ITU-T H.273 ColourPrimaries 9: ITU-R BT.2020 and BT.2100.
  case bt2020 = 9
  /// ITU-T H.273 ColourPrimaries 10: SMPTE ST 428-1, CIE 1931 XYZ with equal-energy white.
  case smpteST428 = 10
  /// ITU-T H.273 ColourPrimaries 11: SMPTE RP 431-2, P3 with the white of digital cinema.
  case dciP3 = 11
  /// ITU-T H.273 ColourPrimaries 12: SMPTE EG 432-1, P3 with D65 (Display P3).
  case displayP3 = 12
  /// ITU-T H.273 ColourPrimaries 22: EBU Tech 3213.
  case ebu3213 = 22
}

extension ColorPrimaries {
  /// Tolerance of a coordinate: files round to three or four digits.
  private static let tolerance = 0.001

  /// The primaries of H.273 with these chromaticities.
  /// - Returns: nil: none within 0.001 of each coordinate.
  public init?(_ space: RGBSpace) {
    let known = Self.allCases.first { primaries in
      guard let standard = primaries.space else { return false }
      return zip(space.coordinates, standard.coordinates).allSatisfy { abs($0 - $1) <= Self.tolerance }
    }
    guard let known else { return nil }
    self = known
  }
}

extension RGBSpace {
  fileprivate var coordinates: [Double] { [red, green, blue, white].flatMap { [$0.x, $0.y] } }
}
