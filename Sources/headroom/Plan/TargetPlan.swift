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
  var stages: [any Stage]
  var metadata: HDRMetadata
  /// The user asked for values of `metadata`.
  var insistsOnMetadata = false
  var warnings: [String] = []

  init(_ source: SourcePlan, options: MappingOptions, asked: MetadataOptions) throws {
    let display = Self.display(source, options)
    self.display = display
    mapping = DisplayMapping.Settings(
      metadata: source.interpretation.metadata, primaries: source.interpretation.primaries,
      curve: ToneCurve.named(options.toneMap) ?? .system, gamut: options.gamut, display: display,
      referenceWhite: options.referenceWhite,
      ootf: options.hlgOotf == .display ? .display : .reference)
    let displayMapping = DisplayMapping(mapping)
    stages = [displayMapping]
    metadata = HDRMetadata()
    switch options.to {
    case .sdr:
      color = .bt709
      transfer = .bt1886(peak: display.headroom)
    case .hdr10:
      color = .bt2100PQ
      transfer = .pq(unit: display.sdrWhite)
      let said = try StaticMetadata(source, mapping, displayMapping.mapper, asked: asked)
      (metadata, insistsOnMetadata, warnings) = (said.metadata, said.isAsked, said.warnings)
    case .hlg:
      color = .bt2100HLG
      transfer = .hlg
      stages.append(SceneLightStage(display: display))
    }
    if options.to != .hdr10, asked.masterDisplay != nil || asked.maxCLL != nil {
      throw CommandFailure(
        "--master-display and --max-cll are for --to hdr10: other outputs carry no such metadata.", .usage)
    }
    if options.to != .sdr, source.isSubsampled { color.chromaLocation = source.color.chromaLocation }
  }

  private static func display(_ source: SourcePlan, _ options: MappingOptions) -> Display {
    switch options.to {
    case .sdr:
      let white = options.sdrWhite ?? min(EDRMetadata.defaultOpticalOutputScale, options.peak ?? .infinity)
      return Display(sdrWhite: white, peak: options.peak ?? white, primaries: .bt709)
    case .hdr10:
      let edr = source.interpretation.metadata
      let content =
        switch edr?.kind {
        // MaxCLL may be understated: what the mastering display could show is not cut.
        case .hdr10: edr.map { max($0.contentPeak, $0.maxLuminance) }
        case .hlg: EDRMetadata.defaultMaxLuminance
        case nil: options.sdrWhite ?? options.referenceWhite
        }
      return hdr(peak: options.peak ?? max(content ?? 0, options.sdrWhite ?? 0), options)
    case .hlg:
      return hdr(peak: options.peak ?? max(EDRMetadata.defaultMaxLuminance, options.sdrWhite ?? 0), options)
    }
  }

  /// SDR white is where the content has its reference white, or the peak where that is lower.
  private static func hdr(peak: Double, _ options: MappingOptions) -> Display {
    Display(sdrWhite: options.sdrWhite ?? min(options.referenceWhite, peak), peak: peak, primaries: .bt2020)
  }
}
