public import Capture
public import Frames

/// How a capture device is set up; what is nil is left to the rule of `ModeChoice`.
public struct CaptureRequest: Sendable, Hashable, Codable {
  /// The pixel format.
  public var format: FourCC?
  /// Pixels of the picture.
  public var size: Size?
  /// Frames per second.
  public var rate: Rational?
  /// Number of the input, where a device has several; nil: the one that is chosen now.
  public var channel: Int?
  /// A device that is unplugged is waited for; otherwise that is the end of the input.
  public var waits = false

  /// The widest mode that keeps the rate.
  public init() {}

  /// - Throws: `Refusal` for values out of range.
  func validate() throws(Refusal) {
    try rate?.checkFrameRate(.rate)
    if let channel, !(0...255).contains(channel) { throw .invalid(.outOfRange(.channel, "\(channel)", "0", "255")) }
  }

  /// The mode that is asked for.
  var mode: ModeChoice.Request {
    var request = ModeChoice.Request()
    (request.format, request.size, request.rate) = (format, size, rate)
    return request
  }
}
