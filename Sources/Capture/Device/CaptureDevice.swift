internal import CV4L2

/// A V4L2 device that captures video.
///
/// Source: Linux, Documentation/userspace-api/media/v4l.
public final class CaptureDevice: Sendable {
  /// The path, such as "/dev/video0".
  public let path: String
  /// The driver's name for the device.
  public let name: String
  /// The name of the driver.
  public let driver: String
  /// The bus address, such as "usb-0000:00:14.0-1".
  public let bus: String
  let file: any DeviceFile
  let isMultiplanar: Bool

  /// Opens a device.
  /// - Throws: `CaptureError` if the file is not a V4L2 device, or captures no video.
  public convenience init(_ path: String) throws(CaptureError) { try self.init(KernelDevice(path), path: path) }

  /// - Parameter file: The file that handles requests.
  package init(_ file: any DeviceFile, path: String) throws(CaptureError) {
    (self.file, self.path) = (file, path)
    var capability = v4l2_capability()
    let code = Self.request(file, DeviceRequests.queryCapabilities, &capability)
    // Anything but a V4L2 device returns an error here.
    if code != 0 { throw .cannotOpen(path: path, code: code) }
    name = text(of: capability.card)
    driver = text(of: capability.driver)
    bus = text(of: capability.bus_info)
    let own = UInt32(V4L2_CAP_DEVICE_CAPS)
    let can = capability.capabilities & own != 0 ? capability.device_caps : capability.capabilities
    isMultiplanar = can & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
    let captures = can & UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
    guard captures, can & UInt32(V4L2_CAP_STREAMING) != 0 else { throw .isNoCaptureDevice(path: path, name: name) }
  }

  var bufferType: UInt32 {
    isMultiplanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  }

  static func request<Argument>(
    _ file: any DeviceFile, _ request: DeviceRequest<Argument>, _ argument: inout Argument
  ) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &argument) { unsafe file.request(request.code, $0) }
  }

  /// Makes a request.
  /// - Returns: 0, or an `errno` value.
  func attempt<Argument>(_ request: DeviceRequest<Argument>, _ argument: inout Argument) -> Int32 {
    Self.request(file, request, &argument)
  }

  /// Makes a request that must succeed.
  func perform<Argument>(
    _ request: DeviceRequest<Argument>, _ argument: inout Argument
  ) throws(CaptureError) {
    let code = attempt(request, &argument)
    if code != 0 { throw .failed(request.name, path, code) }
  }
}

/// Returns the characters up to a zero; replaces invalid UTF-8, and turns control characters into spaces.
func text<Characters>(of characters: Characters) -> String {
  var copy = characters
  let bytes = unsafe withUnsafeBytes(of: &copy) { unsafe Array($0.prefix { $0 != 0 }) }
  return String(decoding: bytes.map { $0 < 32 || $0 == 127 ? 32 : $0 }, as: UTF8.self)
}
