internal import ColorScience
internal import Frames
internal import Rendering
internal import ToneMapping

/// What the output is: its display, its tags, how light becomes its signal, and the metadata that is true of it.
struct TargetPlan {
  var color: ColorDescription
  var display: Display
  var transfer: SignalTransfer
  var mapping: DisplayMapping.Settings
  /// What follows the mapping to the display.
  private var coding: [any Stage] = []
  var metadata: HDRMetadata
  /// The user asked for values of `metadata`.
  var insistsOnMetadata = false
  var warnings: [String] = []

  private var hasOwnWhite: Bool

  /// - Parameter primaries: Those of the display; nil: BT.709 for SDR, BT.2020 for HDR.
  init(
    _ source: SourcePlan, options: MappingOptions, asked: MetadataOptions? = nil, primaries: ColorPrimaries? = nil
  ) throws {
    let white = options.referenceWhite ?? source.scene?.referenceWhite ?? ToneConditions.defaultReferenceWhite
    var display = Self.display(source, options, referenceWhite: white)
    display.primaries = primaries ?? display.primaries
    self.display = display
    mapping = DisplayMapping.Settings(
      metadata: source.interpretation.metadata, primaries: source.interpretation.primaries,
      curve: options.curve, gamut: options.gamut, display: display, referenceWhite: white,
      ootf: options.hlgOotf == .display ? .display : .reference)
    // What was measured is true of every frame; what metadata says of a scene is not.
    if source.measuredLight != nil { mapping.scene = source.scene }
    hasOwnWhite = options.referenceWhite != nil
    metadata = HDRMetadata()
    switch options.to {
    case .sdr:
      color = .bt709
      transfer = .bt1886(peak: display.headroom)
    case .hdr10:
      color = .bt2100PQ
      transfer = .pq(unit: display.sdrWhite)
      let said = try StaticMetadata(source, mapping, DisplayMapping(mapping).mapper, asked: asked)
      (metadata, insistsOnMetadata, warnings) = (said.metadata, said.isAsked, said.warnings)
    case .hlg:
      color = .bt2100HLG
      transfer = .hlg
      coding = [SceneLightStage(display: display)]
    }
    if options.to != .hdr10, asked?.masterDisplay != nil || asked?.maxCLL != nil {
      throw CommandFailure(
        "--master-display and --max-cll are for --to hdr10: other outputs carry no such metadata.", .usage)
    }
    if options.to != .sdr, source.isSubsampled { color.chromaLocation = source.color.chromaLocation }
  }

  /// Light in cd/m² from which on the mapping gives no more: the peak that its curve is made for, or that of the
  /// display where no curve bends it.
  var clipPoint: Double {
    let isCut = mapping.metadata == nil || mapping.curve.name == ToneCurve.clip.name
    return isCut ? mapping.display.peak : max(mapping.contentPeak ?? 0, mapping.display.peak)
  }

  /// What happens to the light of a scene.
  var way: LightWay { LightWay(mapping: mapping(for:), coding: coding) }

  /// The mapping of a scene; a reference white by the user goes before that of the metadata.
  func mapping(for scene: SceneParameters?) -> DisplayMapping.Settings {
    var settings = mapping
    settings.scene = scene
    if hasOwnWhite { settings.scene?.referenceWhite = nil }
    return settings
  }

  private static func display(
    _ source: SourcePlan, _ options: MappingOptions, referenceWhite: Double
  ) -> Display {
    switch options.to {
    case .sdr:
      let white = options.sdrWhite ?? min(EDRMetadata.defaultOpticalOutputScale, options.peak ?? .infinity)
      return Display(sdrWhite: white, peak: options.peak ?? white, primaries: .bt709)
    case .hdr10:
      let edr = source.interpretation.metadata
      // PQ that nothing is asked of stays as it is, whatever its metadata forgets to say.
      if source.color.transfer == .pq, options.peak == nil, options.toneMap == nil {
        return hdr(peak: PQ.peak, options, referenceWhite)
      }
      let content =
        switch edr?.kind {
        // MaxCLL may be understated: what the mastering display could show is not cut.
        case .hdr10: edr.map { max($0.contentPeak, $0.maxLuminance) }
        case .hlg: EDRMetadata.defaultMaxLuminance
        case nil: options.sdrWhite ?? referenceWhite
        }
      return hdr(peak: options.peak ?? max(content ?? 0, options.sdrWhite ?? 0), options, referenceWhite)
    case .hlg:
      return hdr(
        peak: options.peak ?? max(EDRMetadata.defaultMaxLuminance, options.sdrWhite ?? 0), options, referenceWhite)
    }
  }

  /// SDR white is where the content has its reference white, or the peak where that is lower.
  private static func hdr(peak: Double, _ options: MappingOptions, _ referenceWhite: Double) -> Display {
    Display(sdrWhite: options.sdrWhite ?? min(referenceWhite, peak), peak: peak, primaries: .bt2020)
  }
}
