internal import CV4L2

/// The flash of a device, as far as its driver lets programs use it.
///
/// Source: Linux, Documentation/userspace-api/media/v4l/ext-ctrls-flash.rst.
public struct FlashControl: Sendable, Hashable, Codable {
  /// How the flash gives light for as long as frames take.
  public enum Light: String, Sendable, Hashable, Codable {
    /// It is on until it is switched off.
    case torch
    /// It is strobed by the program, and ends by itself after the longest time that it has.
    case strobe
  }

  /// How it gives light.
  public let light: Light
  /// Intensities, in the driver's unit; nil: it has one.
  public let intensities: ClosedRange<Int64>?

  /// - Returns: nil if a program cannot give light with the device.
  init?(_ controls: [CaptureControl]) {
    func control(_ id: Int32) -> CaptureControl? { controls.first { $0.id == UInt32(id) } }
    guard let mode = control(V4L2_CID_FLASH_LED_MODE), mode.isSettable else { return nil }
    func has(_ value: v4l2_flash_led_mode) -> Bool {
      mode.items.isEmpty
        ? (mode.minimum...max(mode.minimum, mode.maximum)).contains(Int64(value.rawValue))
        : mode.items.contains { $0.value == Int64(value.rawValue) }
    }
    let strength: CaptureControl?
    if has(V4L2_FLASH_LED_MODE_TORCH) {
      (light, strength) = (.torch, control(V4L2_CID_FLASH_TORCH_INTENSITY))
    } else if has(V4L2_FLASH_LED_MODE_FLASH), control(V4L2_CID_FLASH_STROBE) != nil {
      (light, strength) = (.strobe, control(V4L2_CID_FLASH_INTENSITY))
    } else {
      return nil
    }
    intensities = strength.flatMap { $0.isSettable && $0.minimum < $0.maximum ? $0.minimum...$0.maximum : nil }
  }
}

extension CaptureDevice {
  /// Its flash; nil if it has none that a program can use.
  public var flash: FlashControl? { FlashControl(controls) }
}

extension ControlHold {
  /// Switches the flash on.
  /// - Parameters:
  ///   - flash: That of the device.
  ///   - level: From 0, the least intensity, to 1, the greatest; ignored where there is one only.
  /// - Throws: `CaptureError` if the device refuses, and then the flash is off.
  public func switchOn(_ flash: FlashControl, level: Double = 1) throws(CaptureError) {
    if let range = flash.intensities {
      let value =
        range.lowerBound + Int64((min(max(level, 0), 1) * Double(range.upperBound - range.lowerBound)).rounded())
      let id = flash.light == .torch ? V4L2_CID_FLASH_TORCH_INTENSITY : V4L2_CID_FLASH_INTENSITY
      try set(UInt32(id), to: value)
    }
    switch flash.light {
    case .torch: try set(UInt32(V4L2_CID_FLASH_LED_MODE), to: Int64(V4L2_FLASH_LED_MODE_TORCH.rawValue))
    case .strobe:
      let longest = device.control(numbered: UInt32(V4L2_CID_FLASH_TIMEOUT))?.maximum
      if let longest { try setIfPossible(UInt32(V4L2_CID_FLASH_TIMEOUT), to: longest) }
      try setIfPossible(
        UInt32(V4L2_CID_FLASH_STROBE_SOURCE), to: Int64(V4L2_FLASH_STROBE_SOURCE_SOFTWARE.rawValue))
      try set(UInt32(V4L2_CID_FLASH_LED_MODE), to: Int64(V4L2_FLASH_LED_MODE_FLASH.rawValue))
      do {
        try device.set(UInt32(V4L2_CID_FLASH_STROBE), to: 1)
      } catch {
        try? switchOff(flash)
        throw error
      }
    }
  }

  /// Switches the flash off, whatever it was before.
  /// - Throws: `CaptureError` if the device refuses.
  public func switchOff(_ flash: FlashControl) throws(CaptureError) {
    if flash.light == .strobe, device.control(numbered: UInt32(V4L2_CID_FLASH_STROBE_STOP)) != nil {
      // A strobe that has ended cannot be stopped.
      _ = device.attempt(UInt32(V4L2_CID_FLASH_STROBE_STOP), 1)
    }
    try set(UInt32(V4L2_CID_FLASH_LED_MODE), to: Int64(V4L2_FLASH_LED_MODE_NONE.rawValue))
  }
}
