/// An option of a request: its parameter, the location of its value, its syntax, its allowed values, and its effect.
///
/// Programs derive their options from these entries: the command line its flags, a plug-in its properties.
public struct RequestOption<Request: Sendable>: Sendable {
  /// Changes a request.
  public typealias Change = @Sendable (inout Request) -> Void

  /// The parameter that sets this option, which each program spells differently.
  public let parameter: Parameter
  /// Number of values.
  public let syntax: OptionSyntax
  /// All allowed values; empty: an open set.
  public let choices: [String]
  /// Values may begin with a minus sign or a dash.
  public let canBeginWithDash: Bool
  /// Description in one or two sentences.
  public let help: MessageText
  /// The default; nil: none.
  public let defaultText: String?
  /// Effects of the option.
  public let effects: OptionEffects
  /// Options that cannot be combined with it.
  public let excludes: [Parameter]
  /// Options of which it requires one.
  public let needs: [Parameter]
  /// Options for the same setting: where one is stated, a preset's value of this one does not apply.
  public let alternatives: [Parameter]
  /// Returns the change made by a value as written; a flag has the values "yes" and "no".
  public let change: @Sendable (String) throws(InvalidValue) -> Change
  /// Returns the values of a request as written; empty: the default.
  public let texts: @Sendable (Request) -> [String]
  /// Rejects values out of range.
  let check: @Sendable (Request) throws(Refusal) -> Void

  /// Returns whether the request differs from the default in this option.
  public func isSet(in request: Request) -> Bool { !texts(request).isEmpty }
}

/// Number of values of an option.
public enum OptionSyntax: Sendable, Hashable {
  /// No value: the option is set or not.
  case flag
  /// No value: the option is switched on or off.
  case toggle
  /// One value, described by the placeholder.
  case value(placeholder: String)
  /// One value, and the option may be repeated.
  case list(placeholder: String)

  var takesValue: Bool { self != .flag && self != .toggle }
}

/// Why a value is rejected, worded as the end of a sentence.
public struct InvalidValue: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Effects of an option that is set.
public struct OptionEffects: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Maps pictures to a display, unless their colour space determines otherwise.
  static let mapsLight = OptionEffects(rawValue: 1 << 0)
  /// Makes the light of HDR10 output differ from its input.
  static let changesLight = OptionEffects(rawValue: 1 << 1)
  /// Fixed by reference mode: the option is rejected.
  static let isLocked = OptionEffects(rawValue: 1 << 2)
  /// It has no effect in reference mode.
  static let isIdleInReferenceMode = OptionEffects(rawValue: 1 << 3)
  /// Can be an expectation of a verification.
  public static let isExpected = OptionEffects(rawValue: 1 << 4)
  /// For video only, not for single pictures.
  static let isForVideo = OptionEffects(rawValue: 1 << 5)
  /// Concerns a whole film, and does not apply to pieces.
  package static let isForWholeFilm = OptionEffects(rawValue: 1 << 6)
  /// For the video encoder, and means something else for another encoder.
  public static let isForVideoEncoder = OptionEffects(rawValue: 1 << 7)
  /// For encoded audio.
  public static let isForEncodedAudio = OptionEffects(rawValue: 1 << 8)
  /// For audio with a lossy encoder.
  public static let isForLossyAudio = OptionEffects(rawValue: 1 << 9)
  /// Names a file of a single run.
  public static let isOfSingleRun = OptionEffects(rawValue: 1 << 10)
}

/// A request with default values.
public protocol DefaultedRequest: Sendable {
  /// The request with no option set.
  static var defaults: Self { get }
}

/// The options of a request, or some of them.
public protocol OptionTable {
  /// The request that the options set.
  associatedtype Request: DefaultedRequest
  /// Options in the order in which they are listed and take effect.
  static var options: [RequestOption<Request>] { get }
}

extension OptionTable {
  /// - Throws: `Refusal` for values out of range, and for options that exclude or require others.
  static func check(_ request: Request) throws(Refusal) {
    try checkValues(of: request)
    try check(options.filter { $0.isSet(in: request) }.map(\.parameter))
  }

  /// - Throws: `Refusal` for values out of range.
  public static func checkValues(of request: Request) throws(Refusal) {
    for option in options { try option.check(request) }
  }

  /// Checks whether options can be combined.
  /// - Parameter parameters: Parameters stated in a request.
  /// - Throws: `Refusal` for options that exclude or require others.
  public static func check(_ parameters: [Parameter]) throws(Refusal) {
    for option in options where parameters.contains(option.parameter) {
      if let other = option.excludes.first(where: parameters.contains) {
        throw .invalid(.exclusive(option.parameter, other))
      }
      if let other = option.needs.first, !option.needs.contains(where: parameters.contains) {
        throw .invalid(
          "needs-other-option", "\(option.parameter) is for \(other): add it, or omit \(option.parameter).")
      }
    }
  }

  /// Returns the options of a request that are set and have all these effects.
  static func set(in request: Request, with effects: OptionEffects) -> [Parameter] {
    options.filter { $0.effects.isSuperset(of: effects) && $0.isSet(in: request) }.map(\.parameter)
  }
}
