public import ColorScience
public import Frames

/// Why a picture cannot be rendered.
public enum RenderingError: Error, Sendable, Hashable {
  /// These matrix coefficients cannot be written.
  case unsupportedMatrix(MatrixCoefficients)
  /// The matrix coefficients are undefined for these samples, or with this transfer function.
  case undefinedMatrix(MatrixCoefficients, PixelLayout, TransferCharacteristics)
  /// The pixel layout cannot be read: its bit depth is not 8, 10 or 12.
  case unsupportedSource(PixelLayout)
  /// The pixel layout cannot be written.
  case unsupportedTarget(PixelLayout)
  /// The frame holds two fields, whose rows the rotation would turn into columns or swap.
  case interlacedTurn
  /// A frame does not have the size or layout that the renderer was made for.
  case formatMismatch(expected: PixelFormat, actual: PixelFormat)
}
