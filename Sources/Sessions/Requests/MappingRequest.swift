public import ToneMapping

/// The kind of video that is made.
public enum OutputKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// BT.709 SDR, BT.2100 PQ with static metadata, and BT.2100 HLG.
  case sdr, hdr10, hlg
}

/// How light is brought to the output's display.
public struct MappingRequest: Sendable, Hashable, Codable {
  /// A tone curve that is asked for.
  public enum Curve: Sendable, Hashable, Codable {
    /// A curve of `ToneCurve.all`.
    case named(ToneCurve)
    /// The one that HDR10+ states (SMPTE ST 2094-40), and the default one where it states none.
    case hdr10Plus
  }

  /// nil: SDR, or what the output's colour space is for.
  public var chosenKind: OutputKind?
  /// nil: the curve that the input's dynamic metadata states, else the system-style one.
  public var curve: Curve?
  /// Peak of the output in cd/m²; nil: of SDR its white, of HDR10 the content's, of HLG 1000.
  public var peak: Double?
  /// Luminance of SDR white in cd/m² on the output's display; nil: 100 for SDR, the reference white for HDR.
  public var sdrWhite: Double?
  /// Luminance of diffuse white in the content in cd/m²; nil: what ST 2094-50 states, else 203.
  public var referenceWhite: Double?
  /// How colours outside the output's gamut are brought into it.
  public var gamut = GamutMapping.Method.compress
  /// The display that HLG's OOTF is made for.
  public var hlgOOTF = DisplayMapping.OOTF.reference

  /// To SDR, by the default curve.
  public init() {}

  /// The kind that is made: SDR unless another is chosen.
  public var kind: OutputKind { chosenKind ?? .sdr }

  /// Something is asked of the mapping.
  var isAsked: Bool {
    chosenKind != nil || curve != nil || peak != nil || referenceWhite != nil || hlgOOTF == .display
  }

  /// The curve for shots whose metadata states none.
  var staticCurve: ToneCurve { if case .named(let curve) = curve { curve } else { .system } }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of their range, and for displays that cannot be.
  public func validate() throws(Refusal) {
    for (parameter, value) in [
      (Parameter.peak, peak), (.sdrWhite, sdrWhite), (.referenceWhite, referenceWhite),
    ] {
      if let value, !(1...10_000).contains(value) {
        throw .invalid(.outOfRange(parameter, "\(value)", "1.0", "10000.0 cd/m²"))
      }
    }
    if let peak, let sdrWhite, peak < sdrWhite {
      throw .invalid(.mapping(.peakBelowSDRWhite(peak: peak, sdrWhite: sdrWhite)))
    }
    // Below it metadata is not believed either.
    if kind == .hdr10, let peak, peak < 80 { throw .invalid(.mapping(.peakTooLowForHDR10(peak))) }
  }
}

/// How frames are rendered: whether their dynamic metadata counts, and whether samples are dithered.
public struct RenderingRequest: Sendable, Hashable, Codable {
  /// HDR10+ and ST 2094-50 of the input are used for the mapping; else static metadata alone.
  public var usesDynamicMetadata = true
  /// Eight-bit output is dithered.
  public var dithers = true

  /// As dynamic metadata says, with dither.
  public init() {}

  /// Checks the values against those of a mapping.
  /// - Throws: `Refusal` where the mapping needs what is to be ignored.
  public func validate(with mapping: MappingRequest) throws(Refusal) {
    if mapping.curve == .hdr10Plus, !usesDynamicMetadata { throw .invalid(.mapping(.hdr10PlusIsIgnored)) }
  }

  /// What of the input's dynamic metadata is used; nil is nothing: where it is told to, and where HDR10 is not asked to
  /// change its range.
  func dynamicMetadataUse(for mapping: MappingRequest) -> ShotTracker.Use? {
    guard usesDynamicMetadata, mapping.kind != .hdr10 || mapping.peak != nil || mapping.curve != nil else { return nil }
    return switch mapping.curve {
    case nil: .everything
    case .hdr10Plus: .hdr10Plus
    case .named: .levels
    }
  }
}
