/// The verdict on a part of a pattern.
enum Mark: String {
  case passes = "ok"
  case fails = "FAIL"
  /// Nothing was measured, and that is not a fault.
  case none = "–"

  init(passes: Bool, isMeasured: Bool) { self = !passes ? .fails : isMeasured ? .passes : .none }
}
