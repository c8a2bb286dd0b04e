/// Numbers in the sentences of faults.
enum FaultFigure {
  /// One place after the point, of large numbers none.
  static func number(_ value: Double) -> String {
    let tenths = (10 * value).rounded() / 10
    guard abs(value) < 1e9 else { return "\(value)" }
    return abs(value) >= 100 || tenths == tenths.rounded() ? "\(Int(value.rounded()))" : "\(tenths)"
  }

  static func percent(_ part: Double) -> String { "\(number(100 * part)) %" }

  /// Three places after the point.
  static func factor(_ value: Double) -> String { "\((1000 * value).rounded() / 1000)" }
}
