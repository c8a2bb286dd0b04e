public import ColorScience
internal import Rendering

/// Maps out-of-gamut colours into a display's gamut.
public struct GamutMapping: Sendable, Hashable {
  /// The method for out-of-gamut colours.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Clips components, with a soft floor, and moves highlights towards white.
    case perceptual
    /// Rolls off saturation, then the brightness of saturated colours: smooth, without clipping, preserves dominant
    /// wavelength.
    case compress
    /// Clips each component at zero and at the headroom.
    case clip
  }

  /// The method for out-of-gamut colours.
  public let method: Method
  /// Primaries of the input.
  public let source: RGBSpace
  /// Primaries of the display.
  public let target: RGBSpace
  /// Maximum component of the display; 1.0 is SDR white.
  public let headroom: Double
  /// Desaturation of highlights; only used by `perceptual`.
  public let highlights: HighlightDesaturation
  /// Whether components are clipped even if source and display share their primaries.
  private let isExact: Bool
  private let matrix: Matrix3
  private let luminance: SIMD3<Double>
  private let perceptual: PerceptualGamut

  /// Saturation up to this fraction of the display's is unchanged. Higher values preserve more of the display's gamut,
  /// lower ones leave more steps for colours outside it.
  package static let saturationStart = 0.8
  /// Output saturation of the source's most saturated colours. Slightly below 1, to keep the smallest component off
  /// zero, where the display's transfer function is so steep that rounding alone would be visible.
  package static let saturationCeiling = 0.99
  /// Brightness up to this fraction of the display's peak is unchanged.
  package static let brightnessStart = 0.75

  /// Creates a mapping; `headroom` is the display's peak over its SDR white, at least 1; `highlights` only affects
  /// `perceptual`.
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

  /// Whether highlights move towards white.
  public var desaturates: Bool { highlights.bright > 0 }

  /// Whether the mapping is the identity: source and display share their primaries, and highlights are unchanged.
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
  /// grey. The saturation in the source's primaries gives the distance of the source's gamut boundary at this hue: the
  /// roll-off maps exactly that boundary to the ceiling, so that hues where the gamuts coincide are unchanged.
  /// Brightness is next: the largest component, relative to the largest in the source's primaries, which tone mapping
  /// has brought below the headroom. Both move colours towards grey or black, which preserves dominant wavelength.
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

  /// The identity up to `start`; above it, the hyperbola with slope 1 at `start` that reaches `ceiling` at `limit`: the
  /// only Möbius curve with both properties, concave and increasing.
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
