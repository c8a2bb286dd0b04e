public import ColorScience
internal import Rendering

/// How colours that a display's primaries cannot mix are brought into its gamut.
public struct GamutMapping: Sendable, Hashable {
  /// How colours outside the gamut are treated.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Rolls off saturation, then the brightness of saturated colours: smooth, keeps the hue, no colour is clipped.
    case compress
    /// Clips each component at zero and at the headroom.
    case clip
  }

  /// How colours outside the gamut are treated.
  public let method: Method
  /// Primaries that colours come in.
  public let source: RGBSpace
  /// Primaries of the display.
  public let target: RGBSpace
  /// Largest component that the display shows; 1.0 is SDR white.
  public let headroom: Double
  private let matrix: Matrix3
  private let luminance: SIMD3<Double>

  /// Saturation up to this share of the display's is left alone. Higher keeps more of the display's gamut as it is,
  /// lower leaves more steps between colours outside of it.
  package static let saturationStart = 0.8
  /// Saturation that the source's most saturated colours get. A little below 1 keeps the smallest component off
  /// zero, where the display's transfer function is so steep that rounding alone would show.
  package static let saturationCeiling = 0.99
  /// Brightness up to this share of the display's peak is left alone.
  package static let brightnessStart = 0.75

  /// `headroom` is the display's peak over its SDR white, at least 1.
  public init(method: Method, source: RGBSpace, target: RGBSpace, headroom: Double) {
    self.method = method
    self.source = source
    self.target = target
    self.headroom = headroom
    matrix = RGBSpace.conversion(from: source, to: target)
    luminance = source.luminance
  }

  /// One colour.
  ///
  /// `compress` works on two distances. Saturation is (Y - min) / Y, Y the luminance: 1 on the edge of the gamut, 0 for
  /// grey. That of the same colour in the source's primaries says how far the edge of the source's gamut is along this
  /// hue: the roll-off takes just that edge to the ceiling, so that a hue whose gamuts agree is not touched. Then
  /// brightness: the largest component, against the same in the source's primaries, which tone mapping has brought
  /// below the headroom. Both scale the way to grey or to black: dominant wavelength stays.
  /// - Parameter rgb: Linear components in the source's primaries, 1.0 = SDR white.
  /// - Returns: Linear components in the display's primaries.
  public func map(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    guard source != target else { return rgb }
    var result = matrix * rgb
    guard method == .compress else {
      return result.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: headroom))
    }
    let gray = (luminance * rgb).sum()
    guard gray > 0 else { return SIMD3(repeating: 0) }
    let saturation = (gray - result.min()) / gray
    let sourceSaturation = (gray - max(rgb.min(), 0)) / gray
    let rolled = Self.rollOff(
      saturation, start: Self.saturationStart, ceiling: Self.saturationCeiling,
      limit: sourceSaturation > 0 ? saturation / sourceSaturation : 0)
    if rolled < saturation {
      result = SIMD3(repeating: gray) + (result - SIMD3(repeating: gray)) * (rolled / saturation)
    }
    let brightness = result.max() / headroom
    let dimmed = Self.rollOff(
      brightness, start: Self.brightnessStart, ceiling: 1, limit: result.max() / min(rgb.max(), headroom))
    return dimmed < brightness ? result * (dimmed / brightness) : result
  }

  /// Identity up to `start`; above it the hyperbola that has slope 1 at `start` and reaches `ceiling` at `limit`: the
  /// one Möbius curve that does both, concave and rising all the way.
  package static func rollOff(_ value: Double, start: Double, ceiling: Double, limit: Double) -> Double {
    guard value > start, limit > ceiling else { return value }
    let (above, span, room) = (value - start, ceiling - start, limit - start)
    return start + above * span * room / (span * room + above * (room - span))
  }

  /// The form in which the kernels run it.
  var compiled: ColorTransform.Gamut {
    if source == target { return .keep }
    switch method {
    case .clip: return .clip(matrix, headroom: headroom)
    case .compress:
      return .compress(
        matrix, headroom: headroom, sourceLuminance: luminance,
        saturation: ColorTransform.Knee(
          start: Self.saturationStart, span: Self.saturationCeiling - Self.saturationStart),
        brightness: ColorTransform.Knee(start: Self.brightnessStart, span: 1 - Self.brightnessStart))
    }
  }
}
