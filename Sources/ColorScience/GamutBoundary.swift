/// The boundary of a gamut, with a tolerance for noise.
///
/// Light is expressed in the gamut's linear primaries, where a colour outside has a negative component. Coded light is
/// rounded, so colours on the boundary end up on either side of it; a colour counts as outside if
///
///     min(R, G, B) + tolerance * (R + G + B) < -floor
///
/// The tolerance is a distance in the triangle of the primaries: each side moves outwards by this fraction of the
/// triangle's height. The floor takes over near black, where code steps are increasingly large fractions of the light.
public struct GamutBoundary: Sendable, Hashable {
  /// Coded as ten-bit PQ in BT.2020 Y'CbCr, colours on the boundary of BT.709 end up outside by at most 0.0099 of R + G
  /// + B from 3 cd/m² up (0.0072 at 100 cd/m²), colours of P3 by 0.0054, so that colours inside do not sparkle.
  public static let defaultTolerance = 0.01
  /// In cd/m². Below 3 cd/m² the same colours exceed the tolerance by less than this.
  public static let defaultFloor = 0.01

  /// Primaries of the colours.
  public let source: RGBSpace
  /// Primaries of the gamut.
  public let gamut: RGBSpace
  /// Non-negative.
  public let tolerance: Double
  /// Non-negative, in the unit of the components.
  public let floor: Double
  /// The components plus the tolerance, by rows.
  public let matrix: Matrix3

  /// The boundary of a gamut, for colours of other primaries.
  /// - Parameters:
  ///   - gamut: Primaries of the gamut.
  ///   - source: Primaries of the colours.
  ///   - tolerance: Fraction of R + G + B by which a component may be below zero.
  ///   - floor: Additional allowance below zero, in the unit of the components.
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

  /// Whether a colour is outside the gamut; NaN is inside.
  /// - Parameter rgb: Linear components in the primaries of `source`.
  public func isOutside(_ rgb: SIMD3<Double>) -> Bool { (matrix * rgb).min() < -floor }
}
