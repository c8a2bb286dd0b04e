/// Why a measurement cannot be read back.
public enum MeasurementError: Error, Sendable, Hashable {
  case unreadable(path: String, reason: String)
  case notAMeasurement(path: String, reason: String)
}
