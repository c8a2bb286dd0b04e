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
  /// The frame contains two fields, and the rotation would turn their rows into columns or swap them.
  case interlacedTurn
  /// A frame does not have the renderer's size or layout.
  case formatMismatch(expected: PixelFormat, actual: PixelFormat)
}

extension RenderingError: CustomStringConvertible {
  /// A message that describes the fault.
  public var description: String {
    switch self {
    case .unsupportedMatrix(let matrix):
      "Matrix coefficients '\(matrix)' (H.273 code \(matrix.rawValue)) cannot be written."
    case .undefinedMatrix(.rgb, _, _):
      "The video is tagged as subsampled R'G'B' (matrix coefficients 0), which does not exist."
    case .undefinedMatrix(let matrix, _, let transfer):
      "Matrix coefficients '\(matrix)' (H.273 code \(matrix.rawValue)) are not defined with the transfer "
        + "characteristics '\(transfer)'."
    case .unsupportedSource(let layout):
      "\(layout.bitDepth)-bit frames cannot be read: convert them to 8, 10 or 12 bits first."
    case .unsupportedTarget(let layout):
      "Frames cannot be written as \(layout.packing.rawValue) \(layout.bitDepth)-bit \(layout.components.rawValue)."
    case .interlacedTurn: "Interlaced pictures cannot be rotated: deinterlace them first."
    case .formatMismatch(let expected, let actual) where expected.size == actual.size:
      "The format of the video changes mid-stream: split it there and process the parts separately."
    case .formatMismatch(let expected, let actual):
      "The video changes from \(expected.size) to \(actual.size) mid-stream: split it there and process the parts "
        + "separately."
    }
  }
}
