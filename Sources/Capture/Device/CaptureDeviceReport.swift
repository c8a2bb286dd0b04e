public import Frames

/// The capabilities of a device, for listings.
public struct CaptureDeviceReport: Sendable, Hashable, Codable {
  /// A pixel format of a device.
  public struct Format: Sendable, Hashable, Codable {
    /// The driver's code.
    public let code: FourCC
    /// The driver's description.
    public let name: String
    /// Whether frames of this format can be read or decoded.
    public let isReadable: Bool
    /// The sizes; for a range, its minimum and maximum, and the common sizes between.
    public let sizes: [Extent]
  }

  /// A size of a format.
  public struct Extent: Sendable, Hashable, Codable {
    /// Picture size in pixels.
    public let size: Size
    /// Frames per second in the driver's order; for a range, its maximum and minimum. Empty: not reported by the
    /// driver.
    public let rates: [Rational]
  }

  /// The path, such as "/dev/video0".
  public let path: String
  /// The driver's name for the device.
  public let name: String
  /// The name of the driver.
  public let driver: String
  /// The bus address, such as "usb-0000:00:14.0-1".
  public let bus: String
  /// The formats in the driver's order.
  public let formats: [Format]
  /// The inputs.
  public let inputs: [CaptureInput]
  /// The controls.
  public let controls: [CaptureControl]
  /// The signal at the selected input; nil if the device has no digital video timings, or does not report it.
  public let signal: CaptureSignal?
}

extension CaptureDevice {
  /// Maximum number of sizes to list in total: a driver may have this many in every format.
  private static let mostSizes = 1024

  /// The device's capabilities. Changes no settings.
  public var report: CaptureDeviceReport {
    var count = 0
    let formats = describedFormats.map { format in
      let sizes = sizes(of: format.code).prefix(Self.mostSizes - count)
      count += sizes.count
      return CaptureDeviceReport.Format(
        code: format.code, name: format.name, isReadable: CaptureFormat(format.code) != nil,
        sizes: sizes.map { CaptureDeviceReport.Extent(size: $0, rates: rates(of: format.code, $0)) })
    }
    return CaptureDeviceReport(
      path: path, name: name, driver: driver, bus: bus, formats: formats, inputs: inputs, controls: controls,
      signal: (try? signal()).flatMap(\.self))
  }
}
