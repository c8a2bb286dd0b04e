internal import CV4L2

/// The flash of a device, as far as programs can control it.
///
/// Source: Linux, Documentation/userspace-api/media/v4l/ext-ctrls-flash.rst.
public struct FlashControl: Sendable, Hashable, Codable {
  /// How the flash lights whole frames.
  public enum Light: String, Sendable, Hashable, Codable {
    /// Stays on until it is switched off.
    case torch
    /// Strobed by the program; ends after the flash's maximum duration.
    case strobe
  }

  /// The kind of light.
  public let light: Light
  /// Range of intensities, in the driver's unit; nil: the intensity is fixed.
  public let intensities: ClosedRange<Int64>?

  /// - Returns: nil if programs cannot control the flash.
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
  /// The flash; nil if the device has none that programs can control.
  public var flash: FlashControl? { FlashControl(controls) }
}

extension ControlHold {
  /// Switches the flash on.
  /// - Parameters:
  ///   - flash: The flash of the device.
  ///   - level: From 0, the minimum intensity, to 1, the maximum; ignored if the intensity is fixed.
  /// - Throws: `CaptureError` if the device refuses; the flash is then off.
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

  /// Switches the flash off, even if it was on before.
  /// - Throws: `CaptureError` if the device refuses.
  public func switchOff(_ flash: FlashControl) throws(CaptureError) {
    if flash.light == .strobe, device.control(numbered: UInt32(V4L2_CID_FLASH_STROBE_STOP)) != nil {
      // Stopping a strobe that has ended fails.
      _ = device.attempt(UInt32(V4L2_CID_FLASH_STROBE_STOP), 1)
    }
    try set(UInt32(V4L2_CID_FLASH_LED_MODE), to: Int64(V4L2_FLASH_LED_MODE_NONE.rawValue))
  }
}
