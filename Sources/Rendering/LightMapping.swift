public import ColorScience
package import SIMDShims

/// A mapping of content light to display light, compiled for the kernels.
///
/// Tone curves and gamut mappings are made elsewhere; this is the form in which they run.
@safe
public struct LightMapping: @unchecked Sendable {
  // @unchecked and @safe: the pointers in `parameters` are into tables that this value retains.

  /// What happens before the gamut.
  public enum Tone: Sendable {
    /// Every component times a constant.
    case scale(Double)
    /// A gain from the weighted sum of the components.
    case luminanceGain(SegmentTable, weights: SIMD3<Double>)
    /// A gain from the largest component.
    case maximumGain(SegmentTable)
    /// BT.2446-1 method A.
    case bt2446a(BT2446AForm)
  }

  /// What BT.2446-1 method A needs.
  public struct BT2446AForm: Sendable {
    /// Input value that is signal 1.
    public var contentPeak: Double
    /// Output value of signal 1.
    public var displayPeak: Double
    /// Y' of the display over Y' of the content, as a function of the latter.
    public var lumaGain: SegmentTable
    /// Weights of Y'.
    public var matrix: YCbCrMatrix

    public init(contentPeak: Double, displayPeak: Double, lumaGain: SegmentTable, matrix: YCbCrMatrix) {
      self.contentPeak = contentPeak
      self.displayPeak = displayPeak
      self.lumaGain = lumaGain
      self.matrix = matrix
    }

    fileprivate static let root = OctavePolynomial { raise($0 * $0, 1 / BT1886.exponent) }
    fileprivate static let power = OctavePolynomial { raise($0, BT1886.exponent / 4) }
  }

  /// Identity up to `start` (as a share of what can be reached), rolled off over `span` above it.
  public struct Knee: Sendable, Hashable {
    public var start: Double
    public var span: Double

    public init(start: Double, span: Double) {
      self.start = start
      self.span = span
    }
  }

  /// How the display's primaries are reached.
  public enum Gamut: Sendable {
    /// Source and display share their primaries.
    case keep
    /// Components are cut off at 0 and at `headroom`.
    case clip(Matrix3, headroom: Double)
    /// Saturation and brightness are rolled off.
    case compress(
      Matrix3, headroom: Double, sourceLuminance: SIMD3<Double>, saturation: Knee, brightness: Knee)
  }

  private let tables: [FloatTable]
  private let parameters: hr_mapping

  /// - Parameters:
  ///   - scene: Gain from the luminance that goes before `tone`, with the weights of that luminance: the HLG OOTF.
  ///   - tone: Step before the gamut.
  ///   - gamut: Step into the display's primaries.
  public init(scene: (gain: SegmentTable, weights: SIMD3<Double>)? = nil, tone: Tone, gamut: Gamut) {
    var p = unsafe hr_mapping()
    var tables: [FloatTable] = []
    if let scene {
      unsafe p.is_scene_light = 1
      unsafe p.luminance_gain = scene.gain.parameters
      unsafe p.scene_luminance = Self.row(scene.weights)
      tables.append(scene.gain.table)
    }
    unsafe Self.set(tone, &p, &tables)
    unsafe Self.set(gamut, &p)
    unsafe parameters = p
    self.tables = tables
  }

  private static func set(_ tone: Tone, _ p: inout hr_mapping, _ tables: inout [FloatTable]) {
    switch tone {
    case .scale(let factor):
      unsafe p.tone = HR_TONE_SCALE
      unsafe p.scale = Float(factor)
    case .luminanceGain(let table, let weights):
      unsafe p.tone = HR_TONE_LUMINANCE_GAIN
      unsafe p.luminance_gain = table.parameters
      unsafe p.scene_luminance = row(weights)
      tables.append(table.table)
    case .maximumGain(let table):
      unsafe p.tone = HR_TONE_MAXIMUM_GAIN
      unsafe p.maximum_gain = table.parameters
      tables.append(table.table)
    case .bt2446a(let form):
      unsafe p.tone = HR_TONE_BT2446A
      let offset = Float(OctavePolynomial.offset)
      unsafe p.bt2446a = hr_bt2446a(
        input_gain: Float(1 / form.contentPeak), root_gain: Float(BT2446AForm.root.scale), root_offset: offset,
        power_gain: Float(BT2446AForm.power.scale), power_offset: offset,
        root_octaves: BT2446AForm.root.rows.base, power_octaves: BT2446AForm.power.rows.base,
        curve: form.lumaGain.parameters, kr: Float(form.matrix.kr), kg: Float(form.matrix.kg),
        kb: Float(form.matrix.kb), cr_gain: Float(0.5 / (1 - form.matrix.kr)), output_gain: Float(form.displayPeak))
      tables.append(form.lumaGain.table)
    }
  }

  private static func set(_ gamut: Gamut, _ p: inout hr_mapping) {
    switch gamut {
    case .keep:
      unsafe p.gamut = HR_GAMUT_KEEP
    case .clip(let matrix, let headroom):
      unsafe p.gamut = HR_GAMUT_CLIP
      unsafe p.matrix = elements(matrix)
      unsafe p.headroom = Float(headroom)
    case .compress(let matrix, let headroom, let luminance, let saturation, let brightness):
      unsafe p.gamut = HR_GAMUT_COMPRESS
      unsafe p.matrix = elements(matrix)
      unsafe p.headroom = Float(headroom)
      unsafe p.luminance = row(luminance)
      unsafe p.saturation = hr_knee(start: Float(saturation.start), span: Float(saturation.span))
      unsafe p.brightness = hr_knee(start: Float(brightness.start), span: Float(brightness.span))
    }
  }

  private static func row(_ v: SIMD3<Double>) -> (Float, Float, Float) { (Float(v.x), Float(v.y), Float(v.z)) }

  private static func elements(
    _ m: Matrix3
  ) -> (Float, Float, Float, Float, Float, Float, Float, Float, Float) {
    let (a, b, c) = (row(m.row0), row(m.row1), row(m.row2))
    return (a.0, a.1, a.2, b.0, b.1, b.2, c.0, c.1, c.2)
  }

  /// Light as it is.
  package static let identity = LightMapping(tone: .scale(1), gamut: .keep)

  /// Calls `body` with the form that kernels take.
  @unsafe
  package func withParameters<Result>(_ body: (UnsafePointer<hr_mapping>) -> Result) -> Result {
    unsafe withUnsafePointer(to: parameters) { unsafe body($0) }
  }

  /// Maps a band in place.
  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier) {
    unsafe withParameters { parameters in
      for row in unsafe 0..<band.height { unsafe tier.map(parameters, band.row(row), count: band.width) }
    }
  }
}
