internal import ColorScience
public import Displays
public import ToneMapping

/// The kind of output video.
public enum OutputKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// BT.709 SDR, BT.2100 PQ with static metadata, and BT.2100 HLG.
  case sdr, hdr10, hlg
  /// Native pixels of a display, in its primaries and transfer.
  case display
}

/// The target display, and its source.
struct DisplayChoice: Sendable {
  let status: DisplayStatus
  let source: DisplaySource?

  init(_ status: DisplayStatus, _ source: DisplaySource?) { (self.status, self.source) = (status, source) }

  /// A preset, a connector or a file.
  init(named name: String) throws(DisplayError) {
    let source = try DisplaySource(named: name)
    self.init(try source.status(), source)
  }

  /// Name of a preset or file; connectors are identified by the connected display.
  var name: String { if case .file(let path) = source { path } else { status.model.name } }
}

/// Light mapping to the output's display.
public struct MappingRequest: DefaultedRequest, Hashable, Codable {
  /// A requested tone curve.
  public enum Curve: Sendable, Hashable, Codable {
    /// A curve of `ToneCurve.all`.
    case named(ToneCurve)
    /// The HDR10+ curve (SMPTE ST 2094-40), or the default if there is none.
    case hdr10Plus
  }

  /// nil: SDR, or what the output's colour space requires.
  public var chosenKind: OutputKind?
  /// nil: the curve of the input's dynamic metadata, or the system-style one.
  public var curve: Curve?
  /// Peak of the output in cd/m²; nil: SDR white for SDR, the content's for HDR10, 1000 for HLG.
  public var peak: Double?
  /// Peak relative to SDR white, 1...400, instead of `peak`; limited by a chosen display.
  public var headroom: Double?
  /// Luminance of SDR white in cd/m² on the output's display; nil: 100 for SDR, the reference white for HDR.
  public var sdrWhite: Double?
  /// Luminance of diffuse white in the content in cd/m²; nil: the value of ST 2094-50, or 203.
  public var referenceWhite: Double?
  /// How colours outside the output's gamut are mapped into it.
  public var gamut = GamutMapping.Method.perceptual
  /// Shift of highlights above the output's peak towards white, 0...1; nil: the default of `DisplayMapping`.
  public var highlightDesaturation: Double?
  /// Exposure in stops, applied to content light before mapping.
  public var exposure = 0.0
  /// Expands SDR content to the range of an HDR output; otherwise its white is SDR white.
  public var isExpanded = false
  /// Black level of the output's display in cd/m²; nil: 0.
  public var black: Double?
  /// Luminance in cd/m² of the surround of the output's display; nil: the content's.
  public var surround: Double?
  /// The target display; nil: a display with the properties that the output kind requires.
  public var display: DisplayStatus?
  /// The source of `display`; nil: a value set by the program.
  public var displaySource: DisplaySource?
  /// Potential headroom of `display` below which the default kind is SDR.
  public var headroomForHDR = DisplayModel.headroomForHDR
  /// The display for which HLG's OOTF is made.
  public var hlgOOTF = DisplayMapping.OOTF.reference

  public static let defaults = MappingRequest()

  /// To SDR, with the default curve.
  public init() {}

  /// The kind of output: SDR unless specified, or HDR10 for a display with headroom.
  public var kind: OutputKind { chosenKind ?? (display == nil || choosesSDR ? .sdr : .hdr10) }

  /// The display determines SDR.
  var choosesSDR: Bool {
    chosenKind == nil && display.map { $0.potentialHeadroom < headroomForHDR } ?? false
  }

  /// The display is in reference mode.
  package var isReference: Bool { [.enabled, .limited].contains(display?.referenceMode) }

  /// Any mapping option is set.
  var isRequested: Bool { !MappingOptions.set(in: self, with: .mapsLight).isEmpty }

  /// The file that describes `display`, which must not be overwritten.
  package var displayFile: String? { if case .file(let path) = displaySource { path } else { nil } }

  /// The display and its source.
  var displayChoice: DisplayChoice? {
    get { display.map { DisplayChoice($0, displaySource) } }
    set { (display, displaySource) = (newValue?.status, newValue?.source) }
  }

  /// The display's black level or surround is stated.
  var hasViewingConditions: Bool { black != nil || surround != nil }

  /// The curve for shots without one in their metadata.
  package var staticCurve: ToneCurve { if case .named(let curve) = curve { curve } else { .system } }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range, and for impossible displays.
  public func validate() throws(Refusal) {
    try MappingOptions.check(self)
    if highlightDesaturation ?? 0 > 0, gamut != .perceptual {
      throw .invalid(
        "desaturation-needs-perceptual-gamut",
        "\(.highlightDesaturation) is a part of \(.gamut, "perceptual"), which \(.gamut, gamut.rawValue) replaces: "
          + "drop one.")
    }
    if hasViewingConditions, staticCurve == .bt2446a {
      throw .invalid(
        "viewing-conditions-with-bt2446a",
        "\(.toneMap, "bt2446a") cannot be fitted to \(.black) and \(.ambient): use another curve, such as bt2390.")
    }
    try validateDisplay()
    if let peak, let sdrWhite, peak < sdrWhite {
      throw .invalid(
        "peak-below-sdr-white",
        "\(.peak, peak) is below \(.sdrWhite, sdrWhite): a display is at least as bright as its SDR white.")
    }
    // Metadata below 80 is rejected as implausible, too.
    if kind == .hdr10, let peak, peak < 80 {
      throw .invalid(
        "peak-too-low-for-hdr10",
        "\(.peak, peak) is too low for HDR10: players ignore peaks below 80 cd/m². Make SDR instead.")
    }
  }
}

extension MappingRequest {
  /// Checks display values that a request must not change.
  private func validateDisplay() throws(Refusal) {
    if headroom != nil, kind == .sdr {
      throw .invalid(
        "headroom-needs-hdr",
        "\(.headroom) is for \(.outputKind, "hdr10"), hlg and display: SDR ends at SDR white.")
    }
    if kind == .display, display == nil { throw .invalid(.noDisplay) }
    guard isReference else { return try validateLight() }
    if let locked = MappingOptions.set(in: self, with: .isLocked).first { throw .invalid(.exclusive(.display, locked)) }
  }

  /// Rejects light that the display cannot show.
  private func validateLight() throws(Refusal) {
    guard let display else { return }
    if let sdrWhite, peak == nil, sdrWhite > display.model.peak {
      throw .invalid(.outOfRange(.sdrWhite, sdrWhite, 1...display.model.peak, unit: "cd/m², the display's peak"))
    }
    let most = OutputDisplay.of(display, self).peak / 2
    if let black, black > most { throw .invalid(.outOfRange(.black, black, 0...most, unit: "cd/m²")) }
  }

  /// Returns the same mapping for a changed display; the kind of output is kept.
  func on(_ display: DisplayStatus) -> MappingRequest {
    var request = self
    (request.chosenKind, request.display) = (kind, display)
    return request
  }

  /// Returns the same request with the peak that results from its headroom.
  package func withPeak(referenceWhite: Double) -> MappingRequest {
    guard let headroom else { return self }
    var request = self
    let most = display?.model.peak ?? PQ.peak
    let white = sdrWhite ?? display?.sdrWhite ?? referenceWhite
    (request.headroom, request.peak) = (nil, min(max(white * headroom, 1), max(most, white)))
    return request
  }

  /// Settings that have no effect in reference mode.
  var locked: [Parameter] { isReference ? MappingOptions.set(in: self, with: .isIdleInReferenceMode) : [] }
}

/// Rendering of frames: use of dynamic metadata, and dithering.
public struct RenderingRequest: DefaultedRequest, Hashable, Codable {
  /// Uses HDR10+ and ST 2094-50 of the input for the mapping; otherwise only static metadata.
  public var usesDynamicMetadata = true
  /// Eight-bit output is dithered.
  public var dithers = true

  public static let defaults = RenderingRequest()

  /// Rendering with dynamic metadata and dithering.
  public init() {}

  /// Checks the values against a mapping.
  /// - Throws: `Refusal` if the mapping needs metadata that the request ignores.
  public func validate(with mapping: MappingRequest) throws(Refusal) {
    if mapping.curve == .hdr10Plus, !usesDynamicMetadata {
      throw .invalid(
        "hdr10plus-curve-ignored",
        "\(.toneMap, "st2094-40") is the HDR10+ curve, which \(.dynamicMetadata, "ignore") disables: drop one.")
    }
  }

  /// Returns the use of the input's dynamic metadata; nil: none, by request or because HDR output keeps its range.
  package func dynamicMetadataUse(for mapping: MappingRequest) -> ShotTracker.Use? {
    guard usesDynamicMetadata, !mapping.isReference,
      ![.hdr10, .hlg].contains(mapping.kind) || mapping.peak != nil || mapping.curve != nil
    else { return nil }
    return switch mapping.curve {
    case nil: .everything
    case .hdr10Plus: .hdr10Plus
    case .named: .levels
    }
  }
}

extension Message {
  /// Native display pixels were requested, but no display was chosen.
  static let noDisplay = Message(
    "no-display", "\(.outputKind, "display") makes pixels of a display: choose it with \(.display).")
}
