internal import ColorScience
internal import Displays
public import Frames
package import Measurement
package import Media
public import Rendering
public import ToneMapping

/// Interpretation of the input: its tags, the overrides, and assumptions where both are missing.
public struct SourcePlan: Sendable, Hashable, Codable {
  /// The tags used to read samples, none unspecified.
  public internal(set) var color: ColorDescription
  /// HDR metadata of the input, with the overrides applied.
  public internal(set) var metadata: HDRMetadata
  /// The conversion to linear light, and the descriptor of that light.
  public internal(set) var interpretation: ContentInterpretation
  /// The layout used to read samples.
  let layout: PixelLayout
  /// The picture is cropped or has a border: light averages stated by the input do not apply.
  var isCropped = false
  /// The user has specified the light.
  var isDescribed = false
  /// Use of dynamic metadata; nil: none.
  var use: ShotTracker.Use?
  /// Dynamic metadata state from frames before the rendered ones; nil: none.
  package var shotState: ShotTracker.State?
  /// Parameters from the dynamic metadata of the first frame.
  public internal(set) var shot: ShotParameters?
  /// The measured MaxCLL and MaxFALL.
  var measuredLight: ContentLight?
  /// Dynamic metadata of the first frame that is neither used nor copied.
  public internal(set) var unusedMetadata: [DynamicMetadata] = []
  private var remarks: [Message] = []
  /// Notes on the input.
  public var notes: [Message] {
    unusedMetadata.isEmpty ? remarks : remarks + [.dynamicMetadataUnused(unusedMetadata)]
  }
  /// Assumptions and oddities.
  public internal(set) var warnings: [Message] = []

  /// Minimum peak, for a completely black film.
  private static let minimumPeak = 1.0

  /// - Parameters:
  ///   - frame: The first frame: its tags and metadata take precedence over the container's.
  ///   - survey: Metadata that the input states later.
  ///   - name: Name of the input.
  ///   - use: Use of dynamic metadata; nil: none.
  ///   - measured: The measured light of the selected frames; its peak overrides all metadata, for every frame.
  /// - Throws: `Refusal` for content that cannot be rendered.
  package init(
    frame: CodedFrame, survey: StreamSurvey = StreamSurvey(), name: String, overrides: SourceOverrides,
    isStrict: Bool = false, use: ShotTracker.Use?, measured: MeasuredLight? = nil
  ) throws(Refusal) {
    metadata = survey.metadata.reduce(frame.metadata) { $0.covering($1) }
    if metadata != frame.metadata {
      remarks.append(.lightDiffers(brightest: metadata))
    }
    // Messages carried by frames are not a setting.
    metadata.hdr10PlusMessage = nil
    if let peak = overrides.contentPeak { metadata.contentLight = ContentLight(maxCLL: peak, maxFALL: 0) }
    color = frame.color
    try Self.refuseDolbyVision(metadata, color: color, name: name, overrides: overrides)
    remarks += Self.dolbyVisionNotes(metadata)
    color = overrides.applied(to: color)
    let assumed = color.assumed(layout: frame.layout.read(by: color.matrix), size: frame.size)
    if assumed != color, overrides.transfer == nil || frame.color.transfer != .unspecified {
      let message = Message(
        "not-fully-tagged",
        "'\(name)' is not fully tagged: assuming \(assumed.words). Override with \(.inputTransfer) and "
          + "\(.inputPrimaries).")
      warnings.append(message)
    }
    color = assumed
    layout = frame.layout.read(by: color.matrix)
    interpretation = try Self.interpretation(color, metadata, stated: overrides.descriptor, name: name)
    isDescribed = overrides.descriptor != nil
    warnings += (interpretation.metadata?.ignored ?? []).map { .metadataIgnored($0) }
    if color.transfer == .linear, metadata.linearUnit == nil, overrides.descriptor == nil {
      remark("unknown-linear-unit", "'\(name)' does not state the luminance of 1.0: assuming 100 cd/m².")
    }
    if let measured, interpretation.metadata != nil {
      follow(measured)
    } else {
      follow(use)
    }
    if let order = frame.fieldOrder {
      let byField = frame.layout.dividesIntoFields(height: frame.size.height)
      let processing = byField ? ": each field is processed by itself" : ""
      remark("interlaced", "Interlaced, \(order.words)\(processing).")
    }
    if isStrict, let warning = warnings.first { throw .strict(warning) }
  }

  /// Content without a file: PQ in BT.2020 mastered to 0.005...1000 cd/m², unless specified.
  package init(stated overrides: SourceOverrides) throws(Refusal) {
    let tags = overrides.applied(
      to: ColorDescription(primaries: .unspecified, transfer: .pq, matrix: .rgb, range: .full))
    layout = PixelLayout(.rgb, bitDepth: 10)
    color = tags.assumed(layout: layout, size: Size(width: 1920, height: 1080))
    metadata = HDRMetadata()
    metadata.contentLight = overrides.contentPeak.map { ContentLight(maxCLL: $0, maxFALL: 0) }
    interpretation = try Self.interpretation(color, metadata, stated: overrides.descriptor, name: "the input")
    isDescribed = overrides.descriptor != nil
  }

  static func interpretation(
    _ color: ColorDescription, _ metadata: HDRMetadata = HDRMetadata(),
    stated: ContentInterpretation.StatedDescriptor? = nil, name: String
  ) throws(Refusal) -> ContentInterpretation {
    do {
      return try ContentInterpretation(color: color, metadata: metadata, stated: stated)
    } catch {
      switch error {
      case .unsupportedTransfer(let transfer):
        throw .failed(
          "unsupported-transfer",
          "The transfer characteristics of '\(name)' are '\(String(describing: transfer))' (H.273 code "
            + "\(transfer.rawValue)), which cannot be processed: if the tag is wrong, override it with "
            + "\(.inputTransfer) pq, hlg or sdr.")
      case .unsupportedPrimaries(let primaries):
        throw .failed(
          "unsupported-primaries",
          "The primaries of '\(name)' are '\(String(describing: primaries))' (H.273 code \(primaries.rawValue)), which "
            + "cannot be processed: if the tag is wrong, override it with \(.inputPrimaries).")
      case .contradictoryDescriptor(let transfer):
        let light =
          transfer == .pq
          ? "PQ is display light, not HLG's scene light" : "HLG is scene light, not display light"
        throw .invalid("descriptor-contradicts-input", "\(.edrMetadata) contradicts '\(name)': \(light).")
      }
    }
  }

  /// Returns a tracker of the dynamic metadata from the first frame on; nil if none is used.
  package func makeTracker() -> ShotTracker? {
    guard let use, let descriptor = interpretation.metadata else { return nil }
    var tracker = ShotTracker(use: use, descriptor: descriptor, masteringDisplay: metadata.masteringDisplay)
    // Problems with the first frame's metadata have already been reported.
    _ = tracker.parameters(for: metadata)
    _ = tracker.takeIgnored()
    var result = tracker.restarted()
    if let shotState { result.state = shotState }
    return result
  }

  /// Returns the same input with another use of its dynamic metadata; a measured peak is kept.
  package func using(_ use: ShotTracker.Use?) -> SourcePlan {
    guard measuredLight == nil, use != self.use else { return self }
    var plan = self
    (plan.use, plan.shot, plan.remarks, plan.unusedMetadata, plan.warnings) = (nil, nil, [], [], [])
    plan.follow(use)
    return plan
  }

  /// Uses one peak for all frames.
  private mutating func follow(_ measured: MeasuredLight) {
    measuredLight = measured.contentLight
    shot = ShotParameters(contentPeak: max(measured.peak, Self.minimumPeak))
    let (maxCLL, maxFALL) = (measured.maxCLL.rounded(), measured.maxFALL.rounded())
    let peak = measured.peak.rounded()
    let mapped = peak < maxCLL ? "; mapped for \(peak.words) cd/m²" : ""
    remark("light-measured", "Measured: MaxCLL \(maxCLL.words) cd/m², MaxFALL \(maxFALL.words) cd/m²\(mapped).")
  }

  /// Starts tracking with the dynamic metadata of the first frame.
  private mutating func follow(_ use: ShotTracker.Use?) {
    guard let descriptor = interpretation.metadata else { return }
    self.use = use
    if let use {
      var tracker = ShotTracker(use: use, descriptor: descriptor, masteringDisplay: metadata.masteringDisplay)
      shot = tracker.parameters(for: metadata)
      warnings += tracker.takeIgnored().map { .metadataIgnored($0) }
      remarkOnShot(use)
    } else {
      let kinds: [DynamicMetadata?] = [
        metadata.hdr10Plus.map { _ in .hdr10Plus }, metadata.adaptiveToneMap.map { _ in .adaptiveToneMap },
      ]
      unusedMetadata = kinds.compactMap(\.self)
    }
  }

  /// Reports how the dynamic metadata of the first frame is used.
  private mutating func remarkOnShot(_ use: ShotTracker.Use) {
    if use == .hdr10Plus, shot?.curve == nil {
      remark(
        "no-hdr10plus-curve", "The first frame has no usable HDR10+ curve: frames without one use 'system'.")
      return
    }
    guard let shot else { return }
    let white = metadata.referenceWhite.words
    switch shot.curve {
    case .hdr10Plus(let map):
      remark(
        "follows-hdr10plus-curves",
        "HDR10+: each shot uses the tone curve in its metadata, made for \(map.targetedPeak.words) cd/m².")
    case .renditions(let adaptation):
      remark(
        "follows-renditions",
        "ST 2094-50: mapped by its renditions; content headroom \(adaptation.baselineStops.words) stops, reference "
          + "white \(white) cd/m².")
    case .referenceWhite, nil:
      if metadata.adaptiveToneMap != nil, use != .hdr10Plus {
        let peak = shot.contentPeak.map { ", peak \($0.rounded().words) cd/m²" } ?? ""
        remark("follows-reference-white", "ST 2094-50: reference white \(white) cd/m²\(peak).")
      } else {
        remark("follows-hdr10plus-peaks", "HDR10+: each shot is mapped from the peak in its metadata.")
      }
    }
  }

  private mutating func remark(_ code: Message.Code, _ text: MessageText) {
    remarks.append(Message(code, text))
  }

  /// Rejects a stream whose base layer does not match its tags, which must not be used to render it.
  private static func refuseDolbyVision(
    _ metadata: HDRMetadata, color: ColorDescription, name: String, overrides: SourceOverrides
  ) throws(Refusal) {
    if let dolby = metadata.dolbyVision, dolby.profile == 5 || dolby.baseLayerCompatibility == 0 && dolby.profile != 7 {
      throw .failed(
        "unsupported-dolby-vision",
        "'\(name)' is Dolby Vision profile \(dolby.profile), whose base layer is IPT-PQ-c2, not HDR10, HLG or SDR: "
          + "without Dolby's reshaping it would be green and purple. Use a version with profile 7 or 8.")
    }
    if metadata.dolbyVision == nil, metadata.hasDolbyVisionRPU, color.transfer == .unspecified,
      overrides.transfer == nil
    {
      throw .failed(
        "unmarked-dolby-vision",
        "'\(name)' carries a Dolby Vision RPU but no configuration and no colour tags, like profile 5, which cannot be "
          + "rendered: if its base layer is HDR10 or HLG, say so with \(.inputTransfer).")
    }
  }

  private static func dolbyVisionNotes(_ metadata: HDRMetadata) -> [Message] {
    guard let dolby = metadata.dolbyVision else {
      guard metadata.hasDolbyVisionRPU else { return [] }
      let message = Message(
        "rpu-without-configuration",
        "Dolby Vision RPU without a configuration: the base layer is rendered according to its own tags.")
      return [message]
    }
    // FFmpeg reads no RPU from streams of profiles 9 (AVC) and 10 (AV1).
    let lacksRPU = dolby.hasRPU && !metadata.hasDolbyVisionRPU && dolby.profile <= 8
    let layer =
      switch dolby.baseLayerCompatibility {
      case 1, 6: "HDR10 base layer"
      case 2: "base layer (marked SDR-compatible; its own tags decide)"
      case 4: "HLG base layer"
      default: "base layer"
      }
    let lack = lacksRPU ? " The stream has no RPU, although its configuration announces one." : ""
    let message = Message(
      "dolby-vision-base-layer",
      "Dolby Vision profile \(dolby.profile).\(dolby.baseLayerCompatibility): rendered from its \(layer).\(lack)")
    return [message]
  }
}

extension Message {
  /// Segments of the input state different light.
  /// - Parameter metadata: With the brightest mastering display and the most light.
  fileprivate static func lightDiffers(brightest metadata: HDRMetadata) -> Message {
    let light: [String?] = [
      metadata.masteringDisplay.map { "a mastering display of \($0.maxNits.words) cd/m²" },
      metadata.contentLight.map { "MaxCLL \($0.maxCLL), MaxFALL \($0.maxFALL) cd/m²" },
    ]
    let words = light.compactMap(\.self).joined(separator: ", ")
    return Message(
      "light-differs-between-parts",
      "Parts of the input state different light. The brightest holds for all: \(words).")
  }

  fileprivate static func dynamicMetadataUnused(_ kinds: [DynamicMetadata]) -> Message {
    let names = kinds.map(\.rawValue).joined(separator: " and ")
    return Message("dynamic-metadata-unused", "\(names) metadata is neither used nor copied.")
  }
}

extension SourcePlan {
  /// The largest signal that code values represent: above 1 if there is super-white (decision 0016).
  var reach: Double { interpretation.transfer.reach(in: color.range) }

  /// Returns the light of that signal relative to signal 1: for SDR with BT.1886, for HLG on a display.
  /// - Parameter peak: Nominal peak in cd/m² of the display for which HLG's OOTF is made.
  func superWhite(peak: Double = EDRMetadata.defaultMaxLuminance) -> Double {
    let transfer = interpretation.transfer
    // Values without a descriptor are relative to SDR white, and unlimited.
    if interpretation.isUnmapped, [.pq, .linear].contains(color.transfer) { return .infinity }
    let light = transfer.peak(reach: reach) / transfer.peak
    guard transfer == .hlg else { return light }
    return HLG.ootf(SIMD3(repeating: light), peak: 1, gamma: HLG.gamma(peak: peak)).x
  }
}

/// The measured light of the selected frames.
public struct MeasuredLight: Sendable, Hashable, Codable {
  /// MaxCLL in cd/m², not rounded.
  public var maxCLL: Double
  /// MaxFALL in cd/m², not rounded.
  public var maxFALL: Double
  /// Light in cd/m² for which content is mapped: less than MaxCLL if only a few pixels exceed it.
  public var peak: Double
  /// Number of frames measured.
  public var frameCount: Int

  /// - Parameter peak: Light in cd/m² for which content is mapped; nil: MaxCLL.
  package init(_ measurement: ContentMeasurement, peak: Double? = nil) {
    maxCLL = measurement.maxCLL
    maxFALL = measurement.maxFALL
    self.peak = min(peak ?? maxCLL, maxCLL)
    frameCount = measurement.frames.count
  }

  /// The light rounded up to whole numbers.
  var contentLight: ContentLight { ContentLight(roundingUp: maxCLL, maxFALL: maxFALL) }
}

extension SourcePlan {
  /// Returns a format of the input with the colour tags of the plan.
  package func reading(_ format: PixelFormat) -> PixelFormat {
    var format = format
    (format.layout, format.color) = (format.layout.read(by: color.matrix), color)
    return format
  }

  /// Returns the endpoint that reads frames of a size.
  func endpoint(_ size: Size) -> FrameRenderer.Endpoint {
    FrameRenderer.Endpoint(
      format: PixelFormat(size: size, layout: layout, color: color), transfer: interpretation.transfer)
  }
}

extension HDRMetadata {
  /// Returns the brighter of two mastering displays and content lights: static metadata covers all segments of a film.
  func covering(_ other: HDRMetadata) -> HDRMetadata {
    var result = self
    if let display = other.masteringDisplay, display.maxNits <= PQ.peak,
      display.maxLuminance > masteringDisplay?.maxLuminance ?? 0
    {
      result.masteringDisplay = display
    }
    let (own, others) = (contentLight, other.contentLight)
    let light = ContentLight(
      maxCLL: max(own?.maxCLL ?? 0, others?.maxCLL ?? 0), maxFALL: max(own?.maxFALL ?? 0, others?.maxFALL ?? 0))
    if light.maxCLL > 0, Double(light.maxCLL) <= PQ.peak { result.contentLight = light }
    return result
  }

  /// Luminance of reference white in cd/m².
  package var referenceWhite: Double { adaptiveToneMap?.referenceWhite ?? ToneConditions.defaultReferenceWhite }
}

extension SourcePlan {
  /// The format that reference mode assigns to the content; nil: none of its formats.
  var referenceFormat: ReferenceFormat? {
    interpretation.isUnmapped
      ? nil
      : ReferenceFormat(primaries: color.primaries, transfer: color.transfer, matrix: color.matrix)
  }

  /// Reference mode shows its values unchanged. Linear light has absolute brightness.
  var isShownAsIs: Bool { referenceFormat != nil || color.transfer == .linear }

  /// Returns the source for reference mode: without HDR metadata, and without a curve if the mode has its format.
  func inReferenceMode() -> SourcePlan {
    var plan = self
    (plan.shot, plan.use, plan.measuredLight) = (nil, nil, nil)
    plan.metadata = HDRMetadata()
    plan.metadata.linearUnit = metadata.linearUnit
    plan.interpretation = interpretation.inReferenceMode(isShownAsIs: isShownAsIs)
    return plan
  }
}
