public import Rendering

/// A tone curve for one pair of content and display.
public struct ToneMapper: Sendable {
  /// The application of the curve to a colour.
  public enum Application: Sendable {
    /// `curve` maps max(R, G, B) from content cd/m² to display cd/m²; all components get the same gain.
    ///
    /// The curve accepts any number: negative values and NaN are treated as 0. Its result never exceeds the display's
    /// peak.
    case maxRGB(curve: @Sendable (Double) -> Double)
    /// `gain` maps a mix of the components in content cd/m², above 0, to a common factor, limited so that the largest
    /// component does not exceed the display's peak.
    case mixed(ComponentMix, gain: @Sendable (Double) -> Double)
    /// The method of BT.2446 A, on Y'CbCr.
    case bt2446a(BT2446A)
  }

  /// The application of the curve to a colour.
  public private(set) var application: Application
  /// Peak of the display in cd/m².
  public private(set) var displayPeak: Double
  /// Display light per content light of a rendition without compression, used to measure how much this one compresses
  /// highlights; nil: it does not, or desaturates them itself.
  public let uncompressedGain: Double?
  /// Whether the content's black maps to the display's.
  let endsAtBlack: Bool

  /// Smallest max(R, G, B) in cd/m² that a gain is computed for; below it the gain is constant.
  ///
  /// A quarter of the first ten-bit PQ step (4e-5). It keeps the gain finite for curves that lift black.
  public static let gainFloor = 1e-5
  /// Maximum component in cd/m² in computations; avoids infinities.
  static let componentLimit = 1e6

  /// Creates a curve of max(R, G, B).
  /// - Parameters:
  ///   - displayPeak: Peak of the display in cd/m².
  ///   - uncompressedGain: Display light per content light of a rendition without compression; nil: no desaturation of
  ///     highlights.
  ///   - curve: Content cd/m² to display cd/m², for 0 to a million; the result is limited to the peak.
  public init(
    displayPeak: Double, uncompressedGain: Double? = nil, curve: @escaping @Sendable (Double) -> Double
  ) {
    self.init(displayPeak: displayPeak, uncompressedGain: uncompressedGain, endsAtBlack: false, curve: curve)
  }

  private init(
    displayPeak: Double, uncompressedGain: Double?, endsAtBlack: Bool, curve: @escaping @Sendable (Double) -> Double
  ) {
    self.displayPeak = displayPeak
    self.uncompressedGain = uncompressedGain
    self.endsAtBlack = endsAtBlack
    application = Self.limited(curve, to: displayPeak)
  }

  private static func limited(_ curve: @escaping @Sendable (Double) -> Double, to peak: Double) -> Application {
    .maxRGB { nits in min(curve(nits > 0 ? min(nits, componentLimit) : 0), peak) }
  }

  /// Creates a curve of a mix of the components.
  /// - Parameters:
  ///   - displayPeak: Peak of the display in cd/m².
  ///   - uncompressedGain: Same as for a curve of max(R, G, B).
  ///   - mix: The argument of the gain.
  ///   - gain: From a mix in content cd/m², above 0, to display cd/m² per content cd/m².
  public init(
    displayPeak: Double, uncompressedGain: Double? = nil, mix: ComponentMix,
    gain: @escaping @Sendable (Double) -> Double
  ) {
    self.displayPeak = displayPeak
    self.uncompressedGain = uncompressedGain
    endsAtBlack = false
    application = .mixed(mix, gain: gain)
  }

  init(_ method: BT2446A) {
    displayPeak = method.displayPeak
    uncompressedGain = nil
    endsAtBlack = false
    application = .bt2446a(method)
  }

  /// Returns a curve that leaves light unchanged up to the display's peak.
  public static func identity(displayPeak: Double) -> ToneMapper {
    ToneMapper(displayPeak: displayPeak) { $0 }
  }

  /// Adapts a curve defined for a display whose SDR white is the content's reference white: 203 cd/m² for libplacebo.
  /// - Parameters:
  ///   - conditions: The content and the actual display.
  ///   - endsAtBlack: Whether the curve maps the content's black to the display's.
  ///   - isForAll: Whether the curve also applies to content that fits the display.
  ///   - curve: From content cd/m² to cd/m² of the reference-white display.
  static func whiteAtReference(
    _ conditions: ToneConditions, endsAtBlack: Bool = false, isForAll: Bool = false,
    _ curve: (ToneConditions) -> @Sendable (Double) -> Double
  ) -> ToneMapper {
    let scale = conditions.display.sdrWhite / conditions.referenceWhite
    var moved = conditions
    moved.display.sdrWhite = conditions.referenceWhite
    moved.display.peak /= scale
    moved.display.black /= scale
    if moved.fitsDisplay, !isForAll {
      return ToneMapper(displayPeak: conditions.display.peak) { $0 * scale }
    }
    let output = curve(moved)
    return ToneMapper(displayPeak: conditions.display.peak, uncompressedGain: scale, endsAtBlack: endsAtBlack) {
      output($0) * scale
    }
  }

  /// Returns the curve with light above the content's peak scaled in proportion, by at most `factor`.
  ///
  /// Curves that use more than the largest component still end at the display's peak.
  func keepingSuperWhite(above contentPeak: Double, upTo factor: Double) -> ToneMapper {
    guard factor > 1, case .maxRGB(let curve) = application else { return self }
    let end = curve(contentPeak)
    var result = self
    result.displayPeak = end * factor
    result.application = Self.limited({ $0 > contentPeak ? end * $0 / contentPeak : curve($0) }, to: end * factor)
    return result
  }

  /// Returns the curve adapted to a screen with black; methods other than gains are unchanged.
  func adapted(to black: BlackAdaptation) -> ToneMapper {
    var result = self
    switch application {
    case .maxRGB(let curve): result.application = Self.limited({ black.light(curve($0)) }, to: displayPeak)
    case .mixed(let mix, let gain): result.application = .mixed(mix) { black.light(gain($0) * $0) / $0 }
    case .bt2446a: break
    }
    return result
  }

  /// Maps one colour exactly.
  /// - Parameter rgb: Linear BT.2020 components in content cd/m²; NaN is treated as 0.
  /// - Returns: Linear BT.2020 components in display cd/m², none above the display's peak. Negative components
  ///   (out of gamut) get the gain of the others.
  public func map(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let rgb = SIMD3(Self.limited(rgb.x), Self.limited(rgb.y), Self.limited(rgb.z))
    switch application {
    case .maxRGB(let curve):
      // Limited again, because the product may round up.
      return pointwiseMin(rgb * Self.gain(of: curve, at: rgb.max()), SIMD3(repeating: displayPeak))
    case .mixed(let mix, let gain):
      let wanted = gain(max(mix.value(rgb), Self.gainFloor))
      let factor = min(wanted, displayPeak / max(rgb.max(), Self.gainFloor))
      return pointwiseMin(rgb * factor, SIMD3(repeating: displayPeak))
    case .bt2446a(let method):
      return method.map(rgb)
    }
  }

  /// Returns the common factor that a curve applies to the components of a colour.
  /// - Parameter brightest: The largest component in content cd/m².
  package static func gain(of curve: (Double) -> Double, at brightest: Double) -> Double {
    let brightest = max(brightest, gainFloor)
    return curve(brightest) / brightest
  }

  private static func limited(_ component: Double) -> Double {
    component.isNaN ? 0 : min(max(component, -componentLimit), componentLimit)
  }
}
