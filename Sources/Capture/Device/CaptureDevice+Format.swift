internal import ColorScience
internal import CV4L2
public import Frames

/// The format, colours and signal that a device is set up for.
public struct CaptureSetup: Sendable, Hashable {
  /// The mode, with the rate that the driver reports.
  public internal(set) var mode: CaptureMode
  /// The driver's colour description. A coded stream may state another.
  public internal(set) var color: ColorDescription
  /// The field order; alternating fields are frames of half the height.
  public let fieldOrder: FieldOrder?
  /// The signal at the input; nil if the device has no digital video timings.
  public let signal: CaptureSignal?
  /// Stride, if the driver reports it, and size in bytes of each buffer plane.
  let planes: [Plane]

  /// Whether setup found no signal, if the device detects signals.
  var isWithoutSignal: Bool {
    if case .absent = signal { true } else { false }
  }

  struct Plane: Sendable, Hashable {
    let stride: Int
    let length: Int
  }
}

extension CaptureDevice {
  /// The current format.
  private var current: DeviceFormat? {
    var format = DeviceFormat(isMultiplanar: isMultiplanar)
    return unsafe attempt(DeviceRequests.getFormat, &format.argument) == 0 ? format : nil
  }

  /// Returns the mode for a request, at the device's current timings.
  /// - Parameters:
  ///   - request: The requested values.
  ///   - isDecoding: Whether coded formats are allowed.
  /// - Throws: `CaptureError` if no mode matches.
  public func choose(
    _ request: ModeChoice.Request = .init(), isDecoding: Bool = true
  ) throws(CaptureError) -> ModeChoice {
    let current = current
    let modes = modes(with: [current?.size, request.size].compactMap(\.self))
      .filter { isDecoding || $0.format.coding == nil }
    if modes.isEmpty { throw .hasNoFormat(path: path, offered: formats) }
    func choice(_ request: ModeChoice.Request) -> ModeChoice? {
      ModeChoice(request, among: modes, current: current?.size ?? modes[0].size, gamut: primaries)
    }
    var kept = request
    if request.format == nil, let code = current?.code, hasRange(code), try signal() == nil { kept.format = code }
    var found = choice(kept)
    if kept != request, request == ModeChoice.Request() { found?.reason = .kept }
    guard let choice = found ?? choice(request)
    else { throw .hasNoMode(path: path, asked: request.text, offered: modes) }
    let mode = choice.mode
    if mode.byteCount > CaptureMode.maximumBytes {
      throw .isTooLarge(path: path, mode: mode, bytes: mode.byteCount, maximum: CaptureMode.maximumBytes)
    }
    return choice
  }

  /// Returns the primaries that the driver states for a mode, without setting it.
  private func primaries(_ mode: CaptureMode) -> ColorPrimaries {
    var format = DeviceFormat(mode, isMultiplanar: isMultiplanar)
    guard unsafe attempt(DeviceRequests.tryFormat, &format.argument) == 0 else { return .unspecified }
    return format.colorimetry.color(isRGB: mode.format.isRGB).primaries
  }

  /// Sets the device to its signal, and to the mode that fits a request.
  ///
  /// If no mode of this signal fits, drops the requested size first, then the rate: both follow the signal.
  /// - Throws: `CaptureError` if the device refuses, or does not have the format.
  func followSignal(_ request: ModeChoice.Request, isDecoding: Bool) throws(CaptureError) -> CaptureSetup {
    try lockToSignal()
    var request = request
    while true {
      do throws(CaptureError) {
        return try setUp(choose(request, isDecoding: isDecoding).mode)
      } catch {
        guard case .hasNoMode = error, request.size != nil || request.rate != nil else { throw error }
        if request.size != nil { request.size = nil } else { request.rate = nil }
      }
    }
  }

  /// Sets the device to the timings of its signal, then to a mode.
  /// - Throws: `CaptureError` if the device refuses, or has set something else.
  public func setUp(_ mode: CaptureMode) throws(CaptureError) -> CaptureSetup {
    var setup = unsafe try setup(mode, lockToSignal(), by: DeviceRequests.setFormat)
    setup.mode.rate = setRate(mode.rate) ?? mode.rate
    return setup
  }

  /// Returns the setup that `setUp` would give, without changing the device.
  /// - Throws: `CaptureError` if the device would refuse, or set something else.
  public func tryOut(_ mode: CaptureMode) throws(CaptureError) -> CaptureSetup {
    unsafe try setup(mode, signal(), by: DeviceRequests.tryFormat)
  }

  private func setup(
    _ mode: CaptureMode, _ signal: CaptureSignal?, by request: DeviceRequest<v4l2_format>
  ) throws(CaptureError) -> CaptureSetup {
    var format = DeviceFormat(mode, isMultiplanar: isMultiplanar)
    unsafe try perform(request, &format.argument)
    // Drivers may set something else without reporting an error.
    guard format.code == mode.format.code, format.size == mode.size else {
      throw .isInconsistent(
        path: path,
        reason: "it was set to \(mode), and is at \(format.code.text) \(format.size.width)x\(format.size.height)")
    }
    guard format.planeCount == (mode.format.hasSeparatePlanes ? 2 : 1)
    else { throw .isInconsistent(path: path, reason: "\(format.code.text) has \(format.planeCount) planes") }
    return CaptureSetup(
      mode: mode, color: format.colorimetry.color(isRGB: mode.format.isRGB), fieldOrder: try order(of: format.field),
      signal: signal,
      planes: format.planes.map { CaptureSetup.Plane(stride: $0.stride, length: $0.length) })
  }

  private func order(of field: UInt32) throws(CaptureError) -> FieldOrder? {
    switch field {
    case V4L2_FIELD_INTERLACED.rawValue, V4L2_FIELD_INTERLACED_TB.rawValue: .topFirst
    case V4L2_FIELD_INTERLACED_BT.rawValue: .bottomFirst
    case V4L2_FIELD_NONE.rawValue, V4L2_FIELD_ANY.rawValue: nil
    default:
      throw .isInconsistent(path: path, reason: "its fields are apart (V4L2_FIELD \(field)), which cannot be read")
    }
  }

  /// Returns the driver's colour description for the current mode; nil if the driver reports none.
  func color(of mode: CaptureMode) -> ColorDescription? {
    var format = DeviceFormat(isMultiplanar: isMultiplanar)
    guard unsafe attempt(DeviceRequests.getFormat, &format.argument) == 0, format.code == mode.format.code
    else { return nil }
    return format.colorimetry.color(isRGB: mode.format.isRGB)
  }

  /// Sets the frame rate while the device is not streaming. The device may choose a nearby rate.
  /// - Returns: The rate that the driver then reports; nil if it reports none.
  func setRate(_ rate: Rational?) -> Rational? {
    var parameters = v4l2_streamparm()
    parameters.type = bufferType
    guard attempt(DeviceRequests.getParameters, &parameters) == 0 else { return nil }
    let isSettable = unsafe parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    if let interval = rate.flatMap(v4l2_fract.init(rate:)), isSettable {
      unsafe parameters.parm.capture.timeperframe = interval
      guard attempt(DeviceRequests.setParameters, &parameters) == 0 else { return nil }
    }
    return unsafe parameters.parm.capture.timeperframe.rate
  }
}

/// The argument of a format request, single-planar or multi-planar.
@safe
struct DeviceFormat {
  // @safe: only numbers are read, not the pointers of the union's other members.
  var argument = unsafe v4l2_format()
  private let isMultiplanar: Bool

  init(isMultiplanar: Bool) {
    self.isMultiplanar = isMultiplanar
    unsafe argument.type =
      isMultiplanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  }

  init(_ mode: CaptureMode, isMultiplanar: Bool) {
    self.init(isMultiplanar: isMultiplanar)
    let (width, height) = (UInt32(mode.size.width), UInt32(mode.size.height))
    if isMultiplanar {
      unsafe (argument.fmt.pix_mp.width, argument.fmt.pix_mp.height) = (width, height)
      unsafe argument.fmt.pix_mp.pixelformat = mode.format.code.rawValue
      unsafe argument.fmt.pix_mp.field = V4L2_FIELD_ANY.rawValue
    } else {
      unsafe (argument.fmt.pix.width, argument.fmt.pix.height) = (width, height)
      unsafe argument.fmt.pix.pixelformat = mode.format.code.rawValue
      unsafe argument.fmt.pix.field = V4L2_FIELD_ANY.rawValue
    }
  }

  private var single: v4l2_pix_format { unsafe argument.fmt.pix }
  private var multi: v4l2_pix_format_mplane { unsafe argument.fmt.pix_mp }

  var code: FourCC { FourCC(rawValue: isMultiplanar ? multi.pixelformat : single.pixelformat) }

  var size: Size {
    isMultiplanar
      ? Size(width: Int(multi.width), height: Int(multi.height))
      : Size(width: Int(single.width), height: Int(single.height))
  }

  /// A value of `v4l2_field`.
  var field: UInt32 { isMultiplanar ? multi.field : single.field }

  var colorimetry: V4L2Colorimetry {
    isMultiplanar
      ? V4L2Colorimetry(
        colorspace: multi.colorspace, transfer: UInt32(multi.xfer_func), encoding: UInt32(multi.ycbcr_enc),
        quantization: UInt32(multi.quantization))
      : V4L2Colorimetry(
        colorspace: single.colorspace, transfer: single.xfer_func, encoding: single.ycbcr_enc,
        quantization: single.quantization)
  }

  /// Stride and size in bytes of each buffer plane, at most the first two.
  var planes: [(stride: Int, length: Int)] {
    guard isMultiplanar else { return [(Int(single.bytesperline), Int(single.sizeimage))] }
    let planes = multi.plane_fmt
    return [planes.0, planes.1].prefix(Int(multi.num_planes)).map { (Int($0.bytesperline), Int($0.sizeimage)) }
  }

  var planeCount: Int { isMultiplanar ? Int(multi.num_planes) : 1 }
}
