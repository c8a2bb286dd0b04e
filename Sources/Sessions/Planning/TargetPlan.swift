package import ColorScience
public import Displays
package import Filters
internal import Foundation
public import Frames
public import Rendering
public import ToneMapping

/// The output: its display, its tags, its transfer function, and its metadata.
public struct TargetPlan: Sendable, Hashable, Codable {
  /// The tags of the output.
  public package(set) var color: ColorDescription
  /// The target display.
  public package(set) var display: Display
  /// Transfer of light to the output's signal.
  public package(set) var transfer: SignalTransfer
  /// The largest coded signal: above 1 if super-white is kept (decision 0016).
  private(set) var reach = 1.0
  /// The mapping to the display, without the metadata of shots.
  public package(set) var mapping: DisplayMapping.Settings
  private var keepsReferenceWhite: Bool
  private var conversions: [DisplayRendering.Conversion] = []
  private var followsShots = true
  /// Static HDR metadata of the output.
  public package(set) var metadata: HDRMetadata
  /// The user requested values of `metadata`.
  var insistsOnMetadata = false
  /// Limit in cd/m² on the light of any decoding of the coded picture; nil: unlimited.
  public package(set) var limit: Double?
  /// Status of reference mode; nil: no display was chosen.
  public private(set) var referenceMode: ReferenceMode.Status?
  /// Light is not mapped, and the output has the input's transfer function and primaries: coded frames also have the
  /// input's tags, and its code values where samples keep their positions.
  public private(set) var keepsCoding = false
  /// Tags and transfer are the input's.
  private var isCodedAsInput = false
  /// Notes on the mapping.
  public package(set) var notes: [Message] = []
  /// Warnings to show before the run.
  public package(set) var warnings: [Message] = []

  /// - Parameters:
  ///   - asked: The requested HDR10 metadata.
  ///   - primaries: Primaries of the display; nil: BT.709 for SDR, BT.2020 for HDR.
  ///   - filters: Filters that change the picture or draw over it.
  ///   - graphics: White in cd/m² of graphics drawn over the picture; nil: none.
  /// - Throws: `Refusal` for impossible metadata.
  package init(
    _ given: SourcePlan, _ requested: MappingRequest, asked: MetadataRequest? = nil, primaries: RGBSpace? = nil,
    filters: [Filter] = [], graphics: Double? = nil
  ) throws(Refusal) {
    let source = requested.isReference ? given.inReferenceMode() : given
    let white = requested.referenceWhite ?? source.shot?.referenceWhite ?? ToneConditions.defaultReferenceWhite
    let request = requested.withPeak(referenceWhite: white)
    try Self.check(source, request, referenceWhite: white)
    let settings = Self.lightSettings(source, request, paints: filters.contains(where: \.changesLight))
    let keepsLight =
      settings.isEmpty && request.kind == .hdr10 && [.pq, .linear].contains(source.color.transfer)
    let made = try OutputDisplay(
      source, request, format: given.referenceFormat, primaries: primaries, referenceWhite: white,
      keepsLight: keepsLight)
    display = made.display
    conversions = Self.conversions(from: display.primaries, to: made.codedPrimaries, request.display?.model)
    mapping = DisplayMapping.Settings(
      metadata: source.interpretation.metadata, primaries: source.interpretation.primaries,
      curve: request.staticCurve, gamut: request.gamut, display: display, referenceWhite: white,
      ootf: request.hlgOOTF)
    mapping.highlightDesaturation = request.highlightDesaturation ?? mapping.highlightDesaturation
    (mapping.exposure, mapping.isExpanded) = (request.exposure, request.isExpanded)
    if source.interpretation.isUnmapped { mapping.showAsIs() }
    followsShots = !request.isReference
    // A measurement applies to every frame; metadata of a shot does not.
    if source.measuredLight != nil { mapping.shot = source.shot }
    keepsReferenceWhite = request.referenceWhite != nil
    metadata = HDRMetadata()
    let coding = OutputCoding(request.kind, display, request.display?.model, isReference: request.isReference)
    (color, transfer) = (coding.color, coding.transfer)
    keepsCoding =
      settings.isEmpty && source.isCoded(as: coding, request)
      && (YCbCrMatrix.canWrite(source.color.matrix)
        || filters.isEmpty && graphics == nil && source.measuredLight == nil)
    if request.kind == .sdr { keepSuperWhiteOfSDR(source, request) }
    if request.kind == .hlg { keepSuperWhiteOfHLG(source, request) }
    if request.kind == .hdr10 {
      state(
        try StaticMetadata(
          source, mapping, for: request.display?.model, keepsLight: keepsLight, paints: !filters.isEmpty,
          graphics: graphics.map { min($0, display.peak) }, asked: asked))
    } else if asked?.masteringDisplay != nil || asked?.contentLight != nil {
      throw .invalid(
        "metadata-needs-hdr10",
        "\(.masteringDisplay) and \(.contentLight) are for \(.outputKind, "hdr10"): other outputs carry no such "
          + "metadata.")
    }
    if Self.hasUnknownBrightness(source), keepsLight || !source.isDescribed {
      notes.append(keepsLight ? .unknownOutputLight : .assumedContentPeak)
    }
    remark(given, request)
    if request.kind != .sdr, source.layout.chromaShiftY == 1 { color.chromaLocation = source.color.chromaLocation }
  }

  /// - Throws: `Refusal` for outputs that are impossible from this source.
  private static func check(
    _ source: SourcePlan, _ request: MappingRequest, referenceWhite: Double
  ) throws(Refusal) {
    if request.isExpanded {
      guard source.interpretation.metadata == nil else {
        throw .invalid("expansion-of-hdr", "\(.inverseToneMap) is for SDR, and the input is HDR: drop it.")
      }
      guard request.kind != .sdr else {
        throw .invalid(
          "expansion-to-sdr",
          "\(.inverseToneMap) makes HDR: add \(.outputKind, "hdr10") or \(.outputKind, "hlg").")
      }
      if let peak = request.peak, peak <= referenceWhite {
        throw .invalid(.outOfRange(.peak, "\(peak)", "more than \(referenceWhite)", "\(PQ.peak) cd/m²"))
      }
    }
    if request.hasViewingConditions, request.kind == .hlg {
      throw .invalid(
        "viewing-conditions-with-hlg",
        "\(.black) and \(.ambient) are for \(.outputKind, "sdr") and \(.outputKind, "hdr10"): HLG is fitted to them by "
          + "the display that shows it.")
    }
  }

  /// Keeps super-white of SDR unless colours need gamut mapping, which ends at white.
  private mutating func keepSuperWhiteOfSDR(_ source: SourcePlan, _ request: MappingRequest) {
    let isSame =
      mapping.metadata == nil && mapping.primaries == display.primaries && mapping.exposure == 0
      && !request.hasViewingConditions
    if isSame, source.reach > 1 { reach = transfer.reach(in: .narrow) }
  }

  /// Keeps super-white of HLG, which has code values for it. A display with another peak has another system gamma,
  /// which no file states.
  ///
  /// Source: ITU-R BT.2100-2, table 5, notes 5e and 5f; ITU-R BT.2408-7, 3.
  private mutating func keepSuperWhiteOfHLG(_ source: SourcePlan, _ request: MappingRequest) {
    if source.reach > 1 {
      reach = transfer.reach(in: .narrow)
      if source.interpretation.transfer == .hlg {
        mapping.superWhite = source.superWhite(
          peak: request.hlgOOTF == .display ? display.peak : EDRMetadata.defaultMaxLuminance)
      }
    }
    conversions.append(.inverseOOTF(display))
    guard display.peak != EDRMetadata.defaultMaxLuminance else { return }
    warnings.append(.unusualHLGPeak(display.peak))
  }

  /// Returns the conversions from the display's light to the coded primaries; a fine-tuned white comes first.
  private static func conversions(
    from display: RGBSpace, to coded: RGBSpace, _ model: DisplayModel?
  ) -> [DisplayRendering.Conversion] {
    var conversions: [DisplayRendering.Conversion] = []
    if let model, let gains = model.whitePoint?.gains(model.primaries) {
      // Gains for a wider gamut may exceed 1 in a smaller one, and would clip its white.
      let white = RGBSpace.conversion(from: model.primaries, to: coded) * gains
      conversions.append(.white(gains / max(white.max(), 1), display: model.primaries, light: display))
    }
    if display != coded { conversions.append(.primaries(from: display, to: coded)) }
    return conversions
  }

  /// Reports settings determined by the display.
  private mutating func remark(_ source: SourcePlan, _ request: MappingRequest) {
    guard let chosen = request.display else { return }
    let name = chosen.model.name
    if request.kind == .display {
      notes.append(
        Message(
          "display-pixels",
          "pixels of display '\(name)' itself, without tags: show them without colour management."))
    }
    if chosen.model.isPeakAssumed, request.peak == nil {
      warnings.append(
        Message(
          "display-peak-assumed",
          "Display '\(name)' does not state its peak: assuming \(chosen.model.peak.words) cd/m². Describe it in a "
            + "JSON file, or give \(.peak)."))
    }
    let faults = chosen.model.problems.filter(\.losesStatements)
    if !faults.isEmpty {
      warnings.append(
        Message(
          "edid-damaged",
          "The EDID of display '\(name)' is damaged (\(faults.map(\.description).joined(separator: "; "))): what it "
            + "states there is not known."))
    }
    if request.choosesSDR {
      notes.append(
        Message(
          "sdr-chosen",
          "display '\(name)' has a potential headroom of \(chosen.potentialHeadroom.words(decimals: 2)), below "
            + "\(request.headroomForHDR.words): making SDR."))
    }
    if chosen.model.isReferenceModeEnabled, chosen.referenceMode == .notSupported {
      warnings.append(
        Message(
          "reference-mode-unsupported",
          "Display '\(name)' does not support reference mode, as its potential headroom is "
            + "\(chosen.potentialHeadroom.words(decimals: 2)): using the default mode."))
    }
    referenceMode = chosen.referenceMode
    guard request.isReference else { return }
    let isShown = source.interpretation.isUnmapped || source.isShownAsIs
    notes.append(isShown ? .shownAsIs(source.referenceFormat) : .noReferenceFormat(source.color))
    let isHDR = source.referenceFormat?.isHDR ?? (source.color.transfer == .linear)
    let shown = ReferenceMode.status(isSupported: true, isEnabled: true, headroom: display.headroom)
    if isHDR, shown == .limited {
      referenceMode = shown
      warnings.append(
        Message(
          "reference-mode-limited",
          "Reference mode is limited: the headroom is \(display.headroom.words(decimals: 2)) instead of 10, and "
            + "light above it is clipped."))
    }
    let locked = request.locked + (isShown ? lockedByFormat(source, request) : [])
    if !locked.isEmpty { warnings.append(.lockedByReferenceMode(locked)) }
  }

  /// Returns settings that have no effect on content shown unchanged.
  private func lockedByFormat(_ source: SourcePlan, _ request: MappingRequest) -> [Parameter] {
    let isIgnored = source.isDescribed && source.color.transfer == .pq && !source.interpretation.isUnmapped
    return [(Parameter.gamut, request.gamut != .perceptual), (.edrMetadata, isIgnored)].filter(\.1).map(\.0)
  }

  /// The display with the coded primaries.
  var codedDisplay: Display {
    var coded = display
    coded.primaries = color.primaries.space ?? coded.primaries
    return coded
  }

  /// Adapts the tags to the layout of the samples.
  package mutating func code(as layout: PixelLayout, of source: SourcePlan) {
    if keepsCoding {
      let (matrix, range) = (color.matrix, color.range)
      (color, transfer, isCodedAsInput) = (source.color, source.interpretation.transfer, true)
      let isSame = layout == source.layout.planar
      if !isSame, layout.components == .rgb || !YCbCrMatrix.canWrite(color.matrix) || color.matrix == .rgb {
        (color.matrix, color.range) = (matrix, range)
      }
      reach = transfer.reach(in: color.range)
    }
    if layout.chromaShiftY == 0, color.chromaLocation.offset.x == 0 { color.chromaLocation = .left }
    if layout.components == .rgb, color.matrix != .rgb { (color.matrix, color.range) = (.rgb, .full) }
  }

  /// States the light of the brightest display that this one may become.
  mutating func state(as others: [TargetPlan]) {
    func most(_ plan: TargetPlan) -> Double { plan.limit ?? .infinity }
    guard let brightest = others.max(by: { most($0) < most($1) }) else { return }
    (metadata, limit) = (brightest.metadata, brightest.limit)
  }

  private mutating func state(_ stated: StaticMetadata) {
    (metadata, insistsOnMetadata, limit) = (stated.metadata, stated.isAsked, stated.limit)
    notes += stated.notes
    warnings += stated.warnings
  }

  /// The rendering from the content's light to the coded light.
  public var rendering: DisplayRendering {
    if isCodedAsInput { return DisplayRendering() }
    return DisplayRendering(
      mapping: mapping, followsShots: followsShots, keepsReferenceWhite: keepsReferenceWhite, conversions: conversions)
  }

  /// Content light in cd/m² above which the mapping saturates: the peak for which its curve is made, or the display's
  /// if light is clipped.
  var clipPoint: Double {
    let isClipped = mapping.metadata == nil || mapping.curve == .clip
    let peak = display.peak / mapping.exposureGain
    return isClipped ? peak : max(mapping.contentPeak ?? 0, peak)
  }

  /// Returns whether the peak is unknown: files of linear light seldom state it.
  private static func hasUnknownBrightness(_ source: SourcePlan) -> Bool {
    source.color.transfer == .linear && source.measuredLight == nil && source.metadata.masteringDisplay == nil
      && source.metadata.contentLight == nil
  }

  /// Returns the mapping settings that change light which the output could keep.
  static func lightSettings(_ source: SourcePlan, _ request: MappingRequest, paints: Bool) -> [Parameter] {
    MappingOptions.set(in: request, with: .changesLight) + (paints ? [.filter] : [])
      + (source.interpretation.isUnmapped ? [.edrMetadata] : [])
  }
}

extension SourcePlan {
  /// Returns whether the output has the input's transfer function and primaries, so that only light settings change it.
  fileprivate func isCoded(as output: OutputCoding, _ request: MappingRequest) -> Bool {
    guard color.primaries == output.color.primaries, !request.isExpanded, request.hlgOOTF == .reference, !isDescribed
    else { return false }
    return switch request.kind {
    case .hdr10: color.transfer == .pq
    case .hlg: color.transfer == .hlg && measuredLight == nil
    case .sdr: interpretation.metadata == nil && interpretation.transfer == .bt1886(peak: 1)
    case .display: false
    }
  }
}

extension YCbCrMatrix {
  /// Returns whether frames can be rendered with this matrix, not only copied.
  fileprivate static func canWrite(_ matrix: MatrixCoefficients) -> Bool {
    matrix == .rgb || YCbCrMatrix(matrix) != nil
  }
}

extension Message {
  /// The input does not state its peak, and light is kept.
  fileprivate static let unknownOutputLight = Message(
    "output-light-unknown",
    "The input does not state how bright it gets, and neither does the output: \(.contentLight, "measure") states it.")

  /// The input does not state its peak, and light is mapped.
  fileprivate static let assumedContentPeak = Message(
    "content-peak-assumed",
    "The input does not state how bright it gets: assuming up to 1000 cd/m². \(.peakDetection) measures it.")

  /// HLG for a display with a peak other than 1000 cd/m².
  fileprivate static func unusualHLGPeak(_ peak: Double) -> Message {
    let gamma = HLG.gamma(peak: peak).words(decimals: 3)
    return Message(
      "unusual-hlg-peak",
      """
      HLG for a peak of \(peak.words) cd/m² has a system gamma of \(gamma), which files cannot signal: BT.2100 and \
      BT.2408 expect a nominal peak of 1000 cd/m² and 1.2. Other displays adapt on their own, by 1.2 + 0.42 log10(Lw / \
      1000). Set every display up for \(peak.words) cd/m², or make HLG for 1000.
      """)
  }

  /// Reference mode shows the content unchanged.
  /// - Parameter format: nil: linear light.
  fileprivate static func shownAsIs(_ format: ReferenceFormat?) -> Message {
    let name = format.map { "\($0.name), for a \($0.surround.rawValue) surround" } ?? "linear light"
    return Message("reference-format", "reference mode: \(name), shown as it is.")
  }

  /// Reference mode maps these colours as the default mode does.
  fileprivate static func noReferenceFormat(_ color: ColorDescription) -> Message {
    let name = "\(color.primaries) / \(color.transfer) / \(color.matrix)"
    return Message(
      "no-reference-format",
      "reference mode has no format of \(name): it is colour-managed as in the default mode.")
  }

  /// Reference mode ignores these settings.
  fileprivate static func lockedByReferenceMode(_ parameters: [Parameter]) -> Message {
    let names = parameters.map { parameter -> MessageText in "\(parameter)" }.joined(separator: ", ")
    return Message(
      "locked-by-reference-mode",
      "Reference mode is not adapted to the room: \(names) \(parameters.count == 1 ? "has" : "have") no effect.")
  }
}
