/// Why a measurement cannot be read back.
public enum MeasurementError: Error, Sendable, Hashable {
  /// The file cannot be read.
  case unreadable(path: String, reason: String)
  /// The file is no table of measured frames.
  case notAMeasurement(path: String, reason: String)
}
