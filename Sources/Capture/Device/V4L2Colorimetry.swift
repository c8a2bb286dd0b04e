internal import ColorScience
internal import CV4L2
internal import Frames

/// A driver's colorimetry in terms of H.273.
///
/// "Default" values are resolved as the kernel's macros do. Source: Linux,
/// Documentation/userspace-api/media/v4l/colorspaces-defs.rst; videodev2.h, `V4L2_MAP_XFER_FUNC_DEFAULT`,
/// `V4L2_MAP_YCBCR_ENC_DEFAULT`, `V4L2_MAP_QUANTIZATION_DEFAULT`.
struct V4L2Colorimetry: Hashable {
  var colorspace: UInt32
  var transfer: UInt32
  var encoding: UInt32
  var quantization: UInt32

  /// - Parameter isRGB: Whether samples are R'G'B'.
  func color(isRGB: Bool) -> ColorDescription {
    ColorDescription(
      primaries: primaries, transfer: transferCharacteristics, matrix: isRGB ? .rgb : matrix, range: range(isRGB))
  }

  private var primaries: ColorPrimaries {
    switch colorspace {
    case V4L2_COLORSPACE_SMPTE170M.rawValue: .smpte170M
    case V4L2_COLORSPACE_SMPTE240M.rawValue: .smpte240M
    case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_SRGB.rawValue, V4L2_COLORSPACE_JPEG.rawValue: .bt709
    case V4L2_COLORSPACE_470_SYSTEM_M.rawValue: .bt470M
    case V4L2_COLORSPACE_470_SYSTEM_BG.rawValue: .bt470BG
    case V4L2_COLORSPACE_BT2020.rawValue: .bt2020
    case V4L2_COLORSPACE_DCI_P3.rawValue: .dciP3
    // Adobe RGB has no code point.
    default: .unspecified
    }
  }

  private var transferCharacteristics: TransferCharacteristics {
    switch transfer {
    case V4L2_XFER_FUNC_709.rawValue: .bt709
    case V4L2_XFER_FUNC_SRGB.rawValue: .sRGB
    case V4L2_XFER_FUNC_OPRGB.rawValue: .gamma22
    case V4L2_XFER_FUNC_SMPTE240M.rawValue: .smpte240M
    case V4L2_XFER_FUNC_NONE.rawValue: .linear
    case V4L2_XFER_FUNC_DCI_P3.rawValue: .smpteST428
    case V4L2_XFER_FUNC_SMPTE2084.rawValue: .pq
    default: defaultTransfer
    }
  }

  private var defaultTransfer: TransferCharacteristics {
    switch colorspace {
    case V4L2_COLORSPACE_DEFAULT.rawValue: .unspecified
    case V4L2_COLORSPACE_OPRGB.rawValue: .gamma22
    case V4L2_COLORSPACE_SMPTE240M.rawValue: .smpte240M
    case V4L2_COLORSPACE_DCI_P3.rawValue: .smpteST428
    case V4L2_COLORSPACE_RAW.rawValue: .linear
    case V4L2_COLORSPACE_SRGB.rawValue, V4L2_COLORSPACE_JPEG.rawValue: .sRGB
    default: .bt709
    }
  }

  private var matrix: MatrixCoefficients {
    switch encoding {
    case V4L2_YCBCR_ENC_601.rawValue, V4L2_YCBCR_ENC_XV601.rawValue: .smpte170M
    case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: .bt709
    case V4L2_YCBCR_ENC_BT2020.rawValue: .bt2020NCL
    case V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue: .bt2020CL
    case V4L2_YCBCR_ENC_SMPTE240M.rawValue: .smpte240M
    default: defaultMatrix
    }
  }

  private var defaultMatrix: MatrixCoefficients {
    switch colorspace {
    case V4L2_COLORSPACE_DEFAULT.rawValue: .unspecified
    case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_DCI_P3.rawValue: .bt709
    case V4L2_COLORSPACE_BT2020.rawValue: .bt2020NCL
    case V4L2_COLORSPACE_SMPTE240M.rawValue: .smpte240M
    default: .smpte170M
    }
  }

  private func range(_ isRGB: Bool) -> VideoRange {
    switch quantization {
    case V4L2_QUANTIZATION_FULL_RANGE.rawValue: .full
    case V4L2_QUANTIZATION_LIM_RANGE.rawValue: .narrow
    default: isRGB || colorspace == V4L2_COLORSPACE_JPEG.rawValue ? .full : .narrow
    }
  }
}

extension V4L2Colorimetry {
  /// The colorimetry of Y'CbCr frames; "default" where V4L2 has no name for a value, such as HLG.
  init(_ color: ColorDescription) {
    self.init(
      colorspace: Self.colorspace(color.primaries), transfer: Self.transfer(color.transfer),
      encoding: Self.encoding(color.matrix),
      quantization: color.range == .full
        ? V4L2_QUANTIZATION_FULL_RANGE.rawValue : V4L2_QUANTIZATION_LIM_RANGE.rawValue)
  }

  private static func colorspace(_ primaries: ColorPrimaries) -> UInt32 {
    switch primaries {
    case .bt709: V4L2_COLORSPACE_REC709.rawValue
    case .smpte170M: V4L2_COLORSPACE_SMPTE170M.rawValue
    case .smpte240M: V4L2_COLORSPACE_SMPTE240M.rawValue
    case .bt470M: V4L2_COLORSPACE_470_SYSTEM_M.rawValue
    case .bt470BG: V4L2_COLORSPACE_470_SYSTEM_BG.rawValue
    case .bt2020: V4L2_COLORSPACE_BT2020.rawValue
    case .dciP3: V4L2_COLORSPACE_DCI_P3.rawValue
    default: V4L2_COLORSPACE_DEFAULT.rawValue
    }
  }

  private static func transfer(_ transfer: TransferCharacteristics) -> UInt32 {
    switch transfer {
    // One curve under four names.
    case .bt709, .smpte170M, .bt2020TenBit, .bt2020TwelveBit: V4L2_XFER_FUNC_709.rawValue
    case .sRGB: V4L2_XFER_FUNC_SRGB.rawValue
    case .gamma22: V4L2_XFER_FUNC_OPRGB.rawValue
    case .smpte240M: V4L2_XFER_FUNC_SMPTE240M.rawValue
    case .linear: V4L2_XFER_FUNC_NONE.rawValue
    case .smpteST428: V4L2_XFER_FUNC_DCI_P3.rawValue
    case .pq: V4L2_XFER_FUNC_SMPTE2084.rawValue
    default: V4L2_XFER_FUNC_DEFAULT.rawValue
    }
  }

  private static func encoding(_ matrix: MatrixCoefficients) -> UInt32 {
    switch matrix {
    case .smpte170M, .bt470BG: V4L2_YCBCR_ENC_601.rawValue
    case .bt709: V4L2_YCBCR_ENC_709.rawValue
    case .bt2020NCL: V4L2_YCBCR_ENC_BT2020.rawValue
    case .bt2020CL: V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue
    case .smpte240M: V4L2_YCBCR_ENC_SMPTE240M.rawValue
    default: V4L2_YCBCR_ENC_DEFAULT.rawValue
    }
  }
}
