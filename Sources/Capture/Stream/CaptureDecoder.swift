public import Frames

/// Decodes what a device delivers coded: MJPEG, H.264, HEVC. `Capture` itself knows no codec.
///
/// One thread at a time uses a decoder.
public protocol CaptureDecoder: AnyObject, Sendable {
  /// Decodes the contents of one buffer.
  /// - Parameters:
  ///   - data: The bytes that the device has put into the buffer.
  ///   - time: When they were captured; the frames get it.
  /// - Returns: The frames that are complete, in presentation order; none while the stream has not reached a key frame. Damaged ones are
  ///   marked.
  /// - Throws: Only if nothing more can be decoded. Damaged data is not an error.
  func decode(_ data: RawSpan, at time: FrameTime) throws -> [CodedFrame]
}
