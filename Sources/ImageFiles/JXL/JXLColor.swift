internal import CJXL
internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Media

extension JxlColorEncoding {
  /// Signal exponents of pure power curves.
  private static let powers: [TransferCharacteristics: Double] = [.gamma22: 1 / 2.2, .gamma28: 1 / 2.8]

  /// nil if JPEG XL does not define the primaries or the transfer function.
  init?(_ color: ColorDescription) {
    guard let space = color.primaries.space else { return nil }
    self.init()
    color_space = JXL_COLOR_SPACE_RGB
    rendering_intent = JXL_RENDERING_INTENT_RELATIVE
    white_point =
      space.white == .d65
      ? JXL_WHITE_POINT_D65
      : space.white == .dci
        ? JXL_WHITE_POINT_DCI
        : JXL_WHITE_POINT_CUSTOM
    white_point_xy = (space.white.x, space.white.y)
    primaries_red_xy = (space.red.x, space.red.y)
    primaries_green_xy = (space.green.x, space.green.y)
    primaries_blue_xy = (space.blue.x, space.blue.y)
    primaries =
      switch color.primaries {
      case .bt709: JXL_PRIMARIES_SRGB
      case .bt2020: JXL_PRIMARIES_2100
      case .displayP3, .dciP3: JXL_PRIMARIES_P3
      default: JXL_PRIMARIES_CUSTOM
      }
    switch color.transfer {
    case .bt709, .smpte170M, .bt2020TenBit, .bt2020TwelveBit: transfer_function = JXL_TRANSFER_FUNCTION_709
    case .linear: transfer_function = JXL_TRANSFER_FUNCTION_LINEAR
    case .sRGB: transfer_function = JXL_TRANSFER_FUNCTION_SRGB
    case .pq: transfer_function = JXL_TRANSFER_FUNCTION_PQ
    case .smpteST428: transfer_function = JXL_TRANSFER_FUNCTION_DCI
    case .hlg: transfer_function = JXL_TRANSFER_FUNCTION_HLG
    case .gamma22, .gamma28:
      transfer_function = JXL_TRANSFER_FUNCTION_GAMMA
      gamma = Self.powers[color.transfer] ?? 1
    default: return nil
    }
  }

  /// The tags, as far as H.273 defines them.
  var tags: ColorTags {
    func point(_ xy: (Double, Double)) -> Chromaticity { Chromaticity(x: xy.0, y: xy.1) }
    let named = ColorPrimaries(
      RGBSpace(
        red: point(primaries_red_xy), green: point(primaries_green_xy), blue: point(primaries_blue_xy),
        white: point(white_point_xy)))
    // Grey has no primaries; any with its white point will do.
    let isGrey = color_space == JXL_COLOR_SPACE_GRAY && white_point == JXL_WHITE_POINT_D65
    return ColorTags(primaries: isGrey ? .bt709 : named, transfer: transfer, range: .full)
  }

  private var transfer: TransferCharacteristics? {
    if transfer_function == JXL_TRANSFER_FUNCTION_GAMMA {
      if abs(gamma - 1) < 1e-5 { return .linear }
      return Self.powers.first { abs($0.value - gamma) < 1e-3 }?.key
    }
    // The others have H.273's numbers.
    return UInt8(exactly: transfer_function.rawValue).flatMap(TransferCharacteristics.init).flatMap {
      $0 == .unspecified ? nil : $0
    }
  }
}
