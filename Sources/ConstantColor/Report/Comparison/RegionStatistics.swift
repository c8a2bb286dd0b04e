/// Statistics of the trusted colours of a region.
public struct RegionStatistics: Sendable, Hashable {
  /// Number of trusted colours.
  public let count: Int
  /// The mean of L*, a*, b*.
  public let mean: SIMD3<Double>
  /// The sample standard deviations of L*, a*, b*; nil for a single colour.
  public let spread: SIMD3<Double>?
  /// The mean CIEDE2000 of the colours from their mean.
  ///
  /// Source: R. S. Berns, "Billmeyer and Saltzman's Principles of Color Technology" (3rd ed., 2000), ch. 3: mean colour
  /// difference from the mean.
  public let meanDifferenceFromMean: Double

  /// nil if there are no colours.
  init?(_ colors: [SIMD3<Double>]) {
    guard !colors.isEmpty else { return nil }
    let mean = colors.reduce(SIMD3<Double>.zero, +) / Double(colors.count)
    count = colors.count
    self.mean = mean
    let squares = colors.reduce(SIMD3<Double>.zero) { $0 + ($1 - mean) * ($1 - mean) }
    spread = colors.count > 1 ? (squares / Double(colors.count - 1)).squareRoot() : nil
    meanDifferenceFromMean =
      colors.reduce(0) { $0 + CIELAB.deltaE2000(mean, $1) } / Double(colors.count)
  }
}
