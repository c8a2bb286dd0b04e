/// A difference of two colours.
public struct ColorDifference: Sendable, Hashable {
  /// CIEDE2000, all weights 1.
  public let deltaE: Double
  /// Standard uncertainty; nil: one of the colours has none.
  public let uncertainty: Double?

  /// The difference of a colour from itself.
  static let zero = ColorDifference(deltaE: 0, uncertainty: 0)

  private init(deltaE: Double, uncertainty: Double?) {
    self.deltaE = deltaE
    self.uncertainty = uncertainty
  }

  /// nil: one of them was not measured.
  init?(from reference: ConstantColorReport.Region, to color: ConstantColorReport.Region) {
    guard let from = reference.lab, let to = color.lab else { return nil }
    let deltaE = CIELAB.deltaE2000(from, to)
    guard deltaE.isFinite else { return nil }
    self.init(
      deltaE: deltaE,
      uncertainty: reference.uncertainty.flatMap { first in
        color.uncertainty.map { Self.uncertainty(from, first, to, $0) }
      })
  }

  /// Each component is moved by its uncertainty in both directions, and the larger changes are added in quadrature:
  /// around equal colours a difference grows in every direction, so the derivative would be 0.
  ///
  /// Source: JCGM 100:2008, 5.1.3, note 2, for independent components.
  private static func uncertainty(
    _ from: SIMD3<Double>, _ first: SIMD3<Double>, _ to: SIMD3<Double>, _ second: SIMD3<Double>
  ) -> Double {
    let deltaE = CIELAB.deltaE2000(from, to)
    var sum = 0.0
    for index in 0..<3 {
      for (step, isFirst) in [(first[index], true), (second[index], false)] {
        let changes = [step, -step].map { step in
          var (from, to) = (from, to)
          if isFirst { from[index] += step } else { to[index] += step }
          return abs(CIELAB.deltaE2000(from, to) - deltaE)
        }
        let change = max(changes[0], changes[1])
        sum += change * change
      }
    }
    return sum.squareRoot()
  }
}
