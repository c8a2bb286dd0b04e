public import Frames

/// A format of a device with a size and a rate.
public struct CaptureMode: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The pixel format.
  public var format: CaptureFormat
  /// Pixels of the picture.
  public var size: Size
  /// Frames per second; nil: the device does not say.
  public var rate: Rational?

  /// A mode of a device.
  public init(_ format: CaptureFormat, _ size: Size, rate: Rational?) {
    (self.format, self.size, self.rate) = (format, size, rate)
  }

  /// "P010 1920x1080 at 60".
  public var description: String {
    let rate = rate.map { " at \(($0.value * 1000).rounded() / 1000)" } ?? ""
    return "\(format.code.text) \(size.width)x\(size.height)\(rate)"
  }
}
