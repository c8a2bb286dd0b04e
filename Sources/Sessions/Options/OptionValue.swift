/// The syntax of an option's value, and the allowed values.
package struct OptionValue<Value: Sendable>: Sendable {
  /// Placeholder for the value in lists of options.
  package let placeholder: String
  /// All values as written; empty: an open set.
  package let choices: [String]
  /// Texts may begin with a minus sign or a dash, as negative numbers do.
  let canBeginWithDash: Bool
  /// Parses a value.
  package let parse: @Sendable (String) throws(InvalidValue) -> Value
  /// Formats a value.
  package let text: @Sendable (Value) -> String
  /// Refuses values out of range.
  let check: @Sendable (Parameter, Value) throws(Refusal) -> Void

  /// - Parameter expected: Names a valid value in errors, such as "a number".
  init(
    _ placeholder: String, choices: [String] = [], canBeginWithDash: Bool = false, expected: String,
    parse: @escaping @Sendable (String) -> Value?, text: @escaping @Sendable (Value) -> String,
    check: @escaping @Sendable (Parameter, Value) throws(Refusal) -> Void = { _, _ throws(Refusal) in }
  ) {
    self.init(
      placeholder, choices: choices, canBeginWithDash: canBeginWithDash,
      parse: { text throws(InvalidValue) in
        guard let value = parse(text) else { throw InvalidValue("it takes \(expected).") }
        return value
      }, text: text, check: check)
  }

  init(
    _ placeholder: String, choices: [String] = [], canBeginWithDash: Bool = false,
    parse: @escaping @Sendable (String) throws(InvalidValue) -> Value, text: @escaping @Sendable (Value) -> String,
    check: @escaping @Sendable (Parameter, Value) throws(Refusal) -> Void = { _, _ throws(Refusal) in }
  ) {
    (self.placeholder, self.choices, self.canBeginWithDash) = (placeholder, choices, canBeginWithDash)
    (self.parse, self.text, self.check) = (parse, text, check)
  }
}

extension OptionValue where Value == Double {
  /// A number in a range.
  /// - Parameters:
  ///   - range: nil: checked elsewhere.
  ///   - unit: Unit of the range.
  static func number(_ placeholder: String, _ range: ClosedRange<Double>? = nil, _ unit: String = "") -> OptionValue {
    OptionValue(
      placeholder, canBeginWithDash: true, expected: "a number", parse: { Double($0) }, text: \.plain,
      check: { parameter, value throws(Refusal) in
        if let range, !range.contains(value) { throw .invalid(.outOfRange(parameter, value, range, unit: unit)) }
      })
  }
}

extension OptionValue where Value == Int {
  /// A whole number in a range.
  static func count(_ range: ClosedRange<Int>, _ placeholder: String = "n", unit: String = "") -> OptionValue {
    OptionValue(
      placeholder, canBeginWithDash: true, expected: "a whole number", parse: { Int($0) }, text: { "\($0)" },
      check: { parameter, value throws(Refusal) in
        guard !range.contains(value) else { return }
        let most = range.upperBound == .max ? nil : "\(range.upperBound)" + (unit.isEmpty ? "" : " \(unit)")
        throw .invalid(.outOfRange(parameter, "\(value)", "\(range.lowerBound)", most))
      })
  }
}

extension OptionValue where Value == String {
  /// Any text.
  static func text(_ placeholder: String) -> OptionValue {
    OptionValue(placeholder, expected: "", parse: { $0 }, text: { $0 })
  }
}

extension OptionValue where Value == Bool {
  /// The values of flags.
  static var yesOrNo: OptionValue { .named([("yes", true), ("no", false)], "yes|no") }
}

extension OptionValue where Value: Equatable {
  /// One of several named values.
  static func named(_ values: [(name: String, value: Value)], _ placeholder: String = "name") -> OptionValue {
    let names = values.map(\.name)
    return OptionValue(
      placeholder, choices: names, expected: "one of " + names.joined(separator: ", "),
      parse: { text in values.first { $0.name == text }?.value },
      text: { value in values.first { $0.value == value }?.name ?? "\(value)" })
  }
}

extension OptionValue where Value: CaseIterable & RawRepresentable & Equatable, Value.RawValue == String {
  /// One of all named values.
  static func choice(_ placeholder: String = "name") -> OptionValue {
    .named(Value.allCases.map { ($0.rawValue, $0) }, placeholder)
  }
}
