internal import ColorScience

/// A way to plot the light of a picture.
public enum ScopeKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// Luminance over the columns of the picture.
  case waveform
  /// R, G and B over the columns of the picture, side by side.
  case parade
  /// Hue and saturation, regardless of luminance.
  case vectorscope
  /// Histograms of R, G, B and luminance.
  case histogram
  /// CIE 1976 u', v'.
  case chromaticity
}

/// The plane of a vectorscope.
public enum VectorPlane: String, Sendable, Hashable, Codable, CaseIterable {
  /// Ct to the right, Cp upwards, of PQ-coded cone responses. Source: ITU-R BT.2100-2, table 7.
  case ictcp
  /// Cb to the right, Cr upwards, of PQ-coded R'G'B' in the content's primaries.
  case ycbcr
}

extension VectorPlane {
  /// Returns the Y'CbCr matrix: BT.2020 luma for BT.2020 primaries, BT.709 luma for all others.
  ///
  /// Source: ITU-R BT.2100-2, table 6; BT.709-6, items 3.2 and 3.3.
  static func matrix(for primaries: RGBSpace) -> YCbCrMatrix { primaries == .bt2020 ? .bt2020 : .bt709 }
}
