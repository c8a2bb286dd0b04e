/// Why a pattern is invalid.
public enum PatternError: Error, Sendable, CustomStringConvertible {
  /// No pattern has this name.
  case unknownPattern(String)
  /// The pattern has no parameter of this name.
  case unknownParameter(String, pattern: TestPattern)
  /// The text is not a number, or is out of the parameter's range.
  case invalidValue(String, parameter: TestPattern.Parameter)

  public var description: String {
    switch self {
    case .unknownPattern(let name):
      "There is no pattern '\(name)': choose one of \(TestPattern.all.map(\.name).joined(separator: ", "))."
    case .unknownParameter(let name, let pattern):
      "The pattern \(pattern.name) has no parameter '\(name)': it takes "
        + "\(pattern.parameters.map(\.name).joined(separator: ", "))."
    case .invalidValue(let value, let parameter) where parameter.isSwitch:
      "'\(value)' is not a value for \(parameter.name): it takes on or off."
    case .invalidValue(let value, let parameter):
      "'\(value)' is not a value for \(parameter.name): it takes "
        + (parameter.isCount ? "whole numbers" : "numbers")
        + " from \(parameter.range.lowerBound) to \(parameter.range.upperBound)."
    }
  }
}
