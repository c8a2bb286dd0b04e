internal import CV4L2
internal import Files
public import Frames

/// A V4L2 device that captures video.
///
/// Source: Linux, Documentation/userspace-api/media/v4l.
public final class CaptureDevice: Sendable, OpenDevice {
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

  package init(_ file: any DeviceFile, path: String) throws(CaptureError) {
    (self.file, self.path) = (file, path)
    let (capability, can) = try file.capabilities(path)
    name = text(of: capability.card)
    driver = text(of: capability.driver)
    bus = text(of: capability.bus_info)
    isMultiplanar = can & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
    let captures = can & UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
    guard captures, can & UInt32(V4L2_CAP_STREAMING) != 0 else { throw .isNoCaptureDevice(path: path, name: name) }
  }

  var bufferType: UInt32 {
    isMultiplanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  }

  /// The kernel's device folder.
  public static let defaultFolder = "/dev"

  /// Returns the video devices in a folder, in the order of their numbers; some may not capture, or be busy.
  public static func paths(in folder: String = defaultFolder) -> [String] {
    let numbers = (FileLocation.names(in: folder) ?? []).compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
    }
    return numbers.sorted().map { "\(folder)/video\($0)" }
  }

  /// Maximum number of events to take at a time: a driver might report them faster than they are taken.
  private static let mostEvents = 64

  /// Subscribes to changes at the selected input. A device without events refuses and is polled instead. Source: Linux,
  /// Documentation/userspace-api/media/v4l/vidioc-dqevent.rst: the ID of a source change is the input number.
  func subscribeToChanges() {
    let input = selectedInput.flatMap { UInt32(exactly: $0) } ?? 0
    let changes = [
      (V4L2_EVENT_SOURCE_CHANGE, input), (V4L2_EVENT_CTRL, Self.contentLightID),
      (V4L2_EVENT_CTRL, Self.masteringDisplayID),
    ]
    for (type, id) in changes {
      var subscription = v4l2_event_subscription()
      (subscription.type, subscription.id) = (UInt32(type), id)
      _ = attempt(DeviceRequests.subscribeEvent, &subscription)
    }
  }

  /// Takes the pending events.
  func takeEvents() -> DeviceEvents {
    var events: DeviceEvents = []
    for _ in 0..<Self.mostEvents {
      var event = v4l2_event()
      guard attempt(DeviceRequests.dequeueEvent, &event) == 0 else { break }
      switch Int32(bitPattern: event.type) {
      case V4L2_EVENT_SOURCE_CHANGE: events.insert(.sourceChange)
      case V4L2_EVENT_CTRL: events.insert(.metadataChange)
      default: events.insert(.other)
      }
    }
    return events
  }

  /// Returns the description of a control; nil if the device does not have it, or it is disabled.
  func control(numbered id: UInt32) -> CaptureControl? { controls.first { $0.id == id } }

  /// Sets an integer control.
  /// - Throws: `CaptureError` if the device refuses, or does not have the control.
  func set(_ id: UInt32, to value: Int64) throws(CaptureError) {
    let code = attempt(id, value)
    if code != 0 { throw unsafe .failed(DeviceRequests.setControls.name, path, code) }
  }

  /// Sets an integer control.
  /// - Returns: 0, or an `errno` value.
  func attempt(_ id: UInt32, _ value: Int64) -> Int32 {
    var control = unsafe v4l2_ext_control()
    unsafe control.id = id
    if isLong(id) {
      unsafe control.value64 = value
    } else {
      unsafe control.value = Int32(clamping: value)
    }
    return unsafe withUnsafeMutablePointer(to: &control) { control in
      var controls = unsafe v4l2_ext_controls()
      unsafe (controls.count, controls.controls) = (1, control)
      return unsafe attempt(DeviceRequests.setControls, &controls)
    }
  }

  /// Returns the value of an integer control; nil if the device does not have it, or it cannot be read.
  func number(_ id: UInt32) -> Int64? { number(id, isLong: isLong(id)) }

  /// Whether a control has 64 bits.
  private func isLong(_ id: UInt32) -> Bool {
    var query = v4l2_query_ext_ctrl()
    query.id = id
    return attempt(DeviceRequests.queryControl, &query) == 0 && query.type == V4L2_CTRL_TYPE_INTEGER64.rawValue
  }

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

/// Returns the characters up to a zero; replaces invalid UTF-8, and turns control characters into spaces.
func text<Characters>(of characters: Characters) -> String {
  var copy = characters
  let bytes = unsafe withUnsafeBytes(of: &copy) { unsafe Array($0.prefix { $0 != 0 }) }
  return String(decoding: bytes.map { $0 < 32 || $0 == 127 ? 32 : $0 }, as: UTF8.self)
}

/// The events of a device since the last query.
struct DeviceEvents: OptionSet {
  let rawValue: Int

  /// The signal has changed, appeared or disappeared.
  static let sourceChange = DeviceEvents(rawValue: 1)
  /// The source's HDR metadata has changed.
  static let metadataChange = DeviceEvents(rawValue: 2)
  /// An event without a subscription.
  static let other = DeviceEvents(rawValue: 4)
}

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
