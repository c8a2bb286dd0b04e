public import Frames

/// Decodes coded streams of devices: MJPEG, H.264, HEVC. `Capture` contains no codec.
///
/// Used by one thread at a time.
public protocol CaptureDecoder: AnyObject, Sendable {
  /// Decodes the contents of one buffer.
  /// - Parameters:
  ///   - data: The bytes of the buffer.
  ///   - time: The capture time, passed on to the frames.
  /// - Returns: The completed frames, in presentation order; none before the first key frame. Damaged ones are marked.
  /// - Throws: Only if nothing more can be decoded. Damaged data is not an error.
  func decode(_ data: RawSpan, at time: FrameTime) throws -> [CodedFrame]
}
