internal import ColorScience
internal import Frames
internal import Rendering
internal import ToneMapping

/// What the output is: its display, its tags, how light becomes its signal, and the metadata that is true of it.
struct TargetPlan {
  var color: ColorDescription
  var display: Display
  var transfer: SignalTransfer
  /// The largest signal that is coded: above 1 where super-white is kept (decision 0016).
  private(set) var reach = 1.0
  var mapping: DisplayMapping.Settings
  /// What follows the mapping to the display.
  private var coding: [any Stage] = []
  var metadata: HDRMetadata
  /// The user asked for values of `metadata`.
  var insistsOnMetadata = false
  /// Light in cd/m² that no reading of the coded picture may exceed; nil where the light is not bounded.
  var limit: Double?
  var notes: [String] = []
  var warnings: [String] = []

  private var hasOwnWhite: Bool

  /// - Parameters:
  ///   - primaries: Those of the display; nil: BT.709 for SDR, BT.2020 for HDR.
  ///   - paints: Filters change the picture.
  init(
    _ source: SourcePlan, options: MappingOptions, asked: MetadataOptions? = nil, primaries: ColorPrimaries? = nil,
    paints: Bool = false
  ) throws {
    let white = options.referenceWhite ?? source.scene?.referenceWhite ?? ToneConditions.defaultReferenceWhite
    let keepsLight = Self.keepsLight(source, options, paints: paints)
    var display = Self.display(source, options, referenceWhite: white, keepsLight: keepsLight)
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
      // Primaries that have to be brought into the gamut end at its white.
      let isSame = mapping.metadata == nil && mapping.primaries == display.primaries.space
      if isSame, source.reach > 1 { reach = transfer.reach(in: .narrow) }
    case .hdr10:
      color = .bt2100PQ
      transfer = .pq(unit: display.sdrWhite)
      let said = try StaticMetadata(source, mapping, keepsLight: keepsLight, paints: paints, asked: asked)
      (metadata, insistsOnMetadata, limit) = (said.metadata, said.isAsked, said.limit)
      (notes, warnings) = (said.notes, said.warnings)
    case .hlg:
      color = .bt2100HLG
      transfer = .hlg
      if source.reach > 1 {
        reach = transfer.reach(in: .narrow)
        if source.interpretation.transfer == .hlg {
          mapping.superWhite = source.superWhite(
            peak: options.hlgOotf == .display ? display.peak : EDRMetadata.defaultMaxLuminance)
        }
      }
      coding = [SceneLightStage(display: display)]
      if let warning = Self.hlgWarning(display) { warnings.append(warning) }
    }
    if options.to != .hdr10, asked?.masterDisplay != nil || asked?.maxCLL != nil {
      throw CommandFailure(
        "--master-display and --max-cll are for --to hdr10: other outputs carry no such metadata.", .usage)
    }
    if let note = Self.floatNote(source, keepsLight: keepsLight) { notes.append(note) }
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

  /// Files of linear light seldom say how bright it gets.
  private static func floatNote(_ source: SourcePlan, keepsLight: Bool) -> String? {
    guard source.color.transfer == .linear, source.measuredLight == nil, source.metadata.masteringDisplay == nil,
      source.metadata.contentLight == nil
    else { return nil }
    return keepsLight
      ? "The input does not say how bright it gets, and the output neither: --max-cll measure states it."
      : "The input does not say how bright it gets: taken for up to 1000 cd/m². --peak-detect measures it."
  }

  /// Other displays than HLG's own have another system gamma, which no file states.
  ///
  /// Source: ITU-R BT.2100-2, table 5, notes 5e and 5f; ITU-R BT.2408-7, 3.
  private static func hlgWarning(_ display: Display) -> String? {
    guard display.peak != EDRMetadata.defaultMaxLuminance else { return nil }
    let gamma = (HLG.gamma(peak: display.peak) * 1000).rounded() / 1000
    return
      "HLG for a peak of \(display.peak.words) cd/m² has a system gamma of \(gamma), which no file states: BT.2100 "
      + "and BT.2408 expect a nominal peak of 1000 cd/m² and 1.2. Other displays adapt by themselves, by 1.2 + 0.42 "
      + "log10(Lw / 1000). Leave --peak out, or tell every display that it is for \(display.peak.words) cd/m²."
  }

  /// PQ and linear light that nothing is asked of stay as they are, whatever their metadata forgets to say.
  private static func keepsLight(_ source: SourcePlan, _ options: MappingOptions, paints: Bool) -> Bool {
    options.to == .hdr10 && [.pq, .linear].contains(source.color.transfer) && options.peak == nil
      && options.toneMap == nil
      && options.sdrWhite == nil && !paints
  }

  private static func display(
    _ source: SourcePlan, _ options: MappingOptions, referenceWhite: Double, keepsLight: Bool
  ) -> Display {
    switch options.to {
    case .sdr:
      let white = options.sdrWhite ?? min(EDRMetadata.defaultOpticalOutputScale, options.peak ?? .infinity)
      return Display(sdrWhite: white, peak: options.peak ?? white, primaries: .bt709)
    case .hdr10:
      let edr = source.interpretation.metadata
      if keepsLight { return hdr(peak: PQ.peak, options, referenceWhite) }
      let content =
        switch edr?.kind {
        // MaxCLL may be understated: what the mastering display could show is not cut.
        case .hdr10: edr.map { max($0.contentPeak, $0.maxLuminance) }
        case .hlg: keepsPeak(options) ? EDRMetadata.defaultMaxLuminance : hlgPeak(source)
        case nil: (options.sdrWhite ?? referenceWhite) * source.superWhite()
        }
      return hdr(peak: options.peak ?? max(content ?? 0, options.sdrWhite ?? 0), options, referenceWhite)
    case .hlg:
      return hdr(
        peak: options.peak ?? max(EDRMetadata.defaultMaxLuminance, options.sdrWhite ?? 0), options, referenceWhite)
    }
  }

  /// Another curve than the default one, or an OOTF made for the display, would make something else of the picture for a
  /// brighter display.
  private static func keepsPeak(_ options: MappingOptions) -> Bool {
    options.toneMap != nil || options.hlgOotf == .display
  }

  /// The light of HLG's super-white on its display of 1000 cd/m².
  private static func hlgPeak(_ source: SourcePlan) -> Double {
    (EDRMetadata.defaultMaxLuminance * source.superWhite()).rounded(.up)
  }

  /// SDR white is where the content has its reference white, or the peak where that is lower.
  private static func hdr(peak: Double, _ options: MappingOptions, _ referenceWhite: Double) -> Display {
    Display(sdrWhite: options.sdrWhite ?? min(referenceWhite, peak), peak: peak, primaries: .bt2020)
  }
}
