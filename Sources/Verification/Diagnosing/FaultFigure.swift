/// Numbers in fault messages.
enum FaultFigure {
  /// One decimal, or none for large numbers.
  static func number(_ value: Double) -> String {
    let tenths = (10 * value).rounded() / 10
    guard abs(value) < 1e9 else { return "\(value)" }
    return abs(value) >= 100 || tenths == tenths.rounded() ? "\(Int(value.rounded()))" : "\(tenths)"
  }

  static func percent(_ part: Double) -> String { "\(number(100 * part)) %" }

  /// Three decimals.
  static func factor(_ value: Double) -> String { "\((1000 * value).rounded() / 1000)" }
}
