internal import Foundation
package import ToneMapping

/// The levels above which a tone curve compresses and clips.
package struct ToneLimits: Sendable, Hashable {
  /// Content level in cd/m²; infinite if nothing is compressed.
  package var compressed = Double.infinity
  /// Content level in cd/m²; infinite if all light fits.
  package var clipped = Double.infinity

  /// - Parameter mapper: The tone curve; nil: SDR content, which is unchanged.
  package init(_ mapper: ToneMapper?, peak: Double) {
    guard let mapper else { return }
    func shown(_ nits: Double) -> Double { mapper.map(SIMD3(repeating: nits)).max() }
    // In steps of 1 %.
    let levels = (0...Int(log(peak / Self.darkest) / log(Self.step))).map { Self.darkest * pow(Self.step, Double($0)) }
    let contrasts = levels.map { log(shown($0 * Self.step) / shown($0)) / log(Self.step) }
    clipped = zip(levels, contrasts).reversed().prefix { $0.1 < Self.flat }.last?.0 ?? .infinity
    compressed =
      zip(levels, contrasts).reversed().prefix { $0.1 < ClipWarning.minimumContrast }.last?.0 ?? .infinity
  }

  private static let darkest = 1.0
  private static let step = 1.01
  /// An invisible contrast.
  private static let flat = 1e-3
}
