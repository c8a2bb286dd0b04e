public import ColorScience
internal import Rendering

/// Maps out-of-gamut colours into a display's gamut.
public struct GamutMapping: Sendable, Hashable {
  /// How out-of-gamut colours are mapped.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Clips components, with a soft floor, and moves highlights towards white.
    case perceptual
    /// Rolls off saturation, then the brightness of saturated colours: smooth, preserves dominant wavelength, does not clip.
    case compress
    /// Clips each component at zero and at the headroom.
    case clip
  }

  /// How out-of-gamut colours are mapped.
  public let method: Method
  /// Primaries of the input.
  public let source: RGBSpace
  /// Primaries of the display.
  public let target: RGBSpace
  /// Maximum component of the display; 1.0 is SDR white.
  public let headroom: Double
  /// How highlights move towards white; only by `perceptual`.
  public let highlights: HighlightDesaturation
  /// Components are clipped where source and display share their primaries, too.
  private let isExact: Bool
  private let matrix: Matrix3
  private let luminance: SIMD3<Double>
  private let perceptual: PerceptualGamut

  /// Saturation up to this fraction of the display's is unchanged. A higher value preserves more of the display's
  /// gamut, a lower one leaves more steps between colours outside it.
  package static let saturationStart = 0.8
  /// Saturation that the source's most saturated colours are mapped to. Slightly below 1, to keep the smallest
  /// component off zero, where the display's transfer function is so steep that rounding alone would be visible.
  package static let saturationCeiling = 0.99
  /// Brightness up to this fraction of the display's peak is unchanged.
  package static let brightnessStart = 0.75

  /// `headroom` is the display's peak over its SDR white, at least 1; `highlights` has an effect with `perceptual` only.
  public init(
    method: Method, source: RGBSpace, target: RGBSpace, headroom: Double, highlights: HighlightDesaturation = .none
  ) {
    self.init(
      method: method, source: source, target: target, headroom: headroom, highlights: highlights, isExact: false)
  }

  init(
    method: Method, source: RGBSpace, target: RGBSpace, headroom: Double, highlights: HighlightDesaturation = .none,
    isExact: Bool
  ) {
    self.method = method
    self.isExact = isExact
    self.highlights = method == .perceptual ? highlights : .none
    self.source = source
    self.target = target
    self.headroom = headroom
    matrix = RGBSpace.conversion(from: source, to: target)
    luminance = source.luminance
    perceptual = PerceptualGamut(source: source, target: target, headroom: headroom, highlights: highlights)
  }

  /// Highlights move towards white.
  public var desaturates: Bool { highlights.bright > 0 }

  /// Nothing changes: source and display share their primaries, and highlights stay.
  private var isIdentity: Bool { source == target && !desaturates && !isExact }

  /// Maps one colour.
  /// - Parameter rgb: Linear components in the source's primaries, 1.0 = SDR white.
  /// - Returns: Linear components in the display's primaries.
  public func map(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    if isIdentity { return rgb }
    switch method {
    case .perceptual: return perceptual.map(rgb)
    case .compress: return compressed(rgb)
    case .clip:
      return (matrix * rgb).clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: headroom))
    }
  }

  /// `compress` works on two distances. Saturation is (Y - min) / Y with luminance Y: 1 on the gamut boundary, 0 for
  /// grey. The saturation of the same colour in the source's primaries tells how far away the source's gamut boundary
  /// is at this hue: the roll-off maps exactly that boundary to the ceiling, so that a hue where the gamuts agree is
  /// unchanged. Brightness is next: the largest component, relative to the same in the source's primaries, which tone
  /// mapping has brought below the headroom. Both move colours towards grey or black: dominant wavelength is preserved.
  private func compressed(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    var result = matrix * rgb
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

  /// Identity up to `start`; above it the hyperbola with slope 1 at `start` that reaches `ceiling` at `limit`: the only
  /// Möbius curve that does both, concave and increasing.
  package static func rollOff(_ value: Double, start: Double, ceiling: Double, limit: Double) -> Double {
    guard value > start, limit > ceiling else { return value }
    let (above, span, room) = (value - start, ceiling - start, limit - start)
    return start + above * span * room / (span * room + above * (room - span))
  }

  /// The mapping in kernel form.
  var compiled: ColorTransform.Gamut {
    if isIdentity { return .keep }
    switch method {
    case .perceptual: return perceptual.compiled
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
