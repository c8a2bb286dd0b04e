internal import CV4L2
internal import ColorScience
internal import Frames
internal import Glibc
internal import Media

/// A V4L2 device that captures video.
///
/// Source: Linux, Documentation/userspace-api/media/v4l.
public final class CaptureDevice: Sendable {
  /// Its path, such as "/dev/video0".
  public let path: String
  /// What the driver calls it.
  public let name: String
  /// Where it is plugged in, such as "usb-0000:00:14.0-1".
  public let bus: String
  let file: any DeviceFile
  let isMultiplanar: Bool

  /// Opens a device.
  /// - Throws: `CaptureError` if it is none, or captures no video.
  public convenience init(_ path: String) throws(CaptureError) { try self.init(KernelDevice(path), path: path) }

  /// - Parameter file: What answers its requests.
  package init(_ file: any DeviceFile, path: String) throws(CaptureError) {
    (self.file, self.path) = (file, path)
    var capability = v4l2_capability()
    let code = Self.request(file, DeviceRequests.queryCapabilities, &capability)
    // Anything but a V4L2 device answers so.
    if code != 0 { throw .cannotOpen(path: path, code: code) }
    name = text(of: capability.card)
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
  /// - Returns: 0, or a value of `errno`.
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

/// Characters up to a zero; what is no UTF-8 is replaced, and control characters become spaces.
func text<Characters>(of characters: Characters) -> String {
  var copy = characters
  let bytes = unsafe withUnsafeBytes(of: &copy) { unsafe Array($0.prefix { $0 != 0 }) }
  return String(decoding: bytes.map { $0 < 32 || $0 == 127 ? 32 : $0 }, as: UTF8.self)
}

// MARK: - What it offers

extension CaptureDevice {
  /// Formats, sizes and rates that are asked for at most: a driver might never end its list.
  private static let most: UInt32 = 256

  /// The codes of all its formats, also of those that cannot be read.
  public var formats: [FourCC] {
    var codes: [FourCC] = []
    for index in 0..<Self.most {
      var description = v4l2_fmtdesc()
      (description.index, description.type) = (index, bufferType)
      guard attempt(DeviceRequests.enumerateFormats, &description) == 0 else { break }
      let code = FourCC(rawValue: description.pixelformat)
      if !codes.contains(code) { codes.append(code) }
    }
    return codes
  }

  /// The modes that can be read. Of a range of sizes it has the smallest, the largest and the common ones between.
  public var modes: [CaptureMode] {
    formats.compactMap(CaptureFormat.init).flatMap { format in
      sizes(of: format).flatMap { size in
        let rates = rates(of: format, size)
        return rates.isEmpty
          ? [CaptureMode(format, size, rate: nil)] : rates.map { CaptureMode(format, size, rate: $0) }
      }
    }
  }

  private static let common = [
    (640, 480), (1280, 720), (1920, 1080), (2560, 1440), (3840, 2160), (4096, 2160),
  ].map { Size(width: $0.0, height: $0.1) }

  private func sizes(of format: CaptureFormat) -> [Size] {
    var sizes: [Size] = []
    for index in 0..<Self.most {
      var size = v4l2_frmsizeenum()
      (size.index, size.pixel_format) = (index, format.code.rawValue)
      guard attempt(DeviceRequests.enumerateSizes, &size) == 0 else { break }
      if size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
        sizes.append(Size(width: Int(size.discrete.width), height: Int(size.discrete.height)))
        continue
      }
      let range = size.stepwise
      let (least, most) = (
        Size(width: Int(range.min_width), height: Int(range.min_height)),
        Size(width: Int(range.max_width), height: Int(range.max_height))
      )
      let between = Self.common.filter { common in
        Self.isStep(common.width, least.width, most.width, Int(range.step_width))
          && Self.isStep(common.height, least.height, most.height, Int(range.step_height))
      }
      sizes += [least] + between.filter { $0 != least && $0 != most } + (most == least ? [] : [most])
      break
    }
    return sizes.filter { (1...Size.largestExtent).contains($0.width) && (1...Size.largestExtent).contains($0.height) }
  }

  private static func isStep(_ value: Int, _ least: Int, _ most: Int, _ step: Int) -> Bool {
    value >= least && value <= most && (value - least) % max(step, 1) == 0
  }

  private func rates(of format: CaptureFormat, _ size: Size) -> [Rational] {
    var rates: [Rational] = []
    for index in 0..<Self.most {
      var interval = v4l2_frmivalenum()
      (interval.index, interval.pixel_format) = (index, format.code.rawValue)
      (interval.width, interval.height) = (UInt32(size.width), UInt32(size.height))
      guard attempt(DeviceRequests.enumerateIntervals, &interval) == 0 else { break }
      let isDiscrete = interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      // Of a range the shortest interval and the longest.
      let all = isDiscrete ? [interval.discrete] : [interval.stepwise.min, interval.stepwise.max]
      for rate in all.compactMap(\.rate) where !rates.contains(rate) { rates.append(rate) }
      if !isDiscrete { break }
    }
    return rates
  }
}

extension Size {
  /// A driver that says more is mistaken.
  fileprivate static let largestExtent = 16_384
}

extension v4l2_fract {
  /// Frames per second of an interval; nil for one that is none.
  var rate: Rational? {
    guard numerator > 0, denominator > 0 else { return nil }
    return Rational(Int(denominator), Int(numerator))
  }
}
