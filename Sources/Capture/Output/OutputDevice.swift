internal import CV4L2
public import Frames
internal import Glibc
public import Media
internal import Synchronization

/// A V4L2 device that takes video: a loopback device, whose other end programs capture from, or hardware.
///
/// Source: Linux, Documentation/userspace-api/media/v4l/dev-output.rst.
public final class OutputDevice: FrameSink {
  /// Its path, such as "/dev/video0".
  public var path: String { file.path }
  /// What the driver calls it.
  public let name: String
  private let file: OutputFile
  /// Frames go by `write`, and otherwise through buffers that are mapped.
  private let takesWrites: Bool
  private let canMap: Bool
  private let stream = Mutex<(any OutputStream)?>(nil)

  /// Whether a file is a V4L2 device that takes video. Files that are no devices are not opened.
  public static func isOutputDevice(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return false }
    return (try? OutputDevice(path)) != nil
  }

  /// Opens a device.
  /// - Throws: `CaptureError` if it is none, or takes no video.
  public convenience init(_ path: String) throws(CaptureError) { try self.init(path, isMapped: false) }

  /// Opens a device.
  /// - Parameter isMapped: Frames go through buffers that are mapped, even if the device takes `write`.
  package convenience init(_ path: String, isMapped: Bool) throws(CaptureError) {
    try self.init(
      OutputFile(path: path) { () throws(CaptureError) in try KernelDevice(path) }, isMapped: isMapped)
  }

  /// - Parameters:
  ///   - device: What answers its requests.
  ///   - isMapped: Frames go through buffers that are mapped, even if the device takes `write`.
  package convenience init(_ device: any DeviceFile, path: String, isMapped: Bool = false) throws(CaptureError) {
    try self.init(OutputFile(path: path) { device }, isMapped: isMapped)
  }

  private init(_ file: OutputFile, isMapped: Bool) throws(CaptureError) {
    self.file = file
    let path = file.path
    var capability = v4l2_capability()
    let code = file.attempt(DeviceRequests.queryCapabilities, &capability)
    // Anything but a V4L2 device answers so.
    if code != 0 { throw .cannotOpen(path: path, code: code) }
    name = text(of: capability.card)
    let own = UInt32(V4L2_CAP_DEVICE_CAPS)
    let can = capability.capabilities & own != 0 ? capability.device_caps : capability.capabilities
    takesWrites = !isMapped && can & UInt32(V4L2_CAP_READWRITE) != 0
    canMap = can & UInt32(V4L2_CAP_STREAMING) != 0
    guard can & UInt32(V4L2_CAP_VIDEO_OUTPUT) != 0, takesWrites || canMap else {
      throw .isNoOutputDevice(path: path, name: name)
    }
  }

  /// The layout that frames must have, which is planar; nil before it is set up.
  public var layout: PixelLayout? { stream.withLock { $0?.layout.format.planar } }

  /// Sets it up for frames; what was set up before has finished.
  /// - Parameters:
  ///   - size: Pixels of every frame.
  ///   - rate: Frames per second; nil, or if the device does not care: as they come.
  ///   - color: What readers are told of the frames.
  ///   - isTenBitPreferred: Takes ten bits if it can; otherwise only if it takes nothing else.
  /// - Returns: The layout that frames must have.
  /// - Throws: `CaptureError` if it takes no such frames.
  @discardableResult
  public func setUp(
    size: Size, rate: Rational?, color: ColorDescription, isTenBitPreferred: Bool = false
  ) throws(CaptureError) -> PixelLayout {
    finish()
    let offered = formats
    let fitting = OutputFormat.preferred(among: offered, isTenBitPreferred: isTenBitPreferred)
    var failure = CaptureError.hasNoOutputFormat(path: path, offered: offered)
    for (index, format) in fitting.enumerated() {
      do throws(CaptureError) {
        let layout = try set(format, size, color)
        setRate(rate)
        let new: any OutputStream = takesWrites ? WrittenStream(file, layout) : try MappedStream(file, layout)
        stream.withLock { $0 = new }
        return format.planar
      } catch {
        // What the preferred format has failed with says most.
        if index == 0 { failure = error }
      }
    }
    throw failure
  }

  public func write(_ frame: CodedFrame) throws {
    guard let stream = stream.withLock({ $0 }) else { throw CaptureError.takesNothing(path: path) }
    let layout = stream.layout
    guard frame.size == layout.size, frame.layout == layout.format.planar else {
      throw CaptureError.doesNotFit(
        path: path, frame: Self.words(frame.size, frame.layout), device: Self.words(layout.size, layout.format.planar))
    }
    do throws(CaptureError) {
      try stream.write(frame)
    } catch {
      // Drivers that offer `write` may refuse all that is written: vivid of Linux 6.1.
      guard canMap, case .requestFailed(_, _, EINVAL) = error, (stream as? WrittenStream)?.isEmpty == true else {
        throw error
      }
      try file.reopen()
      let mapped = try MappedStream(file, layout)
      self.stream.withLock { $0 = mapped }
      try mapped.write(frame)
    }
  }

  private static func words(_ size: Size, _ layout: PixelLayout) -> String {
    "\(size) \(layout.packing.rawValue) \(layout.components.rawValue) of \(layout.bitDepth) bits"
  }

  public func pass(_ data: any PassingData) {}

  public func interrupt() { file.interrupt() }

  /// Waits until the device has shown what it was given, and ends the stream. The device then takes nothing more.
  public func finish() {
    stream.withLock { stream in
      stream?.finish()
      stream = nil
    }
  }
}

// MARK: - Setting up

extension OutputDevice {
  /// A driver might never end its list.
  private static let mostFormats: UInt32 = 256

  /// What it takes.
  private var formats: [FourCC] {
    var codes: [FourCC] = []
    for index in 0..<Self.mostFormats {
      var description = v4l2_fmtdesc()
      (description.index, description.type) = (index, OutputFile.bufferType)
      guard file.attempt(DeviceRequests.enumerateFormats, &description) == 0 else { break }
      codes.append(FourCC(rawValue: description.pixelformat))
    }
    return codes
  }

  private func set(
    _ wanted: OutputFormat, _ size: Size, _ color: ColorDescription
  ) throws(CaptureError) -> OutputLayout {
    let colorimetry = V4L2Colorimetry(color)
    var pix = v4l2_pix_format()
    (pix.width, pix.height) = (UInt32(clamping: size.width), UInt32(clamping: size.height))
    (pix.pixelformat, pix.field) = (wanted.code.rawValue, V4L2_FIELD_NONE.rawValue)
    (pix.colorspace, pix.xfer_func) = (colorimetry.colorspace, colorimetry.transfer)
    (pix.ycbcr_enc, pix.quantization) = (colorimetry.encoding, colorimetry.quantization)
    // Without it the kernel clears all but the colorspace.
    pix.priv = UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
    var format = DeviceFormat(isMultiplanar: false)
    unsafe (format.argument.type, format.argument.fmt.pix) = (OutputFile.bufferType, pix)
    unsafe try file.perform(DeviceRequests.setFormat, &format.argument)
    guard format.code == wanted.code, format.size == size else {
      throw .doesNotFit(
        path: path, frame: "\(wanted.code.text) \(size)", device: "\(format.code.text) \(format.size)")
    }
    let plane = format.planes[0]
    guard let layout = OutputLayout(wanted, size: size, stride: plane.stride, length: plane.length) else {
      throw .isInconsistent(
        path: path,
        reason: "\(wanted.code.text) \(size) does not fit in \(plane.length) bytes in rows of \(plane.stride)")
    }
    return layout
  }

  /// Tells readers how many frames come; a device that does not care refuses.
  private func setRate(_ rate: Rational?) {
    guard let rate, let numerator = UInt32(exactly: rate.numerator), let denominator = UInt32(exactly: rate.denominator)
    else { return }
    var parameters = v4l2_streamparm()
    parameters.type = OutputFile.bufferType
    unsafe parameters.parm.output.timeperframe = v4l2_fract(numerator: denominator, denominator: numerator)
    _ = file.attempt(DeviceRequests.setParameters, &parameters)
  }
}
