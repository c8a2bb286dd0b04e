/// A way to plot the light of a picture.
public enum ScopeKind: String, Sendable, Hashable, CaseIterable {
  /// Luminance over the columns of the picture.
  case waveform
  /// R, G and B over the columns of the picture, side by side.
  case parade
  /// Hue and saturation, whatever the light.
  case vectorscope
  /// How many pixels have which R, G, B and luminance.
  case histogram
  /// CIE 1976 u', v'.
  case chromaticity
}

/// What a vectorscope plots.
public enum VectorPlane: String, Sendable, Hashable, CaseIterable {
  /// Ct to the right, Cp upwards, of PQ-coded cone responses. Source: ITU-R BT.2100-2, table 7.
  case ictcp
  /// Cb to the right, Cr upwards, of PQ-coded R'G'B' in the content's primaries.
  case ycbcr
}
