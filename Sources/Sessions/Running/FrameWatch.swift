internal import ColorScience
package import Frames
internal import Rendering
internal import ToneMapping

/// Detects properties of frames that the plan did not expect, once each: a single run and pieces report the same.
package struct FrameWatch {
  private let plan: TranscodePlan
  private var found: Set<Finding> = []

  private enum Finding { case fields, light, captions }

  package init(_ plan: TranscodePlan) { self.plan = plan }

  /// Returns warnings about a frame.
  package mutating func surprises(in frame: CodedFrame) -> [Message] {
    var warnings: [Message] = []
    if frame.fieldOrder != nil, plan.video.fieldOrder == nil, found.insert(.fields).inserted {
      warnings.append(
        Message(
          "becomes-interlaced",
          "The video becomes interlaced mid-stream, but the output was started as progressive."))
    }
    if isBrighter(frame.metadata), found.insert(.light).inserted {
      warnings.append(.metadataRises(seconds: frame.time.seconds))
    }
    if !frame.captions.isEmpty, found.insert(.captions).inserted, let lost = plan.lossOfCaptions,
      !plan.warnings.contains(lost)
    {
      warnings.append(lost)
    }
    return warnings
  }

  /// Returns whether a frame is brighter than the output's only mastering display and MaxCLL, as planned or derived.
  private func isBrighter(_ metadata: HDRMetadata) -> Bool {
    guard plan.target.color.transfer == .pq || plan.source.interpretation.metadata != nil else { return false }
    var stated = metadata
    // The user's value takes precedence.
    if plan.request.input.overrides.contentPeak != nil { stated.contentLight = nil }
    return plan.source.metadata.covering(stated) != plan.source.metadata
  }
}

extension Message {
  /// The input states more light than the plan expected.
  fileprivate static func metadataRises(seconds: Double) -> Message {
    Message(
      "metadata-rises",
      "The input's mastering display or MaxCLL rises, at the latest at \(seconds.words(decimals: 2)) s; the earlier "
        + "values are used throughout. To avoid that, split it with \(.start) and \(.duration).")
  }
}
