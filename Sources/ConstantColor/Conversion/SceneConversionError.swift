public import ColorScience
public import Rendering

/// Why the samples of a picture cannot be converted to scene-referred light.
public enum SceneConversionError: Error, Sendable, Hashable {
  /// No curve of H.273 that Headroom knows leads from the signal to light.
  case unsupportedTransfer(TransferCharacteristics)
  /// The primaries are unspecified.
  case unsupportedPrimaries(ColorPrimaries)
  /// The samples cannot be read.
  case rendering(RenderingError)
}
