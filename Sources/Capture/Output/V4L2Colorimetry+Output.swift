internal import CV4L2
internal import ColorScience
internal import Frames

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
