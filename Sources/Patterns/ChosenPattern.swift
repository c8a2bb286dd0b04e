public import Frames

/// A pattern with parameter values, as users write it: "window", or "window=percent=10:nits=1000".
public struct ChosenPattern: Sendable {
  /// The pattern itself.
  public let pattern: TestPattern
  /// A value for every parameter.
  public let values: [String: Double]

  /// Parses a pattern.
  /// - Throws: `PatternError` for an unknown pattern or parameter, or a value out of range.
  public init(_ text: String) throws(PatternError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let pattern = TestPattern.named(name) else { throw .unknownPattern(name) }
    self.pattern = pattern
    var values: [String: Double] = [:]
    for parameter in pattern.parameters { values[parameter.name] = parameter.default }
    if parts.count == 2 {
      for option in parts[1].split(separator: ":", omittingEmptySubsequences: false) {
        let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let key = String(pair[0])
        guard let parameter = pattern.parameters.first(where: { $0.name == key }) else {
          throw .unknownParameter(key, pattern: pattern)
        }
        guard pair.count == 2, let value = parameter.value(String(pair[1])) else {
          throw .invalidValue(pair.count == 2 ? String(pair[1]) : "", parameter: parameter)
        }
        values[key] = value
      }
    }
    self.values = values
  }

  /// As users write it, with non-default values only: "window=nits=500".
  public var text: String {
    let chosen = pattern.parameters.compactMap { parameter -> String? in
      guard let value = values[parameter.name], value != parameter.default else { return nil }
      return "\(parameter.name)=\(parameter.text(value))"
    }
    return pattern.name + (chosen.isEmpty ? "" : "=" + chosen.joined(separator: ":"))
  }

  /// The canvas for a picture of the pattern.
  public func canvas(size: Size, scale: Double = 1, signal: PatternSignal) -> PatternCanvas {
    PatternCanvas(size: size, scale: scale, signal: signal, values: values)
  }
}
