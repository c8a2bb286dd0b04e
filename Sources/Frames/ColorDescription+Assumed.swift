internal import ColorScience

extension ColorDescription {
  /// Fills missing tags from those present: BT.2020 with PQ and HLG, PQ with BT.2020 at more than eight bits, otherwise
  /// BT.709 (R'G'B': sRGB), or BT.601 for standard-definition sizes.
  public func assumed(layout: PixelLayout, size: Size) -> ColorDescription {
    var color = self
    let isWide = color.primaries == .bt2020 || [.bt2020NCL, .bt2020CL, .ictcp].contains(color.matrix)
    if color.transfer == .unspecified {
      color.transfer =
        color.matrix == .ictcp
        ? .pq
        : color.matrix == .bt2020CL
          ? .bt709 : isWide && layout.bitDepth > 8 ? .pq : layout.components == .rgb ? .sRGB : .bt709
    }
    let isHDR = color.transfer == .pq || color.transfer == .hlg
    if color.primaries == .unspecified { color.primaries = isHDR || isWide ? .bt2020 : .bt709 }
    if color.matrix == .unspecified {
      switch color.primaries {
      case .bt2020: color.matrix = .bt2020NCL
      case .bt470BG, .smpte170M: color.matrix = .smpte170M
      default: color.matrix = size.height < 720 && size.width < 1280 && !isHDR ? .smpte170M : .bt709
      }
    }
    if layout.components == .rgb { color.matrix = .rgb }
    // Grey does not depend on the matrix, which only matters once chroma is added.
    if layout.components == .gray, YCbCrMatrix(color.matrix) == nil {
      color.matrix = color.primaries == .bt2020 ? .bt2020NCL : .bt709
    }
    return color
  }
}
