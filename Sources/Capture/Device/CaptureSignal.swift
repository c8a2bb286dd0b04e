internal import CV4L2
public import Frames

/// What a device finds at its input.
public enum CaptureSignal: Sendable, Hashable, Codable {
  /// A signal of a size, and of a rate in frames per second where the device knows it.
  case present(size: Size, rate: Rational?)
  /// None that it can capture.
  case absent(SignalLoss)

  /// Measured rates differ a little from time to time.
  private static let tolerance = 0.01

  /// Whether a stream that was set up for this signal can go on with another.
  func isSame(as other: CaptureSignal) -> Bool {
    guard case .present(let size, let rate) = self, case .present(let otherSize, let otherRate) = other else {
      return self == other
    }
    guard let rate, let otherRate else { return size == otherSize }
    return size == otherSize && abs(rate.value / otherRate.value - 1) < Self.tolerance
  }
}

/// Why there is nothing to capture at an input.
public enum SignalLoss: String, Sendable, Hashable, Codable, CustomStringConvertible {
  /// What is connected is off.
  case noPower
  /// Nothing is connected, or it sends nothing.
  case noSignal
  /// There is a signal that the device cannot synchronize with.
  case noLock
  /// The signal's size or rate is beyond what the device captures.
  case outOfRange

  /// "no signal", as a part of a sentence.
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

  /// Samples of a line, and lines of a frame, that any standard has at most; with more, products could overflow.
  private static let largestTotal = 1 << 20

  private var bt: v4l2_bt_timings { argument.bt }

  /// What the numbers say. Zeros: there is no signal.
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
  /// A driver that says more is mistaken.
  private static let largestExtent = 16_384

  /// Whether a device can mean it.
  var isPlausible: Bool { (1...Self.largestExtent).contains(width) && (1...Self.largestExtent).contains(height) }
}
