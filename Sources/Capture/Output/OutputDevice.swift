internal import CV4L2
public import Frames
internal import Glibc
public import Media
internal import Synchronization

/// A V4L2 device that accepts video: hardware, or a loopback device that programs capture from.
///
/// Source: Linux, Documentation/userspace-api/media/v4l/dev-output.rst.
public final class OutputDevice: FrameSink {
  /// The path, such as "/dev/video0".
  public var path: String { file.path }
  /// The driver's name for the device.
  public let name: String
  private let file: OutputFile
  /// Whether frames go through `write`; otherwise through mapped buffers.
  private let takesWrites: Bool
  private let canMap: Bool
  private let stream = Mutex<(any OutputStream)?>(nil)

  /// Opens a device.
  /// - Throws: `CaptureError` if the file is not a V4L2 device, or accepts no video.
  public convenience init(_ path: String) throws(CaptureError) { try self.init(path, isMapped: false) }

  /// Opens a device.
  /// - Parameter isMapped: Frames go through mapped buffers, even if the device supports `write`.
  package convenience init(_ path: String, isMapped: Bool) throws(CaptureError) {
    try self.init(
      OutputFile(path: path) { () throws(CaptureError) in try KernelDevice(path) }, isMapped: isMapped)
  }

  /// - Parameter isMapped: Frames go through mapped buffers, even if the device supports `write`.
  package convenience init(_ device: any DeviceFile, path: String, isMapped: Bool = false) throws(CaptureError) {
    try self.init(OutputFile(path: path) { device }, isMapped: isMapped)
  }

  private init(_ file: OutputFile, isMapped: Bool) throws(CaptureError) {
    self.file = file
    let (capability, can) = try file.file.capabilities(file.path)
    name = text(of: capability.card)
    takesWrites = !isMapped && can & UInt32(V4L2_CAP_READWRITE) != 0
    canMap = can & UInt32(V4L2_CAP_STREAMING) != 0
    guard can & UInt32(V4L2_CAP_VIDEO_OUTPUT) != 0, takesWrites || canMap
    else { throw .isNoOutputDevice(path: file.path, name: name) }
  }

  /// The required layout of frames, which is planar; nil before setup.
  public var layout: PixelLayout? { stream.withLock { $0?.layout.format.planar } }

  /// Sets the device up for frames; the previous stream must have finished.
  /// - Parameters:
  ///   - size: Frame size in pixels.
  ///   - rate: Frames per second; nil, or a device that ignores rates: frames are shown as they arrive.
  ///   - color: The colour description for readers.
  ///   - isTenBitPreferred: Uses ten bits if the device supports them; otherwise only if nothing else is supported.
  /// - Returns: The required layout of frames.
  /// - Throws: `CaptureError` if the device does not accept such frames.
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
        // The error of the preferred format is the most informative.
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
      // Drivers that offer `write` may refuse every write: vivid of Linux 6.1.
      guard canMap, case .requestFailed(_, _, EINVAL) = error, (stream as? WrittenStream)?.isEmpty == true
      else { throw error }
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

  /// Waits until the device has shown all frames, and ends the stream. The device then accepts no more frames.
  public func finish() {
    stream.withLock { stream in
      stream?.finish()
      stream = nil
    }
  }

  /// Maximum number of formats to query: a faulty driver might never end its list.
  private static let mostFormats: UInt32 = 256

  /// The formats that the device accepts.
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
    // Without it the kernel clears everything but the colorspace.
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

  /// Sets the frame rate for readers; a device that ignores rates refuses.
  private func setRate(_ rate: Rational?) {
    guard let rate, let numerator = UInt32(exactly: rate.numerator), let denominator = UInt32(exactly: rate.denominator)
    else { return }
    var parameters = v4l2_streamparm()
    parameters.type = OutputFile.bufferType
    unsafe parameters.parm.output.timeperframe = v4l2_fract(numerator: denominator, denominator: numerator)
    _ = file.attempt(DeviceRequests.setParameters, &parameters)
  }
}
