public import Frames

/// Everything that a device offers, for a listing.
public struct CaptureDeviceReport: Sendable, Hashable, Codable {
  /// A pixel format of a device.
  public struct Format: Sendable, Hashable, Codable {
    /// The driver's name for it.
    public let code: FourCC
    /// What the driver calls it, in words.
    public let name: String
    /// Whether frames of it can be read or decoded.
    public let isReadable: Bool
    /// Its sizes; of a range the smallest, the largest and the common ones between.
    public let sizes: [Extent]
  }

  /// A size of a format.
  public struct Extent: Sendable, Hashable, Codable {
    /// Pixels of the picture.
    public let size: Size
    /// Frames per second, as the driver lists them; of a range the highest and the lowest. Empty: the driver does not say.
    public let rates: [Rational]
  }

  /// Its path, such as "/dev/video0".
  public let path: String
  /// What the driver calls it.
  public let name: String
  /// The name of the driver.
  public let driver: String
  /// Where it is plugged in, such as "usb-0000:00:14.0-1".
  public let bus: String
  /// Its formats, as the driver lists them.
  public let formats: [Format]
  /// Its inputs.
  public let inputs: [CaptureInput]
  /// Its controls.
  public let controls: [CaptureControl]
  /// What is at the selected input; nil if the device has no digital video timings, or does not say.
  public let signal: CaptureSignal?
}

extension CaptureDevice {
  /// Sizes that are listed in all at most: a driver may have as many in every format.
  private static let mostSizes = 1024

  /// Everything that it offers. Nothing is set.
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
