public import ColorScience

/// Why a picture cannot be measured.
public enum VerificationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// These code values cannot be converted to light.
  case unsupportedTransfer(TransferCharacteristics)
  /// These components cannot be converted to R'G'B'.
  case unsupportedMatrix(MatrixCoefficients)

  public var description: String {
    switch self {
    case .unsupportedTransfer(let transfer):
      "Pictures with the transfer characteristics \(transfer) cannot be measured."
    case .unsupportedMatrix(let matrix): "Pictures with the matrix coefficients \(matrix) cannot be measured."
    }
  }
}
