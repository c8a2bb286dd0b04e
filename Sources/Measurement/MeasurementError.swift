/// Why a measurement cannot be read back.
public enum MeasurementError: Error, Sendable, Hashable {
  /// The file cannot be read.
  case unreadable(path: String, reason: String)
  /// The file is not a measurement.
  case notAMeasurement(path: String, reason: String)
}

extension MeasurementError: CustomStringConvertible {
  /// A message that describes the fault in the file.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "Cannot read '\(path)': \(reason)" + (reason.hasSuffix(".") ? "" : ".")
    case .notAMeasurement(let path, let reason): "'\(path)' is not a measurement (\(reason))."
    }
  }
}
