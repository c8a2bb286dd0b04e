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
      primaries: Self.primaries.first { $0.0.rawValue == colorspace }?.1 ?? .unspecified,
      transfer: Self.transfers.first { $0.0.rawValue == transfer }?.1 ?? defaultTransfer,
      matrix: isRGB ? .rgb : Self.matrices.first { $0.0.rawValue == encoding }?.1 ?? defaultMatrix,
      range: range(isRGB))
  }

  // Each table has the name to write a value under first. Adobe RGB has no code point.

  private static let primaries: [(v4l2_colorspace, ColorPrimaries)] = [
    (V4L2_COLORSPACE_REC709, .bt709), (V4L2_COLORSPACE_SRGB, .bt709), (V4L2_COLORSPACE_JPEG, .bt709),
    (V4L2_COLORSPACE_SMPTE170M, .smpte170M), (V4L2_COLORSPACE_SMPTE240M, .smpte240M),
    (V4L2_COLORSPACE_470_SYSTEM_M, .bt470M), (V4L2_COLORSPACE_470_SYSTEM_BG, .bt470BG),
    (V4L2_COLORSPACE_BT2020, .bt2020), (V4L2_COLORSPACE_DCI_P3, .dciP3),
  ]

  /// One curve of H.273 has four names.
  private static let transfers: [(v4l2_xfer_func, TransferCharacteristics)] = [
    (V4L2_XFER_FUNC_709, .bt709), (V4L2_XFER_FUNC_709, .smpte170M), (V4L2_XFER_FUNC_709, .bt2020TenBit),
    (V4L2_XFER_FUNC_709, .bt2020TwelveBit), (V4L2_XFER_FUNC_SRGB, .sRGB), (V4L2_XFER_FUNC_OPRGB, .gamma22),
    (V4L2_XFER_FUNC_SMPTE240M, .smpte240M), (V4L2_XFER_FUNC_NONE, .linear), (V4L2_XFER_FUNC_DCI_P3, .smpteST428),
    (V4L2_XFER_FUNC_SMPTE2084, .pq),
  ]

  private static let matrices: [(v4l2_ycbcr_encoding, MatrixCoefficients)] = [
    (V4L2_YCBCR_ENC_601, .smpte170M), (V4L2_YCBCR_ENC_601, .bt470BG), (V4L2_YCBCR_ENC_XV601, .smpte170M),
    (V4L2_YCBCR_ENC_709, .bt709), (V4L2_YCBCR_ENC_XV709, .bt709), (V4L2_YCBCR_ENC_BT2020, .bt2020NCL),
    (V4L2_YCBCR_ENC_BT2020_CONST_LUM, .bt2020CL), (V4L2_YCBCR_ENC_SMPTE240M, .smpte240M),
  ]

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
      colorspace: (Self.primaries.first { $0.1 == color.primaries }?.0 ?? V4L2_COLORSPACE_DEFAULT).rawValue,
      transfer: (Self.transfers.first { $0.1 == color.transfer }?.0 ?? V4L2_XFER_FUNC_DEFAULT).rawValue,
      encoding: (Self.matrices.first { $0.1 == color.matrix }?.0 ?? V4L2_YCBCR_ENC_DEFAULT).rawValue,
      quantization: color.range == .full
        ? V4L2_QUANTIZATION_FULL_RANGE.rawValue : V4L2_QUANTIZATION_LIM_RANGE.rawValue)
  }
}
