internal import CV4L2
internal import ColorScience
public import Frames

/// What a device has been set up to deliver.
public struct CaptureSetup: Sendable, Hashable {
  /// The mode; its rate is what the driver says that it is.
  public let mode: CaptureMode
  /// What the driver says of the samples.
  public let color: ColorDescription
  /// Fields that alternate are frames of half the height.
  public let fieldOrder: FieldOrder?
  /// Bytes from row to row, where the driver says, and bytes in all of each buffer plane.
  let planes: [Plane]

  struct Plane: Sendable, Hashable {
    let stride: Int
    let length: Int
  }
}

extension CaptureDevice {
  /// The size that it is set to now.
  var currentSize: Size? {
    var format = DeviceFormat(isMultiplanar: isMultiplanar)
    return unsafe attempt(DeviceRequests.getFormat, &format.argument) == 0 ? format.size : nil
  }

  /// The mode for a request.
  /// - Throws: `CaptureError` if it has none.
  public func choose(_ request: ModeChoice.Request = .init()) throws(CaptureError) -> ModeChoice {
    let modes = modes
    if modes.isEmpty { throw .hasNoFormat(path: path, offered: formats) }
    let current = currentSize ?? modes[0].size
    guard let choice = ModeChoice(request, among: modes, current: current, gamut: primaries) else {
      throw .hasNoMode(path: path, asked: request.text, offered: modes)
    }
    return choice
  }

  /// The primaries that the driver states for a mode, without setting it.
  private func primaries(_ mode: CaptureMode) -> ColorPrimaries {
    var format = DeviceFormat(mode, isMultiplanar: isMultiplanar)
    guard unsafe attempt(DeviceRequests.tryFormat, &format.argument) == 0 else { return .unspecified }
    return format.colorimetry.color(isRGB: mode.format.isRGB).primaries
  }

  /// Sets the device to a mode.
  /// - Throws: `CaptureError` if it refuses, or has set up something else.
  public func setUp(_ mode: CaptureMode) throws(CaptureError) -> CaptureSetup {
    var format = DeviceFormat(mode, isMultiplanar: isMultiplanar)
    unsafe try perform(DeviceRequests.setFormat, &format.argument)
    // Drivers may set something else without an error.
    guard format.code == mode.format.code, format.size == mode.size else {
      throw .isInconsistent(
        path: path,
        reason: "it was set to \(mode), and is at \(format.code.text) \(format.size.width)x\(format.size.height)")
    }
    guard format.planeCount == (mode.format.hasSeparatePlanes ? 2 : 1) else {
      throw .isInconsistent(path: path, reason: "\(format.code.text) has \(format.planeCount) planes")
    }
    return CaptureSetup(
      mode: CaptureMode(mode.format, mode.size, rate: setRate(mode.rate) ?? mode.rate),
      color: format.colorimetry.color(isRGB: mode.format.isRGB), fieldOrder: try order(of: format.field),
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

  /// - Returns: What the driver then says; nil if it says nothing.
  private func setRate(_ rate: Rational?) -> Rational? {
    var parameters = v4l2_streamparm()
    parameters.type = bufferType
    guard attempt(DeviceRequests.getParameters, &parameters) == 0 else { return nil }
    let isSettable = unsafe parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    if let rate, isSettable {
      unsafe parameters.parm.capture.timeperframe = v4l2_fract(
        numerator: UInt32(rate.denominator), denominator: UInt32(rate.numerator))
      guard attempt(DeviceRequests.setParameters, &parameters) == 0 else { return nil }
    }
    return unsafe parameters.parm.capture.timeperframe.rate
  }
}

// MARK: - HDR10 metadata

extension CaptureDevice {
  /// What the source says of its light, as the driver passes it on; nothing where it does not.
  public var metadata: HDRMetadata {
    HDRMetadata(masteringDisplay: masteringDisplay, contentLight: contentLight)
  }

  private var contentLight: ContentLight? {
    guard let info = control(UInt32(V4L2_CID_COLORIMETRY_HDR10_CLL_INFO), v4l2_ctrl_hdr10_cll_info()) else {
      return nil
    }
    let light = ContentLight(maxCLL: info.max_content_light_level, maxFALL: info.max_pic_average_light_level)
    return light.maxCLL == 0 && light.maxFALL == 0 ? nil : light
  }

  /// Source: Linux, Documentation/userspace-api/media/v4l/ext-ctrls-colorimetry.rst: the primaries are green, blue and red.
  private var masteringDisplay: MasteringDisplay? {
    let id = UInt32(V4L2_CID_COLORIMETRY_HDR10_MASTERING_DISPLAY)
    guard let info = control(id, v4l2_ctrl_hdr10_mastering_display()), info.max_display_mastering_luminance > 0 else {
      return nil
    }
    let (x, y) = (info.display_primaries_x, info.display_primaries_y)
    return MasteringDisplay(
      red: .init(x: x.2, y: y.2), green: .init(x: x.0, y: y.0), blue: .init(x: x.1, y: y.1),
      white: .init(x: info.white_point_x, y: info.white_point_y), maxLuminance: info.max_display_mastering_luminance,
      minLuminance: info.min_display_mastering_luminance)
  }

  /// The value of a compound control; nil if the device has none.
  private func control<Value>(_ id: UInt32, _ initial: Value) -> Value? {
    var value = initial
    var control = unsafe v4l2_ext_control()
    unsafe (control.id, control.size) = (id, UInt32(MemoryLayout<Value>.size))
    let code = unsafe withUnsafeMutablePointer(to: &value) { value in
      unsafe control.ptr = UnsafeMutableRawPointer(value)
      return unsafe withUnsafeMutablePointer(to: &control) { control in
        var controls = unsafe v4l2_ext_controls()
        unsafe (controls.count, controls.controls) = (1, control)
        return unsafe attempt(DeviceRequests.getControls, &controls)
      }
    }
    return code == 0 ? value : nil
  }
}
