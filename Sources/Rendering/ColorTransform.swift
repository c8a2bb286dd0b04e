public import ColorScience
package import SIMDShims

/// A mapping of content light to display light, compiled for the kernels.
///
/// Tone curves and gamut mappings are defined elsewhere; this is their executable form.
@safe
public struct ColorTransform: @unchecked Sendable {
  // @unchecked and @safe: the pointers in `parameters` point into tables that this value retains.

  /// The step before the gamut mapping.
  public enum Tone: Sendable {
    /// Multiplies every component by a constant.
    case scale(Double)
    /// A gain from the weighted sum of the components, with a table from `overLuminance`.
    case luminanceGain(GainTable, weights: SIMD3<Double>)
    /// A gain from the largest component.
    case maximumGain(GainTable)
    /// A gain from a mix of the components, with a table from `overHalves`; components are then limited.
    case mixedGain(GainTable, mix: ComponentMix, limit: Double)
    /// BT.2446-1 method A.
    case bt2446a(BT2446AForm)
  }

  /// Parameters of BT.2446-1 method A.
  public struct BT2446AForm: Sendable {
    /// Input value of signal 1.
    public var contentPeak: Double
    /// Output value of signal 1.
    public var displayPeak: Double
    /// Y' of the display divided by Y' of the content, as a function of content Y'.
    public var lumaGain: GainTable
    /// Weights of Y'.
    public var matrix: YCbCrMatrix

    /// Creates parameters; peaks are in band units, of the content on input and of the display on output.
    public init(contentPeak: Double, displayPeak: Double, lumaGain: GainTable, matrix: YCbCrMatrix) {
      self.contentPeak = contentPeak
      self.displayPeak = displayPeak
      self.lumaGain = lumaGain
      self.matrix = matrix
    }

    fileprivate static let gamma = SignalTransfer.bt1886(peak: 1)
    fileprivate static let roots = KernelTier.supported.map { PiecewisePolynomial.signal(of: gamma, for: $0) }
    fileprivate static let powers = KernelTier.supported.map { PiecewisePolynomial.light(of: gamma, for: $0) }
  }

  /// Identity up to `start` (a fraction of the maximum), rolled off over `span` above it.
  public struct Knee: Sendable, Hashable {
    /// Fraction of the maximum, 0...1, up to which the knee is the identity.
    public var start: Double
    /// Width of the roll-off above `start`, in the same unit.
    public var span: Double

    /// Creates a knee from fractions; at `start + span` the roll-off has reached its limit.
    public init(start: Double, span: Double) {
      self.start = start
      self.span = span
    }

    var parameters: hr_knee {
      hr_knee(
        start: Float(start), span: Float(span), before: Float(start * (1 - 0x1p-18)), end: Float(start + span))
    }
  }

  /// The conversion to the display's primaries.
  public enum Gamut: Sendable {
    /// Source and display have the same primaries.
    case keep
    /// Converts primaries; out-of-gamut colours have negative components.
    case convert(Matrix3)
    /// Clips components at 0 and at `headroom`.
    case clip(Matrix3, headroom: Double)
    /// Rolls off saturation and brightness.
    case compress(
      Matrix3, headroom: Double, sourceLuminance: SIMD3<Double>, saturation: Knee, brightness: Knee)
    /// Softens components below floors (shares of the largest), clips, and moves highlights above the fraction `start`
    /// of the headroom towards their largest component: at the headroom, by `dark` of the way for a component of 0, and
    /// by `bright` for one near the headroom.
    case perceptual(
      Matrix3, headroom: Double, floors: SIMD3<Double>, highlights: (start: Double, bright: Double, dark: Double))
  }

  /// Factor of luminance before it is rounded to half float for the look-up.
  static let luminanceScale = 256.0

  private let scene: (gain: GainTable, weights: SIMD3<Double>)?
  private let tone: Tone
  private let gamut: Gamut
  /// One per supported tier, lowest first.
  private let parameters: [hr_mapping]

  /// Compiles a mapping from its parts.
  /// - Parameters:
  ///   - scene: Gain as a function of luminance, applied before `tone`, with the luminance weights: the HLG OOTF. Its
  ///     table is from `overLuminance`.
  ///   - tone: The step before the gamut mapping.
  ///   - gamut: The conversion to the display's primaries.
  public init(scene: (gain: GainTable, weights: SIMD3<Double>)? = nil, tone: Tone, gamut: Gamut) {
    self.scene = scene
    self.tone = tone
    self.gamut = gamut
    unsafe parameters = KernelTier.supported.indices.map { tier in
      var p = unsafe hr_mapping()
      if let scene {
        unsafe p.is_scene_light = 1
        unsafe p.luminance_gain = scene.gain.table.base
        unsafe p.scene_luminance = (scene.weights * Self.luminanceScale).kernelRow
      }
      unsafe Self.set(tone, tier, &p)
      unsafe Self.set(gamut, &p)
      return unsafe p
    }
  }

  /// Returns the same mapping with its result multiplied by `factor`.
  package func scaled(by factor: Double) -> ColorTransform {
    ColorTransform(scene: scene, tone: tone.scaled(by: factor), gamut: gamut.scaled(by: factor))
  }

  private static func set(_ tone: Tone, _ tier: Int, _ p: inout hr_mapping) {
    switch tone {
    case .scale(let factor):
      unsafe p.tone = HR_TONE_SCALE
      unsafe p.scale = Float(factor)
    case .luminanceGain(let table, let weights):
      unsafe p.tone = HR_TONE_LUMINANCE_GAIN
      unsafe p.luminance_gain = table.table.base
      unsafe p.scene_luminance = (weights * luminanceScale).kernelRow
    case .maximumGain(let table):
      unsafe p.tone = HR_TONE_MAXIMUM_GAIN
      unsafe p.maximum_gain = table.table.base
    case .mixedGain(let table, let mix, let limit):
      unsafe p.tone = HR_TONE_MIXED_GAIN
      unsafe p.mixed_gain = table.table.base
      unsafe p.mix = hr_mix(
        weights: mix.weights.kernelRow, largest: Float(mix.largest), smallest: Float(mix.smallest),
        matrix: mix.matrix.kernelMatrix, limit: Float(limit))
    case .bt2446a(let form):
      unsafe p.tone = HR_TONE_BT2446A
      let (root, power) = (BT2446AForm.roots[tier], BT2446AForm.powers[tier])
      unsafe p.bt2446a = hr_bt2446a(
        input_gain: Float(1 / form.contentPeak), root_gain: Float(root.scale), root_offset: Float(root.offset),
        power_gain: Float(power.scale), power_offset: Float(power.offset), root: root.parameters,
        power: power.parameters, curve: form.lumaGain.table.base, kr: Float(form.matrix.kr),
        kg: Float(form.matrix.kg), kb: Float(form.matrix.kb), cr_gain: Float(0.5 / (1 - form.matrix.kr)),
        output_gain: Float(form.displayPeak))
    }
  }

  private static func set(_ gamut: Gamut, _ p: inout hr_mapping) {
    switch gamut {
    case .keep:
      unsafe p.gamut = HR_GAMUT_KEEP
    case .convert(let matrix):
      unsafe p.gamut = HR_GAMUT_CONVERT
      unsafe p.matrix = matrix.kernelMatrix
    case .clip(let matrix, let headroom):
      unsafe p.gamut = HR_GAMUT_CLIP
      unsafe p.matrix = matrix.kernelMatrix
      unsafe p.headroom = Float(headroom)
    case .compress(let matrix, let headroom, let luminance, let saturation, let brightness):
      unsafe p.gamut = HR_GAMUT_COMPRESS
      unsafe p.matrix = matrix.kernelMatrix
      unsafe p.headroom = Float(headroom)
      unsafe p.luminance = luminance.kernelRow
      unsafe p.saturation = saturation.parameters
      unsafe p.brightness = brightness.parameters
    case .perceptual(let matrix, let headroom, let floors, let (start, bright, dark)):
      unsafe p.gamut = HR_GAMUT_PERCEPTUAL
      unsafe p.matrix = matrix.kernelMatrix
      unsafe p.headroom = Float(headroom)
      unsafe p.perceptual = hr_perceptual(
        floors: floors.kernelRow, highest_floor: Float(floors.max()),
        changed_from: Float(headroom * (bright > 0 ? start : 1)), highlight_start: Float(headroom * start),
        highlight_scale: Float(bright > 0 ? 1 / (headroom * (1 - start)) : 0), least_way: Float(dark),
        way_gain: Float((bright - dark) / (headroom * headroom)))
    }
  }

  /// Leaves light unchanged.
  package static let identity = ColorTransform(tone: .scale(1), gamut: .keep)

  /// Calls `body` with the parameters for the kernels of `tier`.
  @unsafe
  package func withParameters<Result>(_ tier: KernelTier, _ body: (UnsafePointer<hr_mapping>) -> Result) -> Result {
    unsafe parameters.withUnsafeBufferPointer { tiers in
      // Every tier that this processor supports is present.
      unsafe body(tiers.baseAddress! + tier.rank)
    }
  }

  /// Maps a band in place.
  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier) {
    let kernels = unsafe tier.kernels
    unsafe withParameters(tier) { parameters in
      for row in unsafe 0..<band.height { unsafe kernels.map(parameters, band.row(row).kernelRows, band.width) }
    }
  }
}

extension ColorTransform.Tone {
  fileprivate func scaled(by factor: Double) -> ColorTransform.Tone {
    switch self {
    case .scale(let scale): return .scale(scale * factor)
    case .luminanceGain(let table, let weights): return .luminanceGain(table.scaled(by: factor), weights: weights)
    case .maximumGain(let table): return .maximumGain(table.scaled(by: factor))
    case .mixedGain(let table, let mix, let limit):
      return .mixedGain(table.scaled(by: factor), mix: mix, limit: limit * factor)
    case .bt2446a(var form):
      form.displayPeak *= factor
      return .bt2446a(form)
    }
  }
}

extension ColorTransform.Gamut {
  fileprivate func scaled(by factor: Double) -> ColorTransform.Gamut {
    switch self {
    case .keep, .convert: return self
    case .clip(let matrix, let headroom): return .clip(matrix, headroom: headroom * factor)
    case .compress(let matrix, let headroom, let luminance, let saturation, let brightness):
      return .compress(
        matrix, headroom: headroom * factor, sourceLuminance: luminance, saturation: saturation,
        brightness: brightness)
    case .perceptual(let matrix, let headroom, let floors, let highlights):
      return .perceptual(matrix, headroom: headroom * factor, floors: floors, highlights: highlights)
    }
  }
}
