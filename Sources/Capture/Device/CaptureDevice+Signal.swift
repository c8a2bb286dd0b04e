internal import CV4L2
internal import Glibc

extension CaptureDevice {
  /// What is at the input; nil if the device has no digital video timings, as cameras.
  /// - Throws: `CaptureError` if it does not say.
  public func signal() throws(CaptureError) -> CaptureSignal? { try queryTimings()?.signal }

  /// Sets the device to the timings of the signal. Other settings come afterwards: this resets size and colours.
  /// - Returns: What is at the input; nil if the device has no digital video timings.
  /// - Throws: `CaptureError` if it refuses.
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
    // Neither this input nor perhaps any other has them.
    case ENOTTY, ENODATA, EINVAL: nil
    default: throw .failed(DeviceRequests.queryTimings.name, path, code)
    }
  }
}

// MARK: - Inputs

/// An input of a device.
public struct CaptureInput: Sendable, Hashable, Codable {
  /// What `CaptureDevice.select(input:)` takes.
  public let number: Int
  /// What the driver calls it, such as "HDMI 0".
  public let name: String
  /// Whether the device captures from it.
  public let isSelected: Bool
  /// Whether its signals have digital video timings.
  public let hasTimings: Bool
  /// Why there is nothing to capture; nil: there is, or the driver does not know. Many know only of the selected input.
  public let loss: SignalLoss?
}

extension CaptureDevice {
  /// Inputs that are asked for at most: a driver might never end its list.
  private static let mostInputs: UInt32 = 64

  /// Its inputs, in the order of their numbers.
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

  /// The number of the input that it captures from; nil: it has none to choose from.
  var selectedInput: Int? {
    var number: Int32 = 0
    return attempt(DeviceRequests.getInput, &number) == 0 ? Int(number) : nil
  }

  /// Captures from another input from now on; mode and colours may be others there.
  /// - Parameter number: Of `CaptureInput`.
  /// - Throws: `CaptureError` if it has no such input, or refuses.
  public func select(input number: Int) throws(CaptureError) {
    let inputs = inputs
    guard inputs.contains(where: { $0.number == number }), var index = Int32(exactly: number) else {
      throw .hasNoInput(path: path, asked: number, offered: inputs.map(\.name))
    }
    try perform(DeviceRequests.setInput, &index)
  }
}

extension SignalLoss {
  /// - Parameter status: Of `v4l2_input`.
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
