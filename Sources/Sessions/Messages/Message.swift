/// A message from a session about a request, its input or its output.
public struct Message: Sendable, Hashable, Codable {
  /// Identifies the message for programs, such as `peak-below-white`; it does not change with the text.
  public struct Code: Sendable, Hashable, Codable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible
  {
    /// Lower-case words and hyphens.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }
  }

  /// How serious a message is.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// A step of the work, or a fact about its input or output.
    case note
    /// Something the user may not expect; an error if the request is strict.
    case warning
  }

  /// Identifies the message for programs.
  public let code: Code
  /// One or two sentences: what was found, and which parameter would help.
  public let text: MessageText

  /// A message with its text.
  public init(_ code: Code, _ text: MessageText) {
    (self.code, self.text) = (code, text)
  }
}

/// Its text, with parameters named as in source code.
extension Message: CustomStringConvertible {
  public var description: String { text.description }
}

/// Text with parameters of a request, which each program spells differently.
///
/// `"\(.peak, peak) is below \(.sdrWhite, white)"` is "--peak 50.0 is below --sdr-white 100.0" on the command line.
public struct MessageText: Sendable, Hashable, Codable {
  /// A segment of the text.
  public enum Segment: Sendable, Hashable, Codable {
    /// Words.
    case text(String)
    /// A parameter, with the given or recommended value.
    case parameter(Parameter, value: String?)
  }

  /// The segments in order.
  public private(set) var segments: [Segment]

  /// Returns the whole text.
  /// - Parameter spell: Spells a parameter and its value, if any.
  public func spelled(_ spell: (Parameter, String?) -> String) -> String {
    segments.reduce(into: "") { text, segment in
      switch segment {
      case .text(let words): text += words
      case .parameter(let parameter, let value): text += spell(parameter, value)
      }
    }
  }

  /// Concatenates two texts.
  public static func + (first: MessageText, second: MessageText) -> MessageText {
    var result = first
    result.segments += second.segments
    return result
  }
}

extension MessageText: ExpressibleByStringInterpolation {
  /// Literals, values and parameters.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var segments: [Segment] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { append(literal) }

    /// Appends the description of a value.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) { append(value.description) }

    /// Appends text with its parameters.
    public mutating func appendInterpolation(_ text: MessageText) { segments += text.segments }

    /// Appends the name of a parameter.
    public mutating func appendInterpolation(_ parameter: Parameter) {
      segments.append(.parameter(parameter, value: nil))
    }

    /// Appends a parameter with a value.
    public mutating func appendInterpolation(_ parameter: Parameter, _ value: some CustomStringConvertible) {
      segments.append(.parameter(parameter, value: value.description))
    }

    private mutating func append(_ text: String) {
      guard !text.isEmpty else { return }
      if case .text(let before) = segments.last {
        segments[segments.count - 1] = .text(before + text)
      } else {
        segments.append(.text(text))
      }
    }
  }

  public init(stringLiteral value: String) { segments = value.isEmpty ? [] : [.text(value)] }

  public init(stringInterpolation: StringInterpolation) { segments = stringInterpolation.segments }
}

/// Parameters are named as in source code.
extension MessageText: CustomStringConvertible {
  public var description: String { spelled(Self.plain) }

  static func plain(_ parameter: Parameter, _ value: String?) -> String {
    parameter.rawValue + (value.map { " " + $0 } ?? "")
  }
}

extension Sequence<MessageText> {
  /// Joins the texts with `separator` between them.
  package func joined(separator: String) -> MessageText {
    var result: MessageText = ""
    for (index, text) in enumerated() { result = result + (index == 0 ? text : "\(separator)\(text)") }
    return result
  }
}

extension Message {
  /// A value of a request is out of range.
  /// - Parameter most: Maximum with its unit; nil: none.
  package static func outOfRange(_ parameter: Parameter, _ value: String, _ least: String, _ most: String?) -> Message {
    Message(
      "out-of-range", "\(parameter) takes \(most.map { "\(least) to \($0)" } ?? "\(least) or more"), not \(value).")
  }

  /// A number of a request is out of range.
  package static func outOfRange(
    _ parameter: Parameter, _ value: Double, _ range: ClosedRange<Double>, unit: String = ""
  ) -> Message {
    let most = range.upperBound.plain + (unit.isEmpty ? "" : " \(unit)")
    return .outOfRange(parameter, value.plain, range.lowerBound.plain, most)
  }

  /// Two parameters of a request are mutually exclusive.
  package static func exclusive(_ one: Parameter, _ other: Parameter) -> Message {
    let text: MessageText =
      switch one {
      case .at: "\(.at) selects one frame: omit \(.start), \(.duration), \(.frames) and \(.every)."
      case .contact: "\(.contact) chooses its own frames: omit \(.at), \(.frames) and \(.every)."
      default: "\(one) cannot be combined with \(other): choose one."
      }
    return Message("exclusive", text)
  }
}

extension Double {
  /// The number as users write it: integers without a fraction.
  var plain: String { self == rounded() && magnitude < 1e15 ? "\(Int(self))" : "\(self)" }
}
