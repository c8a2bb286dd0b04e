internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Measurement
internal import ToneMapping

/// What the input is taken for: its tags, the overrides, and what is assumed where both are silent.
struct SourcePlan {
  /// The tags that samples are read by, none unspecified.
  var color: ColorDescription
  var metadata: HDRMetadata
  var interpretation: ContentInterpretation
  /// Chroma has a siting of its own.
  var isSubsampled: Bool
  /// Follows the dynamic metadata from the first frame on; nil where none is used.
  var scenes: SceneTracker?
  /// What the dynamic metadata of the first frame asks for.
  var scene: SceneParameters?
  /// MaxCLL and MaxFALL as they were measured.
  var measuredLight: ContentLight?
  /// Said once.
  var notes: [String] = []
  /// Assumptions and oddities; errors under `--strict`.
  var warnings: [String] = []

  /// A black film has some peak, too.
  private static let leastPeak = 1.0

  /// - Parameters:
  ///   - frame: The first frame: its tags and metadata go before those of the container.
  ///   - path: For messages.
  ///   - use: What of the dynamic metadata is used; nil is nothing.
  ///   - measured: The light of what is processed: its peak goes before all metadata, from the first frame to the last.
  init(
    frame: CodedFrame, path: String, overrides: SourceOverrides, use: SceneTracker.Use?,
    measured: ContentMeasurement? = nil
  ) throws {
    metadata = frame.metadata
    if let peak = overrides.contentPeak { metadata.contentLight = ContentLight(maxCLL: peak, maxFALL: 0) }
    isSubsampled = frame.layout.chromaShiftY == 1
    color = frame.color
    try Self.refuseDolbyVision(metadata, color: color, path: path, overrides: overrides)
    notes += Self.dolbyVisionNotes(metadata)
    color = overrides.applied(to: color)
    let assumed = color.assumed(layout: frame.layout.read(by: color.matrix), size: frame.size)
    if assumed != color, overrides.transfer == nil || frame.color.transfer != .unspecified {
      warnings.append(
        "'\(path)' is not fully tagged: taken as \(assumed.words). --input-transfer and --input-primaries say otherwise."
      )
    }
    color = assumed
    do {
      interpretation = try ContentInterpretation(color: color, metadata: metadata)
    } catch {
      throw CommandFailure(error, path: path)
    }
    warnings += (interpretation.metadata?.ignored ?? []).map { "Ignored: \($0)." }
    if color.transfer == .linear, metadata.linearUnit == nil {
      notes.append("'\(path)' does not say what luminance its 1.0 is: taken for 100 cd/m².")
    }
    if let measured, interpretation.metadata != nil {
      follow(measured)
    } else {
      follow(use)
    }
    if let order = frame.fieldOrder {
      let divides = frame.layout.dividesIntoFields(height: frame.size.height)
      notes.append("Interlaced, \(order.words)" + (divides ? ": each field is processed by itself." : "."))
    }
    if overrides.isStrict, let warning = warnings.first { throw CommandFailure("\(warning) (--strict)") }
  }

  /// One peak for all frames.
  private mutating func follow(_ measured: ContentMeasurement) {
    measuredLight = measured.contentLight
    scene = SceneParameters(contentPeak: max(measured.maxCLL, Self.leastPeak))
    notes.append(
      "Measured: MaxCLL \(measured.maxCLL.rounded().words) cd/m², MaxFALL \(measured.maxFALL.rounded().words) cd/m².")
  }

  /// Begins to follow the dynamic metadata with that of the first frame.
  private mutating func follow(_ use: SceneTracker.Use?) {
    guard let descriptor = interpretation.metadata else { return }
    if let use {
      var tracker = SceneTracker(use: use, descriptor: descriptor, masteringDisplay: metadata.masteringDisplay)
      scene = tracker.parameters(for: metadata)
      warnings += tracker.takeIgnored().map { "Ignored: \($0)." }
      scenes = tracker
    }
    notes += dynamicNotes(use)
  }

  private func dynamicNotes(_ use: SceneTracker.Use?) -> [String] {
    let names = [metadata.hdr10Plus.map { _ in "HDR10+" }, metadata.adaptiveToneMap.map { _ in "ST 2094-50" }]
      .compactMap { $0 }.joined(separator: " and ")
    if use == nil, !names.isEmpty { return ["\(names) metadata is not used, and not copied."] }
    if use == .hdr10Plus, scene?.curve == nil {
      return ["the first frame has no HDR10+ curve that can be used: where there is none, the curve is 'system'."]
    }
    guard let scene else { return [] }
    switch scene.curve {
    case .hdr10Plus(let map):
      return ["HDR10+: each scene has the tone curve that it states, made for \(map.targetedPeak.words) cd/m²."]
    case .renditions(let adaptation):
      return [
        "ST 2094-50: mapped by its renditions; headroom of the content "
          + "\(adaptation.baselineStops.words) stops, reference white \(metadata.referenceWhite.words) cd/m²."
      ]
    case nil:
      if metadata.adaptiveToneMap != nil, use != .hdr10Plus {
        let peak = scene.contentPeak.map { ", peak \($0.rounded().words) cd/m²" } ?? ""
        return ["ST 2094-50: reference white \(metadata.referenceWhite.words) cd/m²\(peak)."]
      }
      return ["HDR10+: each scene is mapped from the peak that it states."]
    }
  }

  /// A stream whose base layer is not what its tags would mean must not be shown by them.
  private static func refuseDolbyVision(
    _ metadata: HDRMetadata, color: ColorDescription, path: String, overrides: SourceOverrides
  ) throws {
    if let dolby = metadata.dolbyVision, dolby.profile == 5 || dolby.baseLayerCompatibility == 0 && dolby.profile != 7 {
      throw CommandFailure(
        "'\(path)' is Dolby Vision profile \(dolby.profile), whose base layer is IPT-PQ-c2 and neither HDR10, HLG nor "
          + "SDR: without Dolby's reshaping it would be green and purple. Use a version with profile 7 or 8.")
    }
    if metadata.dolbyVision == nil, metadata.hasDolbyVisionRPU, color.transfer == .unspecified,
      overrides.transfer == nil
    {
      throw CommandFailure(
        "'\(path)' carries a Dolby Vision RPU without a configuration and no colour tags, as profile 5 does, which "
          + "cannot be shown: if its base layer is HDR10 or HLG, say so with --input-transfer.")
    }
  }

  private static func dolbyVisionNotes(_ metadata: HDRMetadata) -> [String] {
    guard let dolby = metadata.dolbyVision else {
      return metadata.hasDolbyVisionRPU
        ? ["Dolby Vision RPU without a configuration: the base layer is rendered by its own tags."] : []
    }
    let layer =
      switch dolby.baseLayerCompatibility {
      case 1, 6: "HDR10 base layer"
      case 2: "base layer (marked SDR-compatible; its own tags decide)"
      case 4: "HLG base layer"
      default: "base layer"
      }
    // Of the streams of profiles 9 (AVC) and 10 (AV1) FFmpeg reads no RPU.
    let isLacking = dolby.hasRPU && !metadata.hasDolbyVisionRPU && dolby.profile <= 8
    let lack = isLacking ? " The stream has no RPU, which its configuration announces." : ""
    return [
      "Dolby Vision profile \(dolby.profile).\(dolby.baseLayerCompatibility): rendered through its \(layer)." + lack
    ]
  }
}

extension FieldOrder {
  /// For messages.
  var words: String { self == .topFirst ? "top field first" : "bottom field first" }
}

extension HDRMetadata {
  /// Luminance of reference white in cd/m².
  var referenceWhite: Double { adaptiveToneMap?.referenceWhite ?? ToneConditions.defaultReferenceWhite }
}

extension ColorDescription {
  /// For messages: "pq, bt2020, bt2020NCL, narrow range".
  var words: String { "\(transfer), \(primaries), \(matrix), \(range) range" }
}
