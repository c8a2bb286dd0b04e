/// The edge of a gamut, with room for noise: which colours its primaries cannot mix.
///
/// Light is stated in the gamut's linear primaries, where a colour outside has a component below zero. Coded light is
/// rounded, so that colours on the very edge come back on either side of it; a colour counts as outside where
///
///     min(R, G, B) + tolerance * (R + G + B) < -floor
///
/// The tolerance is a distance in the triangle of the primaries: each of its sides moves outwards by that share of the
/// triangle's height. The floor takes over towards black, where steps of a code are ever larger shares of the light.
public struct GamutBoundary: Sendable, Hashable {
  /// Coded as PQ in ten bits of BT.2020 Y'CbCr, colours on the edge of BT.709 come back outside by up to 0.0099 of
  /// R + G + B from 3 cd/m² on (0.0072 at 100 cd/m²), those of P3 by 0.0054: no colour that was inside sparkles.
  public static let defaultTolerance = 0.01
  /// In cd/m². Below 3 cd/m² the same colours come back outside of the tolerance by less than this.
  public static let defaultFloor = 0.01

  /// Primaries of the colours.
  public let source: RGBSpace
  /// Primaries of the gamut.
  public let gamut: RGBSpace
  /// 0 or above.
  public let tolerance: Double
  /// 0 or above, in the unit of the components.
  public let floor: Double
  /// The components plus the tolerance, row by row.
  public let matrix: Matrix3

  /// The boundary of a gamut, for colours of other primaries.
  /// - Parameters:
  ///   - gamut: Primaries of the gamut.
  ///   - source: Primaries of the colours.
  ///   - tolerance: Share of R + G + B by which a component may be below zero.
  ///   - floor: As much below zero is inside besides, in the unit of the components.
  public init(
    of gamut: RGBSpace, from source: RGBSpace, tolerance: Double = defaultTolerance, floor: Double
  ) {
    self.gamut = gamut
    self.source = source
    self.tolerance = tolerance
    self.floor = floor
    let plain = RGBSpace.conversion(from: source, to: gamut)
    let share = (plain.row0 + plain.row1 + plain.row2) * tolerance
    matrix = Matrix3(plain.row0 + share, plain.row1 + share, plain.row2 + share)
  }

  /// Whether the gamut's primaries cannot mix a colour; what is not a number is inside.
  /// - Parameter rgb: Linear components in the primaries of `source`.
  public func isOutside(_ rgb: SIMD3<Double>) -> Bool { (matrix * rgb).min() < -floor }
}
