/// Why a measurement cannot be read back.
public enum MeasurementError: Error, Sendable, Hashable {
  /// The file cannot be read.
  case unreadable(path: String, reason: String)
  /// The file is not a measurement.
  case notAMeasurement(path: String, reason: String)
}
