public import ColorScience
internal import Frames
internal import Glibc
public import Rendering

/// The stage that maps content light to display light: OOTF for scene light, tone curve, gamut mapping.
///
/// Input bands are as described by `EDRMetadata`; in the output, 1.0 is the display's SDR white.
public struct DisplayMapping: Stage {
  /// The display that HLG's OOTF is computed for.
  public enum OOTF: String, Sendable, Hashable, Codable, CaseIterable {
    /// The reference display of 1000 cd/m²; a tone curve maps from there.
    case reference
    /// The target display: the OOTF itself adapts to it, and no tone curve follows.
    case display
  }

  /// The parameters of a mapping.
  public struct Settings: Sendable, Hashable, Codable {
    /// The meaning of the light; nil for SDR content with SDR white at 1.0, which is not tone-mapped.
    public var metadata: EDRMetadata?
    /// Primaries of the content. HDR content is first converted to BT.2020, the primaries of tone curves.
    public var primaries: RGBSpace
    /// The curve from the content's range to the display's.
    public var curve: ToneCurve
    /// The mapping of colours outside the display's gamut.
    public var gamut: GamutMapping.Method
    /// How far highlights brighter than the display move towards white, 0...1; 0: not at all.
    public var highlightDesaturation = Self.defaultHighlightDesaturation
    /// The target display.
    public var display: Display
    /// Luminance of diffuse white in the content in cd/m².
    public var referenceWhite: Double
    /// The display that HLG's OOTF is computed for.
    public var ootf: OOTF
    /// Dynamic metadata of the shot, which takes precedence over the values above.
    public var shot: ShotParameters?
    /// Maximum light relative to the content's peak that is preserved: HLG super-white, if the target has codes for it.
    /// 1: nothing exceeds the display's peak.
    public var superWhite = 1.0

    /// Exposure in stops, applied to the content before it is mapped.
    public var exposure = 0.0
    /// Whether SDR content is expanded to the display's range (decision 0022); otherwise its white is SDR white.
    public var isExpanded = false
    /// Whether light is shown unmapped: no curve, and each component is clipped at 0 and the headroom, in the display's
    /// primaries.
    public private(set) var isUnmapped = false

    /// Disables the curve and clips components.
    public mutating func showAsIs() {
      (isUnmapped, curve, gamut, highlightDesaturation, shot) = (true, .clip, .clip, 0, nil)
    }

    /// Luminance in cd/m² of the surround that the content was made for.
    ///
    /// The metadata states an illuminance in lux; a white wall reflects lux over pi.
    var contentSurround: Double {
      metadata?.ambientViewing.map { max($0.lux / .pi, 0.01) } ?? Display.referenceSurround
    }

    /// Visible black of the display, in cd/m².
    var veil: Double { display.veil(contentSurround: contentSurround) }

    /// System gamma of HLG for its display and the surround of the target display.
    ///
    /// Source: ITU-R BT.2390-10, 6.2; relative to the content's surround, which is the reference surround unless
    /// stated.
    var systemGamma: Double {
      let surround = display.surround.map { $0 / contentSurround * Display.referenceSurround }
      return HLG.gamma(peak: ootfPeak, surround: surround ?? Display.referenceSurround)
    }

    /// Default `highlightDesaturation`. Decision 0032 compares alternatives.
    public static let defaultHighlightDesaturation = 0.5

    /// Creates settings; `superWhite` is 1, and other defaults match the command-line tool.
    public init(
      metadata: EDRMetadata?, primaries: RGBSpace = .bt2020, curve: ToneCurve = .system,
      gamut: GamutMapping.Method = .perceptual, display: Display,
      referenceWhite: Double = ToneConditions.defaultReferenceWhite,
      ootf: OOTF = .reference, shot: ShotParameters? = nil
    ) {
      self.metadata = metadata
      self.primaries = primaries
      self.curve = curve
      self.gamut = gamut
      self.display = display
      self.referenceWhite = referenceWhite
      self.ootf = ootf
      self.shot = shot
    }

    /// Primaries of the light when it is mapped: tone curves are defined in BT.2020.
    var mappedPrimaries: RGBSpace { metadata == nil && !isExpanded ? primaries : .bt2020 }

    /// Peak in cd/m² of the display that HLG's OOTF is computed for.
    var ootfPeak: Double { ootf == .display ? display.peak : EDRMetadata.defaultMaxLuminance }

    /// Gain applied to the content's light.
    public var exposureGain: Double { exp2(exposure) }

    /// Peak of the content in cd/m², without `exposure`.
    public var contentPeak: Double? {
      guard let metadata else { return nil }
      return shot?.contentPeak ?? (metadata.kind == .hlg ? ootfPeak : metadata.contentPeak)
    }

    /// The content and display for the tone curve; nil: SDR content.
    var conditions: ToneConditions? {
      guard let metadata, let contentPeak else { return nil }
      var display = display
      display.black = veil
      return ToneConditions(
        contentPeak: contentPeak * exposureGain, contentBlack: metadata.contentBlack * exposureGain, display: display,
        referenceWhite: shot?.referenceWhite ?? referenceWhite)
    }
  }

  /// The tone curve in use; nil: SDR content.
  public let mapper: ToneMapper?
  /// The gamut mapping after the tone curve.
  public let gamut: GamutMapping
  private let light: ContentLightForm
  private let sdrWhite: Double
  private let compiled: ColorTransform
  /// Conversion to BT.2020; nil: the content has BT.2020 primaries or keeps its own.
  private let conversion: PrimariesConversion?
  /// nil: bands are converted first.
  public var mapping: ColorTransform? { conversion == nil ? compiled : nil }

  /// Computes the curve, the gamut mapping and their kernel parameters.
  public init(_ settings: Settings) {
    let display = settings.display
    light = ContentLightForm(settings)
    sdrWhite = display.sdrWhite
    if settings.isUnmapped {
      (mapper, conversion) = (nil, nil)
      gamut = Self.gamut(settings)
      let scale = 1 / sdrWhite
      let tone = light.compiledOOTF.map {
        ColorTransform.Tone.luminanceGain($0.gain.scaled(by: scale), weights: $0.weights)
      }
      compiled = ColorTransform(tone: tone ?? .scale(light.nitsPerUnit * scale), gamut: gamut.compiled)
      return
    }
    let primaries = settings.mappedPrimaries
    conversion = PrimariesConversion(from: settings.primaries, to: primaries)
    mapper = Self.mapper(settings, primaries: primaries)
    gamut = Self.gamut(settings, mapper)
    compiled = ColorTransform(
      scene: light.compiledOOTF, tone: Self.tone(mapper, light, sdrWhite: sdrWhite), gamut: gamut.compiled)
  }

  /// Returns the gamut mapping of these settings, without computing a mapping's tables.
  public static func gamut(_ settings: Settings) -> GamutMapping {
    if settings.isUnmapped {
      let display = settings.display
      return GamutMapping(
        method: .clip, source: settings.primaries, target: display.primaries, headroom: display.headroom, isExact: true)
    }
    return gamut(settings, mapper(settings, primaries: settings.mappedPrimaries))
  }

  private static func gamut(_ settings: Settings, _ mapper: ToneMapper?) -> GamutMapping {
    let display = settings.display
    // Super-white exceeds the display's peak.
    let peak = max(display.peak, mapper?.displayPeak ?? 0)
    return GamutMapping(
      method: settings.gamut, source: settings.mappedPrimaries, target: display.primaries,
      headroom: peak / display.sdrWhite, highlights: highlights(settings, mapper, peak: peak))
  }

  private static func mapper(_ settings: Settings, primaries: RGBSpace) -> ToneMapper? {
    let mapper = toneMapper(settings, primaries: primaries)
    let peak = settings.display.peak
    let black = BlackAdaptation(black: settings.veil, peak: peak, isLifted: mapper?.endsAtBlack ?? false)
    return black.map { (mapper ?? .identity(displayPeak: peak)).adapted(to: $0) } ?? mapper
  }

  private static func toneMapper(_ settings: Settings, primaries: RGBSpace) -> ToneMapper? {
    let display = settings.display
    guard let conditions = settings.conditions else {
      return settings.isExpanded ? .expansion(to: display, referenceWhite: settings.referenceWhite) : nil
    }
    if settings.metadata?.kind == .hlg, settings.ootf == .display {
      return .identity(displayPeak: display.peak * settings.superWhite)
    }
    let mapper = settings.shot?.mapper(conditions, primaries: primaries) ?? settings.curve.mapper(conditions)
    return mapper.keepingSuperWhite(above: conditions.contentPeak, upTo: settings.superWhite)
  }

  /// Returns the desaturation of highlights, which begin at diffuse white, but not below half the display's peak.
  private static func highlights(_ settings: Settings, _ mapper: ToneMapper?, peak: Double) -> HighlightDesaturation {
    guard let mapper, let gain = mapper.uncompressedGain, let conditions = settings.conditions else { return .none }
    let start = max(mapper.map(SIMD3(repeating: conditions.referenceWhite)).max() / peak, 0.5)
    let excess = max(1 - mapper.displayPeak / (conditions.contentPeak * gain), 0)
    // With little range above diffuse white, a strong change would show as an edge.
    return HighlightDesaturation(
      amount: settings.highlightDesaturation, strength: excess * 2 * (1 - start), start: start)
  }

  private static func tone(
    _ mapper: ToneMapper?, _ light: ContentLightForm, sdrWhite: Double
  ) -> ColorTransform.Tone {
    let unit = light.nitsPerUnit
    guard let mapper else { return .scale(unit / sdrWhite) }
    switch mapper.application {
    case .maxRGB(let curve):
      return .maximumGain(
        .overHalves { ToneMapper.gain(of: curve, at: $0 * unit) * unit / sdrWhite })
    case .mixed(let mix, let gain):
      return .mixedGain(
        .overHalves { gain(max($0 * unit, ToneMapper.gainFloor)) * unit / sdrWhite }, mix: mix,
        limit: mapper.displayPeak / sdrWhite)
    case .bt2446a(let method):
      return .bt2446a(
        ColorTransform.BT2446AForm(
          contentPeak: method.contentPeak / unit, displayPeak: method.displayPeak / sdrWhite,
          lumaGain: .overUnit { method.luma($0) / $0 }, matrix: .bt2020))
    }
  }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let nits = light.nits(conversion?.reference(rgb) ?? rgb)
    return gamut.map((mapper?.map(nits) ?? nits) / sdrWhite)
  }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe conversion?.process(band, tier: tier, worker: worker)
    unsafe compiled.process(band, tier: tier)
  }
}

extension ContentLightForm {
  /// Light of the content before the mapping, with its exposure.
  package init(_ settings: DisplayMapping.Settings) {
    let exposure = settings.exposureGain
    switch settings.metadata?.kind {
    case .hlg: self = .scene(peak: settings.ootfPeak * exposure, gamma: settings.systemGamma)
    case .hdr10(let scale): self = .display(nitsPerUnit: scale * exposure)
    case nil: self = .display(nitsPerUnit: settings.display.sdrWhite * exposure)
    }
  }
}
