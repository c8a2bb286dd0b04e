public import Capture
public import Frames

/// Settings of a capture device; `ModeChoice` decides those that are nil.
public struct CaptureRequest: Sendable, Hashable, Codable {
  /// The pixel format.
  public var format: FourCC?
  /// Size of the picture in pixels.
  public var size: Size?
  /// Frames per second.
  public var rate: Rational?
  /// Number of the input, if a device has several; nil: the current one.
  public var channel: Int?
  /// Waits for a device that is unplugged; otherwise that is the end of the input.
  public var waits = false

  /// The widest mode that keeps the rate.
  public init() {}

  /// - Throws: `Refusal` for values out of range.
  func validate() throws(Refusal) {
    try rate?.checkFrameRate(.rate)
    if let channel, !(0...255).contains(channel) { throw .invalid(.outOfRange(.channel, "\(channel)", "0", "255")) }
  }

  /// The requested mode.
  var mode: ModeChoice.Request {
    var request = ModeChoice.Request()
    (request.format, request.size, request.rate) = (format, size, rate)
    return request
  }
}
