internal import ColorScience
internal import Displays
internal import Frames
internal import Rendering
internal import ToneMapping

/// The tags of an output, and the transfer of its light to a signal.
struct OutputCoding {
  let color: ColorDescription
  /// 1.0 is the display's SDR white.
  let transfer: SignalTransfer

  /// Tags for pixels of a single display: no code point describes it, and its white calibration is wrong on any other.
  private static let untagged = ColorDescription(
    primaries: .unspecified, transfer: .unspecified, matrix: .rgb, range: .full)

  /// - Parameters:
  ///   - display: The target display.
  ///   - model: The display with native pixels, for that kind of output.
  ///   - isReference: In reference mode, which does not adapt light to the display's black.
  init(_ kind: OutputKind, _ display: Display, _ model: DisplayModel?, isReference: Bool) {
    switch kind {
    case .sdr: (color, transfer) = (.bt709, Self.bt1886(display.black, peak: display.peak, of: display))
    case .hdr10: (color, transfer) = (.bt2100PQ, .pq(unit: display.sdrWhite))
    case .hlg: (color, transfer) = (.bt2100HLG, .hlg)
    case .display:
      let black = isReference ? model?.black ?? 0 : display.black
      (color, transfer) = (Self.untagged, Self.transfer(model, display, black: black))
    }
  }

  private static func transfer(_ model: DisplayModel?, _ display: Display, black: Double) -> SignalTransfer {
    let peak = model?.peak ?? display.peak
    return switch model?.transfer {
    case .pq: .pq(unit: display.sdrWhite)
    case .sRGB: .sRGB(peak: peak / display.sdrWhite)
    case .gamma(let exponent): .power(exponent: exponent, peak: peak / display.sdrWhite)
    case .bt1886, nil: bt1886(black, peak: peak, of: display)
    }
  }

  private static func bt1886(_ black: Double, peak: Double, of display: Display) -> SignalTransfer {
    let headroom = peak / display.sdrWhite
    return black > 0 ? .bt1886Black(black / peak, peak: headroom) : .bt1886(peak: headroom)
  }
}
