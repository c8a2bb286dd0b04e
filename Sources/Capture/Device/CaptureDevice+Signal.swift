internal import CV4L2
public import Frames
internal import Glibc

extension CaptureDevice {
  /// Returns the signal at the input; nil if the device has no digital video timings, for example a camera.
  /// - Throws: `CaptureError` if the device does not report it.
  public func signal() throws(CaptureError) -> CaptureSignal? { try queryTimings()?.signal }

  /// Sets the device to the timings of the signal. Must precede other settings: it resets size and colours.
  /// - Returns: The signal at the input; nil if the device has no digital video timings.
  /// - Throws: `CaptureError` if the device refuses.
  @discardableResult
  public func lockToSignal() throws(CaptureError) -> CaptureSignal? {
    guard var found = try queryTimings() else { return nil }
    if case .present = found.signal { try perform(DeviceRequests.setTimings, &found.timings.argument) }
    return found.signal
  }

  /// Source: Linux, Documentation/userspace-api/media/v4l/vidioc-query-dv-timings.rst, return values.
  private func queryTimings() throws(CaptureError) -> (signal: CaptureSignal, timings: DVTimings)? {
    var timings = DVTimings()
    let code = attempt(DeviceRequests.queryTimings, &timings.argument)
    return switch code {
    case 0: (timings.signal, timings)
    case ENOLINK: (.absent(.noSignal), timings)
    case ENOLCK: (.absent(.noLock), timings)
    case ERANGE: (.absent(.outOfRange), timings)
    // This input, or the whole device, has no timings.
    case ENOTTY, ENODATA, EINVAL: nil
    default: throw .failed(DeviceRequests.queryTimings.name, path, code)
    }
  }

  /// Maximum number of inputs to query: a faulty driver might never end its list.
  private static let mostInputs: UInt32 = 64

  /// The inputs in the order of their numbers.
  public var inputs: [CaptureInput] {
    let selected = selectedInput
    var inputs: [CaptureInput] = []
    for index in 0..<Self.mostInputs {
      var input = v4l2_input()
      input.index = index
      guard attempt(DeviceRequests.enumerateInputs, &input) == 0 else { break }
      inputs.append(
        CaptureInput(
          number: Int(index), name: text(of: input.name), isSelected: Int(index) == selected,
          hasTimings: input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0, loss: SignalLoss(status: input.status)))
    }
    return inputs
  }

  /// The number of the selected input; nil: the device has no inputs to choose from.
  var selectedInput: Int? {
    var number: Int32 = 0
    return attempt(DeviceRequests.getInput, &number) == 0 ? Int(number) : nil
  }

  /// Selects an input; mode and colours may change with it.
  /// - Parameter number: A number of `CaptureInput`.
  /// - Throws: `CaptureError` if the device does not have the input, or refuses.
  public func select(input number: Int) throws(CaptureError) {
    let inputs = inputs
    guard inputs.contains(where: { $0.number == number }), var index = Int32(exactly: number)
    else { throw .hasNoInput(path: path, asked: number, offered: inputs.map(\.name)) }
    try perform(DeviceRequests.setInput, &index)
  }
}

/// An input of a device.
public struct CaptureInput: Sendable, Hashable, Codable {
  /// The number for `CaptureDevice.select(input:)`.
  public let number: Int
  /// The driver's name, such as "HDMI 0".
  public let name: String
  /// Whether the device captures from it.
  public let isSelected: Bool
  /// Whether its signals have digital video timings.
  public let hasTimings: Bool
  /// The reason for a missing signal; nil: there is a signal, or the driver does not report it. Many report it for the
  /// selected input only.
  public let loss: SignalLoss?
}

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
    guard case .present(let size, let rate) = self, case .present(let otherSize, let otherRate) = other
    else { return self == other }
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

  /// - Parameter status: The status of a `v4l2_input`.
  init?(status: UInt32) {
    func has(_ flag: Int32) -> Bool { status & UInt32(bitPattern: flag) != 0 }
    if has(V4L2_IN_ST_NO_POWER) {
      self = .noPower
    } else if has(V4L2_IN_ST_NO_SIGNAL) {
      self = .noSignal
    } else if has(V4L2_IN_ST_NO_H_LOCK) || has(V4L2_IN_ST_NO_SYNC) || has(V4L2_IN_ST_NO_V_LOCK) {
      self = .noLock
    } else {
      return nil
    }
  }
}

/// The digital video timings of a signal. Source: Linux, Documentation/userspace-api/media/v4l/vidioc-g-dv-timings.rst.
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
