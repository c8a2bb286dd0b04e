public import ColorScience
public import Rendering

/// Why the samples of a picture cannot be converted to scene light.
public enum SceneConversionError: Error, Sendable, Hashable {
  /// Headroom has no inverse for this transfer function of H.273.
  case unsupportedTransfer(TransferCharacteristics)
  /// The primaries are unspecified.
  case unsupportedPrimaries(ColorPrimaries)
  /// The samples cannot be read.
  case rendering(RenderingError)
}
