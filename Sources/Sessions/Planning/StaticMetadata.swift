internal import ColorScience
internal import Displays
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Rendering
internal import ToneMapping

/// The mastering display and content light of an HDR10 output (decision 0008).
///
/// PQ with unchanged light keeps its source's values. Otherwise the display is the target display, MaxCLL is an upper
/// bound on the light of the coded signal, enforced by `limit`, and MaxFALL is 0, "unknown". A measuring pass over the
/// coded frames replaces these values.
struct StaticMetadata {
  private(set) var metadata: HDRMetadata
  /// Limit in cd/m² on the light of any decoding of the coded picture; nil if the source's light is unchanged.
  private(set) var limit: Double?
  /// The user requested values: a file without them is an error.
  private(set) var isAsked = false
  private(set) var notes: [Message] = []
  private(set) var warnings: [Message] = []

  /// - Parameters:
  ///   - display: The chosen display; nil: none.
  ///   - keepsLight: The light of PQ is unchanged.
  ///   - paints: Filters paint, at most with SDR white.
  ///   - graphics: White in cd/m² of graphics drawn over the picture; nil: none.
  init(
    _ source: SourcePlan, _ mapping: DisplayMapping.Settings, for display: DisplayModel? = nil, keepsLight: Bool,
    paints: Bool = false, graphics: Double? = nil, asked: MetadataRequest?
  ) throws(Refusal) {
    let edr = source.interpretation.metadata
    let plausible = source.metadata.masteringDisplay.flatMap { edr?.isPlausible($0) == true ? $0 : nil }
    let light = edr?.maxContentLight == nil ? nil : source.metadata.contentLight
    var bound = OutputBound(source, mapping).nits
    if paints { bound = max(bound, mapping.display.sdrWhite) }
    let white = graphics.map { min(Self.coded($0), max($0, mapping.display.peak)) }
    if let white { bound = max(bound, white) }
    if keepsLight, source.measuredLight == nil {
      var light = light
      // Without black bars or dark areas the mean rises; a border may raise it as well.
      if source.isCropped { light?.maxFALL = 0 }
      if paints, let painted = light {
        let white = ContentLight(roundingUp: mapping.display.sdrWhite, maxFALL: 0)
        light = ContentLight(maxCLL: max(painted.maxCLL, white.maxCLL), maxFALL: 0)
      }
      if let white, let drawn = light {
        let white = ContentLight(roundingUp: white, maxFALL: 0)
        light = ContentLight(maxCLL: max(drawn.maxCLL, white.maxCLL), maxFALL: 0)
      }
      metadata = HDRMetadata(masteringDisplay: plausible, contentLight: light)
      if asked?.contentLight == nil, light != nil || plausible != nil {
        let hasDisplay = plausible != nil && asked?.masteringDisplay == nil
        notes.append(.lightStatedByInput(light, hasDisplay: hasDisplay))
      }
    } else {
      var stated = ContentLight(roundingUp: bound, maxFALL: 0)
      stated.maxCLL = max(stated.maxCLL, 1)
      // A chosen display is the mastering display, including its gamut.
      let chosen = display.map { MasteringDisplay($0.primaries.adapted, peak: mapping.display.peak, black: $0.black) }
      var mastering = chosen ?? plausible ?? .bt2020(peak: mapping.display.peak)
      if !keepsLight {
        // MaxCLL is a whole number of cd/m², and must not exceed the mastering peak.
        let peak = max(mapping.display.peak, min(Double(stated.maxCLL), mapping.display.peak.rounded(.up)))
        mastering.maxLuminance = UInt32((peak * MasteringDisplay.luminanceUnits).rounded())
        if mapping.display.black > 0 {
          mastering.minLuminance = UInt32((mapping.display.black * MasteringDisplay.luminanceUnits).rounded())
        }
        if mastering.minLuminance >= mastering.maxLuminance { mastering.minLuminance = 0 }
      }
      metadata = HDRMetadata(masteringDisplay: keepsLight ? plausible : mastering, contentLight: stated)
      limit = stated.maxCLL < UInt16(PQ.peak) ? Double(stated.maxCLL) : nil
    }
    if let asked { try obey(asked, source.metadata, changesLight: !keepsLight) }
  }

  /// Returns the maximum light in cd/m² to which a 10- or 12-bit code value rounds white.
  private static func coded(_ white: Double) -> Double {
    [10, 12].reduce(white) { most, depth in
      let scale = SampleScale(bitDepth: depth, range: .narrow).lumaScale
      return max(most, PQ.eotf((PQ.inverseEOTF(white) * scale).rounded() / scale))
    }
  }

  /// Requested values take precedence over derived ones.
  private mutating func obey(_ asked: MetadataRequest, _ source: HDRMetadata, changesLight: Bool) throws(Refusal) {
    switch asked.masteringDisplay {
    case .copied:
      guard let display = source.masteringDisplay else {
        throw .invalid(
          "no-mastering-display-to-copy",
          "The input has no mastering display to copy: give its values with \(.masteringDisplay).")
      }
      metadata.masteringDisplay = display
    case .value(let display): metadata.masteringDisplay = display
    case nil: break
    }
    switch asked.contentLight {
    case .copied:
      guard let light = source.contentLight, light.maxCLL > 0 else {
        throw .invalid(
          "no-content-light-to-copy",
          "The input has no MaxCLL to copy: use \(.contentLight, "measure"), or give its values.")
      }
      state(light)
    case .value(let light): state(light)
    case .measured: metadata.contentLight = metadata.contentLight ?? ContentLight(maxCLL: UInt16(PQ.peak), maxFALL: 0)
    case nil: break
    }
    isAsked = asked.masteringDisplay != nil || asked.contentLight != nil
    let isCopied = asked.masteringDisplay == .copied || asked.contentLight == .copied
    if isCopied, changesLight {
      warnings.append(
        Message(
          "copied-metadata-of-source",
          "The copied HDR10 metadata describes the source; the pixels are no longer that bright."))
    }
  }

  private mutating func state(_ light: ContentLight) {
    if light.maxCLL > 0, let limit, Double(light.maxCLL) < limit {
      warnings.append(
        Message(
          "stated-light-too-low",
          "The stated MaxCLL is \(light.maxCLL), but the output may reach \(limit.words) cd/m²: "
            + "\(.contentLight, "measure") states the coded light."))
    }
    metadata.contentLight = light
  }
}

extension Message {
  /// The output states the input's light metadata.
  /// - Parameters:
  ///   - light: nil: MaxCLL is unknown.
  ///   - hasDisplay: The mastering display is also the input's.
  fileprivate static func lightStatedByInput(_ light: ContentLight?, hasDisplay: Bool) -> Message {
    let lacksMaxFALL = light?.maxFALL == 0
    var stated = "The mastering display is"
    if let light {
      let values = lacksMaxFALL ? "\(light.maxCLL)" : light.text
      stated = hasDisplay ? "The mastering display and MaxCLL \(values) are" : "MaxCLL \(values) is"
    }
    return Message(
      "light-stated-by-input",
      "\(stated) what the input states, not measured\(lacksMaxFALL ? "; MaxFALL is not known" : ""): "
        + "\(.contentLight, "measure") states the coded light.")
  }
}

/// The maximum light in cd/m² that a mapping produces, whatever code values the source has.
struct OutputBound {
  let nits: Double

  init(_ source: SourcePlan, _ mapping: DisplayMapping.Settings) {
    let peak = mapping.display.peak
    let mapper = DisplayMapping(mapping).mapper
    let most = Self.most(source, mapping) * mapping.exposureGain
    // Curves that follow dynamic metadata, or use more than the largest component, are bounded by the display. HLG
    // without such metadata in its first frame is assumed to have none.
    let hasDynamic = source.metadata.hdr10Plus != nil || source.metadata.adaptiveToneMap != nil
    guard source.use == nil || mapping.metadata?.kind == .hlg && !hasDynamic else {
      nits = peak
      return
    }
    switch mapper?.application {
    case nil: nits = min(most, peak)
    case .maxRGB(let curve):
      let steps = (0...256).map { most * pow(1e-6, Double($0) / 256) }
      nits = min(steps.reduce(0) { max($0, curve($1)) }, peak)
    case .mixed, .bt2446a: nits = peak
    }
  }

  /// Returns the maximum light in cd/m² that the source can encode, as input to the curve.
  private static func most(_ source: SourcePlan, _ mapping: DisplayMapping.Settings) -> Double {
    // The measurement was rounded to half float.
    if let light = source.measuredLight { return Double(max(light.maxCLL, 1)) }
    switch mapping.metadata?.kind {
    case .hdr10: return PQ.peak
    case .hlg:
      return mapping.ootf == .display ? mapping.display.peak : EDRMetadata.defaultMaxLuminance * source.superWhite()
    case nil: return mapping.display.sdrWhite * source.superWhite()
    }
  }
}

extension ContentLight {
  /// Limits measured light, which was rounded up and may appear to exceed the limit.
  func limited(to limit: Double?) -> ContentLight {
    ContentLight(maxCLL: min(maxCLL, limit.map { UInt16($0) } ?? maxCLL), maxFALL: maxFALL)
  }
}

extension MasteringDisplay {
  /// Returns a BT.2020 display with D65 white and the black level of a common mastering display.
  static func bt2020(peak: Double) -> MasteringDisplay {
    MasteringDisplay(.bt2020, peak: peak, black: 0.005)
  }

  /// A display with primaries, and luminances in cd/m².
  init(_ space: RGBSpace, peak: Double, black: Double) {
    func units(_ point: ColorScience.Chromaticity) -> Chromaticity {
      func units(_ value: Double) -> UInt16 { UInt16((min(max(value, 0), 1) * Self.chromaticityUnits).rounded()) }
      return Chromaticity(x: units(point.x), y: units(point.y))
    }
    func units(_ nits: Double) -> UInt32 { UInt32((nits * Self.luminanceUnits).rounded()) }
    self.init(
      red: units(space.red), green: units(space.green), blue: units(space.blue), white: units(space.white),
      maxLuminance: units(peak), minLuminance: units(black))
  }
}

extension RGBSpace {
  /// The space as coded in BT.2020: its white, and its primaries with it, adapted to D65.
  fileprivate var adapted: RGBSpace {
    let toXYZ = RGBSpace.bt2020.rgbToXYZ * RGBSpace.conversion(from: self, to: .bt2020)
    func point(_ rgb: SIMD3<Double>) -> ColorScience.Chromaticity {
      let xyz = toXYZ * rgb
      return ColorScience.Chromaticity(x: xyz.x / xyz.sum(), y: xyz.y / xyz.sum())
    }
    return RGBSpace(
      red: point(SIMD3(1, 0, 0)), green: point(SIMD3(0, 1, 0)), blue: point(SIMD3(0, 0, 1)),
      white: point(SIMD3(repeating: 1)))
  }
}
