/// Colour primaries by their code point.
///
/// Source: ITU-T H.273 (07/2021), table 2.
public enum ColorPrimaries: UInt8, Sendable, Hashable, Codable, CaseIterable {
  case bt709 = 1
  case unspecified = 2
  case bt470M = 4
  case bt470BG = 5
  case smpte170M = 6
  case smpte240M = 7
  case film = 8
  case bt2020 = 9
  case smpteST428 = 10
  case dciP3 = 11
  case displayP3 = 12
  case ebu3213 = 22
}

extension ColorPrimaries {
  /// How far a coordinate may be from the standard's: files round to three or four digits.
  private static let tolerance = 0.001

  /// The primaries of H.273 with these chromaticities.
  /// - Returns: nil where there are none within 0.001 of each coordinate.
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
