/// An option of a request: its parameter, where its value lies, how it is written, what is allowed, and what it does.
///
/// Programs take their options from these entries: the command line its flags, a plug-in its properties.
public struct RequestOption<Request: Sendable>: Sendable {
  /// Changes a request.
  public typealias Change = @Sendable (inout Request) -> Void

  /// What sets this option, in the words of each program.
  public let parameter: Parameter
  /// How many values it takes.
  public let syntax: OptionSyntax
  /// All values that are allowed; empty: others are, too.
  public let choices: [String]
  /// Values may begin with a minus sign or a dash.
  public let canBeginWithDash: Bool
  /// What it does, in one or two sentences.
  public let help: MessageText
  /// What holds without it; nil: nothing.
  public let defaultText: String?
  /// What follows from it.
  public let effects: OptionEffects
  /// Options that cannot be set beside it.
  public let excludes: [Parameter]
  /// Options of which one has to be set for this one.
  public let needs: [Parameter]
  /// Options that say the same in another way: where one is stated, a preset's value of this one is out of place.
  public let alternatives: [Parameter]
  /// The change that a value makes, as it is written; a flag has the values "yes" and "no".
  public let change: @Sendable (String) throws(InvalidValue) -> Change
  /// The values of a request as they are written; empty: those by default.
  public let texts: @Sendable (Request) -> [String]
  /// Refuses values out of range.
  let check: @Sendable (Request) throws(Refusal) -> Void

  /// The request differs from the default in this option.
  public func isSet(in request: Request) -> Bool { !texts(request).isEmpty }
}

/// How many values an option takes.
public enum OptionSyntax: Sendable, Hashable {
  /// None: the option is set or it is not.
  case flag
  /// None: the option is switched on or off.
  case toggle
  /// One; the placeholder says what it is.
  case value(placeholder: String)
  /// One, and the option may be repeated.
  case list(placeholder: String)

  var takesValue: Bool { self != .flag && self != .toggle }
}

/// Why a value that was written is refused, as the end of a sentence.
public struct InvalidValue: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// What follows from an option that is set.
public struct OptionEffects: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Pictures are mapped to a display, unless their colour space says otherwise.
  static let mapsLight = OptionEffects(rawValue: 1 << 0)
  /// The light of HDR10 output is not that of its input.
  static let changesLight = OptionEffects(rawValue: 1 << 1)
  /// Reference mode decides it: the option is refused.
  static let isLocked = OptionEffects(rawValue: 1 << 2)
  /// It has no effect in reference mode.
  static let isIdleInReferenceMode = OptionEffects(rawValue: 1 << 3)
  /// It can be a part of what a verification expects.
  public static let isExpected = OptionEffects(rawValue: 1 << 4)
  /// It is for video, not for single pictures.
  static let isForVideo = OptionEffects(rawValue: 1 << 5)
  /// It is about a whole film, which pieces do not know.
  package static let isForWholeFilm = OptionEffects(rawValue: 1 << 6)
  /// It is for the video encoder, and means something else to another one.
  public static let isForVideoEncoder = OptionEffects(rawValue: 1 << 7)
  /// It is for audio that is encoded.
  public static let isForEncodedAudio = OptionEffects(rawValue: 1 << 8)
  /// It is for audio that is encoded with loss.
  public static let isForLossyAudio = OptionEffects(rawValue: 1 << 9)
  /// It names a file of a single run.
  public static let isOfSingleRun = OptionEffects(rawValue: 1 << 10)
}

/// A request with default values.
public protocol DefaultedRequest: Sendable {
  /// As it is if no option is set.
  static var defaults: Self { get }
}

/// The options of a request, or some of them.
public protocol OptionTable {
  associatedtype Request: DefaultedRequest
  /// In the order in which they are listed and take effect.
  static var options: [RequestOption<Request>] { get }
}

extension OptionTable {
  /// - Throws: `Refusal` for values out of range, and for options that exclude or need others.
  static func check(_ request: Request) throws(Refusal) {
    try checkValues(of: request)
    try check(options.filter { $0.isSet(in: request) }.map(\.parameter))
  }

  /// - Throws: `Refusal` for values out of range.
  public static func checkValues(of request: Request) throws(Refusal) {
    for option in options { try option.check(request) }
  }

  /// Checks whether options can be combined.
  /// - Parameter parameters: What is stated of a request.
  /// - Throws: `Refusal` for options that exclude or need others.
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

  /// The options of a request that are set and have all of these effects.
  static func set(in request: Request, with effects: OptionEffects) -> [Parameter] {
    options.filter { $0.effects.isSuperset(of: effects) && $0.isSet(in: request) }.map(\.parameter)
  }
}
