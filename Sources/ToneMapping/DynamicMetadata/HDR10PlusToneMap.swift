internal import Frames
import Glibc
internal import Rendering

/// The tone curve of HDR10+: linear from black to a knee, then a Bézier curve to the shot's peak.
///
/// It is designed for one display. For a darker one, the knee is lowered and the curve approaches hard clipping; for a
/// brighter one it approaches the identity, which it reaches at the shot's peak.
/// Source: SMPTE ST 2094-40 for the curve; libplacebo, `tone_mapping.c`, function `st2094_40`, for other displays
/// (decision 0006 has the differences).
public struct HDR10PlusToneMap: Sendable, Hashable, Codable {
  /// Luminance in cd/m² at the end of the curve.
  public let scenePeak: Double
  /// Peak in cd/m² of the display that the curve is designed for.
  public let targetedPeak: Double
  /// Fractions of `scenePeak` and `targetedPeak`; x below 1.
  private let knee: SIMD2<Double>
  /// Ordinates of the control points from the knee to the end, including 0 and 1, non-decreasing.
  private let ordinates: [Double]

  /// - Parameters:
  ///   - curve: At least one anchor, in ascending order.
  ///   - scenePeak: In cd/m², above 0.
  ///   - targetedPeak: In cd/m², above 0.
  init(_ curve: HDR10PlusMetadata.Curve, scenePeak: Double, targetedPeak: Double) {
    let unit = HDR10PlusMetadata.kneeUnits
    self.scenePeak = scenePeak
    self.targetedPeak = targetedPeak
    knee = SIMD2(min(Double(curve.kneeX), unit - 1) / unit, min(Double(curve.kneeY) / unit, 1))
    ordinates = [0] + curve.anchors.map { min(Double($0) / HDR10PlusMetadata.anchorUnits, 1) } + [1]
  }

  private static let possiblePeaks = Double.leastNormalMagnitude...EDRMetadata.plausiblePeaks.upperBound

  /// - Throws: `DecodingError` for values that `init(_:scenePeak:targetedPeak:)` cannot produce.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    scenePeak = try values.decode(Double.self, forKey: .scenePeak, in: Self.possiblePeaks)
    targetedPeak = try values.decode(Double.self, forKey: .targetedPeak, in: Self.possiblePeaks)
    (knee, ordinates) = (
      try values.decode(SIMD2<Double>.self, forKey: .knee), try values.decode([Double].self, forKey: .ordinates)
    )
    guard (0..<1).contains(knee.x), (0...1).contains(knee.y), 3...17 ~= ordinates.count, ordinates.first == 0,
      ordinates.last == 1, zip(ordinates, ordinates.dropFirst()).allSatisfy({ $0 <= $1 })
    else {
      throw DecodingError.dataCorruptedError(forKey: .knee, in: values, debugDescription: "this is not a curve")
    }
  }

  /// Returns the curve of max(R, G, B) for a display.
  /// - Parameter displayPeak: In cd/m².
  func mapper(displayPeak: Double) -> ToneMapper {
    guard displayPeak < scenePeak else { return .identity(displayPeak: displayPeak) }
    let (knee, ordinates) = adapted(to: displayPeak)
    let scenePeak = scenePeak
    return ToneMapper(displayPeak: displayPeak, uncompressedGain: 1) { nits in
      let x = min(nits / scenePeak, 1)
      guard x > knee.x else { return x * knee.y / knee.x * displayPeak }
      let t = (x - knee.x) / (1 - knee.x)
      return (knee.y + (1 - knee.y) * Self.bezier(ordinates, t)) * displayPeak
    }
  }

  /// Returns knee and ordinates for a display darker than the shot; continuous in the display's peak.
  private func adapted(to display: Double) -> (knee: SIMD2<Double>, ordinates: [Double]) {
    var (knee, points) = (knee, ordinates)
    let order = Double(points.count - 1)
    let target = min(targetedPeak, scenePeak)
    if targetedPeak >= scenePeak {
      knee.y = knee.x
      for index in points.indices { points[index] = Double(index) / order }
    }
    if display < target {
      let share = display / target
      knee *= share
      knee.y = mix(kept(knee.x, on: display, order), knee.y, share)
      for index in 2..<points.count { points[index] = mix(1, points[index], share) }
      points[1] = mix(intercept(knee, order), points[1], share)
    } else if display > target {
      let share = pow(1 - (display - target) / (scenePeak - target), 1.4)
      knee.y = mix(kept(knee.x, on: display, order), knee.y * target / display, share)
      for index in 2..<points.count - 1 { points[index] = mix(Double(index) / order, points[index], share) }
      points[1] = mix(intercept(knee, order), points[1], share)
    }
    // Raising the first ordinate may put it above the next, which would make the curve non-monotonic.
    for index in 1..<points.count { points[index] = max(points[index], points[index - 1]) }
    return (knee, points)
  }

  /// Returns the ordinate that keeps the luminance of an abscissa, as far as the Bézier curve's initial slope can match
  /// the slope of the line.
  private func kept(_ x: Double, on display: Double, _ order: Double) -> Double {
    let reach = order * x / (1 - x)
    return min(x * scenePeak / display, reach / (reach + 1))
  }

  /// Returns the first ordinate that makes the slope continuous at the knee.
  private func intercept(_ knee: SIMD2<Double>, _ order: Double) -> Double {
    guard knee.x > 0, knee.y < 1 else { return 1 / order }
    return min(knee.y / knee.x * (1 - knee.x) / (1 - knee.y) / order, 1)
  }

  /// Evaluates the Bernstein polynomial with these coefficients.
  private static func bezier(_ ordinates: [Double], _ t: Double) -> Double {
    let order = ordinates.count - 1
    var (sum, binomial, power) = (ordinates[0] * (1 - t), 1.0, 1.0)
    for index in 1..<order {
      power *= t
      binomial *= Double(order - index + 1) / Double(index)
      sum = (sum + power * binomial * ordinates[index]) * (1 - t)
    }
    return sum + power * t * ordinates[order]
  }
}

private func mix(_ a: Double, _ b: Double, _ weight: Double) -> Double { a + (b - a) * weight }
