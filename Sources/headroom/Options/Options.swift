internal import ArgumentParser
internal import Filters
internal import Sessions

/// The options of a table for ArgumentParser.
///
/// ArgumentParser finds a type's properties by reflection and decodes them by name, so a type with a custom mirror can
/// take them from a table.
struct Options<Table: OptionTable & SendableMetatype>: ParsableArguments {
  private var settings: [Setting] = []

  init() {}

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    for option in Table.options {
      let key = Key(option)
      switch option.syntax {
      case .flag:
        if try values.decode(Flag<Bool>.self, forKey: key).wrappedValue { settings.append(try Setting(option, "yes")) }
      case .toggle:
        if let isOn = try values.decode(Flag<Bool?>.self, forKey: key).wrappedValue {
          settings.append(try Setting(option, isOn ? "yes" : "no"))
        }
      case .value:
        if let setting = try values.decode(Option<Setting?>.self, forKey: key).wrappedValue { settings.append(setting) }
      case .list: settings += try values.decode(Option<[Setting]>.self, forKey: key).wrappedValue
      }
    }
  }

  /// Applies the options given on the command line.
  func apply(to request: inout Table.Request) {
    for setting in settings { setting.change(&request) }
  }

  /// A request with the options given on the command line.
  var request: Table.Request {
    var request = Table.Request.defaults
    apply(to: &request)
    return request
  }

  func validate() throws {
    if settings.contains(where: { $0.parameter == .filter && $0.text == "help" }) {
      throw CleanExit.message(FilterKind.list)
    }
    try validated {
      try Table.check(settings.map(\.parameter))
      try Table.checkValues(of: request)
    }
  }

  /// The parsed value of an option.
  private struct Setting {
    let parameter: Parameter
    let text: String
    let change: RequestOption<Table.Request>.Change

    init(_ option: RequestOption<Table.Request>, _ text: String) throws {
      (parameter, self.text) = (option.parameter, text)
      do { change = try option.change(text) } catch { throw ValidationError(error.description) }
    }
  }

  /// The property of an option.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ option: RequestOption<Table.Request>) { stringValue = option.parameter.rawValue }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension Options: CustomReflectable {
  var customMirror: Mirror {
    Mirror(self, children: Table.options.map { (label: "_" + $0.parameter.rawValue, value: Self.property($0)) })
  }

  /// The property wrapper of an option.
  private static func property(_ option: RequestOption<Table.Request>) -> Any {
    let names = option.parameter.names
    func help(_ placeholder: String? = nil) -> ArgumentHelp {
      ArgumentHelp(ArgumentHelp.text(of: option), valueName: placeholder)
    }
    let setting: @Sendable (String) throws -> Setting = { try Setting(option, $0) }
    let completion = CompletionKind(option)
    return switch option.syntax {
    case .flag: Flag(wrappedValue: false, name: names, help: help())
    case .toggle: Flag<Bool?>(wrappedValue: nil, name: names, inversion: .prefixedNo, help: help())
    case .value(let placeholder):
      Option<Setting?>(
        name: names, parsing: option.canBeginWithDash ? .unconditional : .next, help: help(placeholder),
        completion: completion, transform: setting)
    case .list(let placeholder):
      Option<[Setting]>(
        wrappedValue: [], name: names, parsing: option.canBeginWithDash ? .unconditionalSingleValue : .singleValue,
        help: help(placeholder), completion: completion, transform: setting)
    }
  }
}

extension CompletionKind {
  /// The completion of an option: its values, or files.
  fileprivate init?<Request>(_ option: RequestOption<Request>) {
    if !option.choices.isEmpty {
      self = .list(option.choices)
    } else if case .value(let placeholder) = option.syntax, placeholder.contains("file") {
      self = .file()
    } else {
      return nil
    }
  }
}

extension FilterKind {
  /// The filters and their options.
  fileprivate static var list: String {
    let filters = all.map { kind in
      let options = kind.options.map { "  \($0.key)=\(String(repeating: " ", count: 10 - $0.key.count))\($0.help)" }
      return ([kind.name, "  \(kind.abstract)"] + options).joined(separator: "\n")
    }
    return (["Filters see the light of the content, before it is mapped to a display or clipped."] + filters)
      .joined(separator: "\n\n")
  }
}

extension ArgumentHelp {
  /// Returns the help of an option, with its values and default.
  fileprivate static func text<Request>(of option: RequestOption<Request>) -> String {
    let notes = [
      option.choices.isEmpty ? nil : "values: " + option.choices.joined(separator: ", "),
      option.defaultText.map { "default: " + $0 },
    ].compactMap(\.self)
    return option.help.words + (notes.isEmpty ? "" : " (" + notes.joined(separator: "; ") + ")")
  }
}

extension Options where Table.Request == InputRequest {
  /// Returns the request for an input.
  func request(_ name: String) -> InputRequest {
    var request = InputRequest(name)
    apply(to: &request)
    return request
  }
}
