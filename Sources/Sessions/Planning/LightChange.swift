public import ColorScience
internal import Frames
internal import Rendering
internal import ToneMapping

/// Why the light of an output's pixels differs from its input's.
public enum LightChange: Sendable, Hashable, Codable {
  /// A setting of the request.
  case setting(Parameter)
  /// The output is not HDR10.
  case kind(OutputKind)
  /// The input has another transfer function than PQ.
  case transfer(TransferCharacteristics)
  /// The input has other primaries than the output.
  case primaries(ColorPrimaries)
}

extension Message {
  /// HDR10+ should be copied, but would not describe the output.
  static func wrongHDR10Plus(_ changes: [LightChange]) -> Message {
    var settings: [MessageText] = []
    var parts: [MessageText] = []
    for change in changes {
      switch change {
      case .setting(let parameter): settings.append("\(parameter)")
      case .kind(let kind):
        parts.append("the output is \(kind == .hlg ? "HLG" : kind == .sdr ? "SDR" : "for a display")")
      case .transfer(let transfer): parts.append("the input is \(String(describing: transfer)), not PQ")
      case .primaries(let primaries): parts.append("the input has the primaries \(String(describing: primaries))")
      }
    }
    if !settings.isEmpty {
      let verb = settings.count == 1 ? "changes" : "change"
      parts.append("\(settings.joined(separator: " and ")) \(verb) the picture")
    }
    return Message(
      "hdr10plus-would-be-wrong",
      "\(.hdr10Plus, "copy") is for an output with the light of its input, but \(parts.joined(separator: ", ")): omit "
        + "that, or use \(.hdr10Plus, "none").")
  }
}

extension TranscodePlan {
  /// Changes of the light or position of pixels; empty: each pixel keeps its light, position and coding, so that light
  /// metadata of the input's frames also describes the output's.
  public var lightChanges: [LightChange] {
    lightChanges(target, source, request.mapping, paints: !request.filters.isEmpty)
  }

  /// Each pixel keeps its light.
  public var leavesLightUnchanged: Bool { lightChanges.isEmpty }

  /// Returns the changes for another mapping or source during a run.
  func lightChanges(
    _ target: TargetPlan, _ source: SourcePlan, _ mapping: MappingRequest, paints: Bool
  ) -> [LightChange] {
    var changes: [LightChange] = []
    let isHDR10 = mapping.kind == .hdr10
    if !isHDR10 { changes.append(.kind(mapping.kind)) }
    if source.color.transfer != .pq { changes.append(.transfer(source.color.transfer)) }
    if isHDR10, source.color.primaries != target.color.primaries { changes.append(.primaries(source.color.primaries)) }
    changes += TargetPlan.lightSettings(source, mapping, paints: paints).map { .setting($0) }
    // A measured MaxCLL is enforced, and a stated descriptor defines the light.
    let others: [(Parameter, Bool)] = [
      (request.metadata.measuresInput ? .peakDetection : .measured, source.measuredLight != nil),
      (.edrMetadata, source.isDescribed && !source.interpretation.isUnmapped),
      (.burnSubtitles, subtitles != nil), (.bakeRotation, geometry.orientation != .identity),
    ]
    // An automatic crop may find no bars.
    let moved = GeometryOptions.set(in: request.geometry, with: .changesLight).filter {
      $0 != .crop || geometry.crop != nil
    }
    return changes + (others.filter(\.1).map(\.0) + moved).map { .setting($0) }
  }
}
