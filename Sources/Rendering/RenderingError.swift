public import ColorScience
public import Frames

/// Why a picture cannot be rendered.
public enum RenderingError: Error, Sendable, Hashable {
  /// Nothing is written with these matrix coefficients.
  case unsupportedMatrix(MatrixCoefficients)
  /// The matrix coefficients have no meaning for these samples, or with this transfer function.
  case undefinedMatrix(MatrixCoefficients, PixelLayout, TransferCharacteristics)
  /// The pixel layout cannot be read: its samples have another depth than 8, 10 or 12 bit.
  case unsupportedSource(PixelLayout)
  /// The pixel layout cannot be written.
  case unsupportedTarget(PixelLayout)
  /// The frame holds two fields, whose rows would become columns or change places.
  case interlacedTurn
  /// A frame does not have the size or layout that the renderer was made for.
  case formatMismatch(expected: PixelFormat, actual: PixelFormat)
}
