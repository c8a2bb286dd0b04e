public import ColorScience

extension PixelLayout {
  /// The layout of the same samples where they are read by `matrix`.
  ///
  /// G', B' and R' lie in the planes that are Y', Cb and Cr of other matrices, so 4:4:4 with the identity matrix is R'G'B'.
  /// Source: ITU-T H.273 (07/2021), 8.3, MatrixCoefficients 0.
  public func read(by matrix: MatrixCoefficients) -> PixelLayout {
    guard packing == .planar, samples == .integer else { return self }
    var layout = self
    switch (components, matrix) {
    case (.ycbcr444, .rgb): layout.components = .rgb
    case (.rgb, .rgb), (.rgb, .unspecified): break
    case (.rgb, _): layout.components = .ycbcr444
    default: break
    }
    return layout
  }
}
