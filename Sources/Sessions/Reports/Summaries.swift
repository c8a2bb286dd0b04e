internal import ColorScience
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Patterns
internal import Rendering
internal import Scopes
internal import ToneMapping

extension TargetPlan {
  /// One line: "HDR10 bt2020, peak 1000 cd/m² -> SDR BT.709, ...; tone map system, gamut compress".
  /// - Parameters:
  ///   - source: Plan of the source.
  ///   - hasGamut: Colours are mapped as well as light.
  public func summary(from source: SourcePlan, hasGamut: Bool = true) -> String {
    let kind = source.interpretation.metadata?.kind
    let content = rendering.mapping(for: source.shot)?.contentPeak.map { ", peak \(nits($0))" } ?? ""
    let from =
      switch kind {
      case .hdr10: "HDR10"
      case .hlg: "HLG"
      case nil where source.interpretation.isUnmapped: "EDR"
      case nil: "SDR"
      }
    if keepsCoding { return "\(from) \(source.color.primaries), light unchanged" }
    let to =
      switch color.transfer {
      case .pq where source.color.transfer == .pq && !mapping.isUnmapped && display.peak == PQ.peak:
        "HDR10, range unchanged"
      case .pq: "HDR10, peak \(nits(display.peak))"
      case .hlg: "HLG for \(nits(display.peak))"
      case .unspecified: "display, white \(nits(display.sdrWhite)), headroom \(round(display.headroom))"
      default: "SDR BT.709, white \(nits(display.sdrWhite)), headroom \(round(display.headroom))"
      }
    let curve =
      curveName(for: source).map { "tone map \($0)" }
      ?? (mapping.isExpanded ? "inverse tone mapping" : "no tone mapping")
    let exposure =
      mapping.exposure == 0
      ? "" : ", exposure \(mapping.exposure > 0 ? "+" : "")\(String(format: "%g", mapping.exposure))"
    let black = display.black > 0 ? ", black \(String(format: "%g", display.black)) cd/m²" : ""
    let surround = display.surround.map { ", surround \(nits($0))" } ?? ""
    return "\(from) \(source.color.primaries)\(content) -> \(to); \(curve)\(exposure)\(black)\(surround)"
      + (hasGamut ? gamutSummary(for: source) : "")
  }

  private func gamutSummary(for source: SourcePlan) -> String {
    guard let gamut = gamutMap(for: source) else { return "" }
    let share = mapping.highlightDesaturation
    let isDefault = share == DisplayMapping.Settings.defaultHighlightDesaturation || !gamut.desaturates
    return ", gamut \(gamut.method.rawValue)"
      + (isDefault ? "" : ", highlight desaturation \(String(format: "%g", share))")
  }

  /// Returns the name of the tone curve in use; nil if light is only converted or expanded.
  func curveName(for source: SourcePlan) -> String? {
    guard !keepsCoding, !mapping.isUnmapped, source.interpretation.metadata != nil else { return nil }
    return source.shot?.curveName ?? mapping.curve.name
  }

  /// Returns the gamut mapping in use; nil if the tone curve's colours are kept.
  func gamutMap(for source: SourcePlan) -> GamutMapping? {
    guard !keepsCoding, let settings = rendering.mapping(for: source.shot) else { return nil }
    let gamut = DisplayMapping.gamut(settings)
    return gamut.source == gamut.target && !gamut.desaturates ? nil : gamut
  }

  /// Returns the fields for a report.
  /// - Parameter hasGamut: Colours are mapped as well as light.
  func mappingFields(for source: SourcePlan, hasGamut: Bool = true) -> [(String, Any?)] {
    let gamut = hasGamut ? gamutMap(for: source) : nil
    return [
      ("tone_map", curveName(for: source) ?? "none"), ("gamut", gamut?.method.rawValue ?? "none"),
      ("highlight_desaturation", gamut?.desaturates == true ? mapping.highlightDesaturation : 0),
    ]
  }

  private func nits(_ value: Double) -> String { round(value) + " cd/m²" }

  private func round(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : String(format: "%.2f", value)
  }
}

extension ShotParameters {
  /// The standard that defines the curve; nil: none.
  fileprivate var curveName: String? {
    switch curve {
    case .hdr10Plus: "st2094-40"
    case .referenceWhite, .renditions: "st2094-50"
    case nil: nil
    }
  }
}

extension TranscodePlan {
  /// One-line summary of the plan.
  public var summary: String {
    target.summary(from: source)
      + (codeValues.map { "; code values \($0)" } ?? "")
      + (geometry.steps.map { "; \($0)\(geometry.changesSize ? " to \(video.size)" : "")" } ?? "")
      + (video.encoding.map { "; \($0)" } ?? "")
  }
}

extension PicturePlan {
  /// One-line summary of the plan.
  public var summary: String {
    let filters = request.filters.isEmpty ? "" : " and filtered"
    let taken = (stage == .decoded ? "as decoded" : "\(stage.rawValue)") + filters
    guard let space else { return "\(source.color.words) -> \(request.format.rawValue), \(taken)" }
    let unit = metadata.linearUnit
    let unknown = source.interpretation.isUnmapped ? ", 1.0 is SDR white" : ", scene light"
    let white = space.isLinear ? unit.map { ", 1.0 is \($0.words) cd/m²" } ?? unknown : ""
    return "\(source.color.words) -> \(request.format.rawValue) in \(space.name), \(taken)\(white)"
  }
}

extension ScopesPlan {
  /// One-line summary of the scopes.
  public var summary: String {
    let names = request.kinds.map(\.rawValue).joined(separator: ", ")
    return "\(source.color.words) -> \(names), \(request.size.scaled(by: request.scale))"
  }
}

extension PatternPlan {
  /// One-line summary of the pattern.
  public var summary: String {
    let frames = count == 1 ? "one frame" : "\(count) frames"
    let name = (try? ChosenPattern(request.pattern).text) ?? request.pattern
    return "\(name) as \(signal.kind.title), \(request.size.scaled(by: request.scale)), \(frames)"
  }
}

extension ColorDescription {
  /// Wording for messages: "pq, bt2020, bt2020NCL, limited range".
  package var words: String { "\(transfer), \(primaries), \(matrix), \(range.words) range" }
}

extension VideoRange {
  /// ffmpeg's names.
  package var words: String { self == .full ? "full" : "limited" }
}

extension FieldOrder {
  /// Wording for messages.
  package var words: String { self == .topFirst ? "top field first" : "bottom field first" }
}

extension Double {
  /// Whole numbers without a fraction.
  package var words: String { self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self) }

  /// Returns the number rounded to a number of decimals, without trailing zeros.
  package func words(decimals: Int) -> String {
    let unit = pow(10, Double(decimals))
    return ((self * unit).rounded() / unit).words
  }
}

extension Int {
  /// "1 frame", "2 frames".
  /// - Parameter plural: nil: appends an s to the noun.
  package func counting(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}
