public import ColorScience
public import Rendering

/// The stage that converts light to other primaries, without limiting: out-of-gamut colours have negative components.
public struct PrimariesConversion: Stage {
  private let matrix: Matrix3
  private let compiled: ColorTransform
  public var mapping: ColorTransform? { compiled }

  /// The stage between two spaces.
  /// - Returns: nil if the two are the same.
  public init?(from source: RGBSpace, to target: RGBSpace) {
    if source == target { return nil }
    matrix = RGBSpace.conversion(from: source, to: target)
    compiled = ColorTransform(tone: .scale(1), gamut: .convert(matrix))
  }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { matrix * rgb }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe compiled.process(band, tier: tier)
  }
}
