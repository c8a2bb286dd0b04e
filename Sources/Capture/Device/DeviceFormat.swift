internal import CV4L2
internal import Frames

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
