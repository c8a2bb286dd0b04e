public import ColorScience

/// Why a picture cannot be measured.
public enum VerificationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Light cannot be made of these code values.
  case unsupportedTransfer(TransferCharacteristics)
  /// R'G'B' cannot be made of these components.
  case unsupportedMatrix(MatrixCoefficients)

  public var description: String {
    switch self {
    case .unsupportedTransfer(let transfer):
      "Pictures with the transfer characteristics \(transfer) cannot be measured."
    case .unsupportedMatrix(let matrix): "Pictures with the matrix coefficients \(matrix) cannot be measured."
    }
  }
}
