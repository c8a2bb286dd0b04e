internal import CV4L2
public import Frames

/// The signal at an input.
public enum CaptureSignal: Sendable, Hashable, Codable {
  /// A signal of a size, and of a rate in frames per second if the device knows it.
  case present(size: Size, rate: Rational?)
  /// No signal that the device can capture.
  case absent(SignalLoss)

  /// Maximum variation of measured rates.
  private static let tolerance = 0.01

  /// Returns whether a stream that was set up for this signal can continue with another.
  func isSame(as other: CaptureSignal) -> Bool {
    guard case .present(let size, let rate) = self, case .present(let otherSize, let otherRate) = other else {
      return self == other
    }
    guard let rate, let otherRate else { return size == otherSize }
    return size == otherSize && abs(rate.value / otherRate.value - 1) < Self.tolerance
  }
}

/// The reason why an input has no usable signal.
public enum SignalLoss: String, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The connected source is off.
  case noPower
  /// Nothing is connected, or the source sends no signal.
  case noSignal
  /// The device cannot lock onto the signal.
  case noLock
  /// The signal's size or rate is beyond the limits of the device.
  case outOfRange

  /// The reason within a sentence, such as "no signal".
  public var description: String {
    switch self {
    case .noPower: "no power"
    case .noSignal: "no signal"
    case .noLock: "no lock on the signal"
    case .outOfRange: "a signal out of range"
    }
  }
}

/// The digital video timings of a signal.
///
/// Source: Linux, Documentation/userspace-api/media/v4l/vidioc-g-dv-timings.rst.
struct DVTimings {
  var argument = v4l2_dv_timings()

  /// Maximum samples per line, and lines per frame, of any standard; with more, products could overflow.
  private static let largestTotal = 1 << 20

  private var bt: v4l2_bt_timings { argument.bt }

  /// The signal that the timings describe. Zeros: no signal.
  var signal: CaptureSignal {
    let size = Size(width: Int(bt.width), height: Int(bt.height))
    if size.width == 0 || size.height == 0 { return .absent(.noSignal) }
    guard argument.type == UInt32(V4L2_DV_BT_656_1120), size.isPlausible else { return .absent(.outOfRange) }
    return .present(size: size, rate: rate)
  }

  private var rate: Rational? {
    func sum(_ numbers: UInt32...) -> Int { numbers.reduce(0) { $0 + Int($1) } }
    let width = sum(bt.width, bt.hfrontporch, bt.hsync, bt.hbackporch)
    let height = sum(
      bt.height, bt.vfrontporch, bt.vsync, bt.vbackporch, bt.il_vfrontporch, bt.il_vsync, bt.il_vbackporch)
    guard let clock = Int(exactly: bt.pixelclock), clock > 0, width <= Self.largestTotal, height <= Self.largestTotal
    else { return nil }
    return Rational(clock, width * height)
  }
}

extension Size {
  /// The maximum width and height that are credible.
  private static let largestExtent = 16_384

  /// Whether the size is credible.
  var isPlausible: Bool { (1...Self.largestExtent).contains(width) && (1...Self.largestExtent).contains(height) }
}
