internal import ColorScience
internal import Frames
internal import Rendering

/// Checks HDR10+ metadata for plausibility, and derives mapping parameters from it.
struct HDR10PlusValidator: Sendable {
  /// Upper bound of a shot's peak in cd/m²: the mastering display's peak, or the maximum of PQ.
  let highestPeak: Double

  /// Percentiles whose jumps indicate a new shot; the lowest and highest are too noisy.
  private static let telling: Set<UInt8> = [50, 75, 90, 95]
  /// Entries with these percentages hold other statistics.
  private static let reserved: Set<UInt8> = [5, 10]
  private static let robustPeak: UInt8 = 99

  /// - Parameter masteringPeak: Peak in cd/m²; nil: no plausible one.
  init(masteringPeak: Double?) { highestPeak = masteringPeak ?? EDRMetadata.plausiblePeaks.upperBound }

  /// Returns the mapping parameters of a shot that begins with this metadata; nil if it is unusable.
  /// - Parameter hasCurve: Whether the curve is used.
  /// - Parameter report: Called for implausible values.
  func parameters(
    _ plus: HDR10PlusMetadata, hasCurve: Bool, _ report: (ShotTracker.Fault, String) -> Void
  ) -> ShotParameters? {
    if !Self.isOrdered(plus) { report(.distribution, "the percentiles of HDR10+ are not in ascending order") }
    if hasCurve, let coded = plus.curve, !coded.anchors.isEmpty {
      if let fault = Self.fault(coded, of: plus) {
        report(.curve, "the tone curve of HDR10+: \(fault)")
      } else {
        let map = HDR10PlusToneMap(
          coded, scenePeak: Self.curvePeak(plus), targetedPeak: Double(plus.targetedMaxLuminance))
        return ShotParameters(curve: .hdr10Plus(map))
      }
    }
    guard let peak = peak(plus) else {
      report(.peak, "the shot's peak in HDR10+ is 0 or above 10000 cd/m²")
      return nil
    }
    return ShotParameters(contentPeak: peak)
  }

  /// Returns the peak of the shot in cd/m²: its largest component, or its largest percentile; nil if both are
  /// implausible.
  ///
  /// A shot darker than any display is treated as 80 cd/m², which needs no mapping.
  func peak(_ plus: HDR10PlusMetadata) -> Double? {
    var units = plus.maxSCL.max()
    if units == 0 { units = plus.distribution.filter { $0.percentage != 10 }.map(\.value).max() ?? 0 }
    let nits = Self.nits(units)
    guard nits > 0, nits <= EDRMetadata.plausiblePeaks.upperBound else { return nil }
    return min(max(nits, EDRMetadata.plausiblePeaks.lowerBound), highestPeak)
  }

  /// Returns the luminance in cd/m² at the end of the curve: the largest component, or the 99.98th percentile if lower.
  private static func curvePeak(_ plus: HDR10PlusMetadata) -> Double {
    let largest = plus.maxSCL.max()
    let robust = isOrdered(plus) ? plus.distribution.last { $0.percentage == robustPeak }?.value ?? 0 : 0
    if largest == 0 || robust == 0 { return nits(max(largest, robust)) }
    return nits(min(largest, robust))
  }

  /// Returns why a curve is implausible; nil if it is plausible.
  private static func fault(_ curve: HDR10PlusMetadata.Curve, of plus: HDR10PlusMetadata) -> String? {
    let target = Double(plus.targetedMaxLuminance)
    if !EDRMetadata.plausiblePeaks.contains(target) {
      return "its display's peak of \(plus.targetedMaxLuminance) cd/m² is outside 80 to 10000 cd/m²"
    }
    let peak = curvePeak(plus)
    if !(peak > 0 && peak <= EDRMetadata.plausiblePeaks.upperBound) {
      return "the shot has no peak up to 10000 cd/m²"
    }
    if curve.kneeX == 0, curve.kneeY > 0 { return "it lifts black" }
    if !zip(curve.anchors, curve.anchors.dropFirst()).allSatisfy({ $0 <= $1 }) { return "its anchors descend" }
    return nil
  }

  /// Whether percentiles increase with their percentages, except reserved ones.
  private static func isOrdered(_ plus: HDR10PlusMetadata) -> Bool {
    let entries = plus.distribution.filter { !reserved.contains($0.percentage) }
    return zip(entries, entries.dropFirst()).allSatisfy { $0.percentage < $1.percentage && $0.value <= $1.value }
  }

  /// Returns the maximum change of the mean and the middle percentiles, in PQ.
  func distance(_ a: HDR10PlusMetadata, _ b: HDR10PlusMetadata) -> Double {
    // Below 1 cd/m² a unit of the metadata is a large step in PQ.
    func signal(_ units: UInt32) -> Double { PQ.inverseEOTF(min(max(Self.nits(units), 1), 10_000)) }
    var pairs = [(a.averageMaxRGB, b.averageMaxRGB)]
    if Self.isOrdered(a), Self.isOrdered(b) {
      for entry in a.distribution where Self.telling.contains(entry.percentage) {
        if let other = b.distribution.first(where: { $0.percentage == entry.percentage }) {
          pairs.append((entry.value, other.value))
        }
      }
    }
    return pairs.reduce(0) { max($0, (signal($1.0) - signal($1.1)).magnitude) }
  }

  private static func nits(_ units: UInt32) -> Double { Double(units) / HDR10PlusMetadata.lightUnits }
}
