package import Frames
internal import Media
package import ToneMapping

/// Follows the tags of a stream, which may change between two frames.
package struct SourceFollower {
  /// Name of the input.
  package let name: String
  let input: InputRequest
  /// The size of the frames may change too.
  package var followsSize = false
  /// Tags of the latest frame, before overrides.
  private(set) var format: PixelFormat

  /// - Parameter first: Format of the first frame, before overrides.
  package init(_ name: String, _ input: InputRequest, first: PixelFormat) {
    (self.name, self.input, format) = (name, input, first)
  }

  /// Returns whether a frame's tags differ from the previous ones.
  /// - Throws: `Refusal` if its size differs and must not.
  package mutating func hasChanged(_ frame: CodedFrame) throws(Refusal) -> Bool {
    if frame.format == format { return false }
    guard followsSize || frame.size == format.size else { throw Self.refusal(frame) }
    format = frame.format
    return true
  }

  /// Returns the interpretation of a frame.
  package func source(_ frame: CodedFrame, use: ShotTracker.Use?, measured: MeasuredLight? = nil) throws(Refusal)
    -> SourcePlan
  {
    try SourcePlan(
      frame: frame, name: name, overrides: input.overrides, isStrict: input.isStrict, use: use, measured: measured)
  }

  /// Reports that the stream has changed to a source and a frame size.
  package static func report(_ source: SourcePlan, _ size: Size, _ session: Session) {
    session.warn("video-changes", "The video changes mid-stream: now \(source.color.words), \(size).")
    session.warn(source.warnings)
  }

  /// Returns why the stream cannot be followed to a frame that differs from the previous ones.
  static func refusal(_ frame: CodedFrame) -> Refusal {
    .failed(
      "video-changes-too-much",
      "The video changes mid-stream, to \(frame.color.words), \(frame.size): process the parts separately, with "
        + "\(.frames) or \(.start) and \(.duration).")
  }
}
