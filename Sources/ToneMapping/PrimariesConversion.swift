public import ColorScience
public import Rendering

/// Converts light to other primaries, without limiting: out-of-gamut colours have negative components.
public struct PrimariesConversion: Stage {
  private let matrix: Matrix3
  private let compiled: ColorTransform
  public var mapping: ColorTransform? { compiled }

  /// Creates the stage between two spaces.
  /// - Returns: nil if the spaces are the same.
  public init?(from source: RGBSpace, to target: RGBSpace) {
    if source == target { return nil }
    matrix = RGBSpace.conversion(from: source, to: target)
    compiled = ColorTransform(tone: .scale(1), gamut: .convert(matrix))
  }

  /// Creates a stage that applies gains to the primaries of a display.
  /// - Parameter light: Primaries of the light, before and after.
  package init?(gains: SIMD3<Double>, of display: RGBSpace, on light: RGBSpace) {
    let matrix =
      RGBSpace.conversion(from: display, to: light) * Matrix3(diagonal: gains)
      * RGBSpace.conversion(from: light, to: display)
    if matrix == .identity { return nil }
    self.matrix = matrix
    compiled = ColorTransform(tone: .scale(1), gamut: .convert(matrix))
  }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { matrix * rgb }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe compiled.process(band, tier: tier)
  }
}
