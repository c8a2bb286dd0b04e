/// The verdict on a part of a pattern.
enum Mark: String {
  case passes = "ok"
  case fails = "FAIL"
  /// Not measured, but not a fault.
  case none = "–"

  init(passes: Bool, isMeasured: Bool) { self = !passes ? .fails : isMeasured ? .passes : .none }
}
