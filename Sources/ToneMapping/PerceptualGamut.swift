internal import ColorScience
internal import Glibc
internal import Rendering

/// The mapping of `GamutMapping.Method.perceptual`: clips components with a soft floor, and moves highlights towards
/// white.
///
/// Hue, chroma and lightness cannot all be preserved for an out-of-gamut colour. A hard clip loses least overall and is
/// closest to graders' choices (decision 0032), so the mapping is close to one:
///
/// - A component c below the floor f, a small fraction of the largest component, becomes f² / (2 f - c). This continues
///   c = f with slope 1 and tends to 0, so colours further outside stay distinct.
/// - Components are clipped at the headroom, so warm highlights turn yellow, as in grades.
/// - In highlights, components move towards the largest, closer ones furthest: orange turns yellow, and pure red hardly
///   changes.
struct PerceptualGamut: Sendable, Hashable {
  /// The floor as a fraction of the largest component. BT.1886 codes light below it in the lowest tenth of its signal.
  static let floor = 0.004
  /// The floor as a fraction of the excess of the source's primaries and secondaries, for gamuts that differ little.
  static let floorOfExcess = 0.125

  private let matrix: Matrix3
  private let headroom: Double
  private let highlights: HighlightDesaturation
  /// One per component; 0 for components that are never negative.
  private let floors: SIMD3<Double>

  init(source: RGBSpace, target: RGBSpace, headroom: Double, highlights: HighlightDesaturation) {
    matrix = RGBSpace.conversion(from: source, to: target)
    self.headroom = headroom
    self.highlights = highlights
    floors = source == target ? .zero : Self.floors(matrix)
  }

  private static func floors(_ matrix: Matrix3) -> SIMD3<Double> {
    var outside = SIMD3<Double>.zero
    for corner in 1..<7 {
      let color = matrix * SIMD3(Double(corner & 1), Double(corner >> 1 & 1), Double(corner >> 2))
      outside = pointwiseMax(outside, -color / color.max())
    }
    return pointwiseMin(outside * floorOfExcess, SIMD3(repeating: floor))
  }

  /// Maps one colour.
  func map(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    var result = matrix * rgb
    let largest = max(result.max(), 0)
    for index in 0..<3 {
      let (component, floor) = (result[index], floors[index] * largest)
      if component < floor { result[index] = floor * floor / (2 * floor - component) }
    }
    result = pointwiseMin(result, SIMD3(repeating: headroom))
    let top = SIMD3(repeating: min(largest, headroom))
    let ways = highlights.ways(of: result / headroom, to: top / headroom, at: rgb.max() / headroom)
    return result + (top - result) * ways
  }

  /// The mapping in kernel form.
  var compiled: ColorTransform.Gamut {
    .perceptual(
      matrix, headroom: headroom, floors: floors, highlights: (highlights.start, highlights.bright, highlights.dark))
  }
}

/// The strength with which bright colours move towards white.
///
/// A tone curve of the largest component makes bright saturated areas flat: they end at the peak, and brighter light is
/// indistinguishable. A move towards the largest component keeps brighter light brighter (decision 0021).
public struct HighlightDesaturation: Sendable, Hashable {
  /// How far a component near the largest moves towards it at the headroom, 0...1.
  public let bright: Double
  /// How far a component of 0 moves.
  public let dark: Double
  /// Largest component, as a fraction of the headroom, above which colours change.
  public let start: Double

  /// No desaturation.
  public static let none = HighlightDesaturation(amount: 0, start: 1)

  /// - Parameters:
  ///   - amount: Strength of the change at the headroom, 0...1; 1 is white if `strength` is 1.
  ///   - strength: A factor on the change, 0...1.
  ///   - start: Largest component, as a fraction of the headroom, above which colours change; below 1 if there is an
  ///     effect.
  public init(amount: Double, strength: Double = 1, start: Double) {
    let used = amount > 0 && start < 1 ? min(amount, 1) : 0
    (bright, dark) = (used * strength, pow(used, 8) * strength)
    self.start = min(max(start, 0), 1)
  }

  /// Returns how far each of `components` moves to `largest`, where the colour's largest component in the source's
  /// primaries is `brightness`; all are fractions of the headroom.
  func ways(of components: SIMD3<Double>, to largest: SIMD3<Double>, at brightness: Double) -> SIMD3<Double> {
    guard bright > 0, brightness > start else { return .zero }
    let share = (min(brightness, 1) - start) / (1 - start)
    return share * share * (dark + (bright - dark) * components * (2 * largest - components))
  }
}
