internal import Sessions

/// An option of a transcode, and what a request makes of it.
struct RequestArgument {
  /// The names of the option; the first is written. Of a flag with an inversion, both.
  let names: [String]
  /// Says the same by other means: a preset's option is dropped where the user states another one of its group.
  let group: String?
  /// An option that makes this one impossible: it is dropped where the user states that.
  let replacement: String?
  /// What it is for: it is dropped where the user states something else there.
  private(set) var owner: Owner?
  /// What options of a preset are for.
  enum Owner {
    /// The video encoder.
    case videoEncoder
    /// An audio encoder with a bit rate.
    case lossyAudio
    /// Any audio encoder.
    case encodedAudio
  }

  /// The words of the option; none if the request is as by default.
  let words: @Sendable (TranscodeRequest) -> [String]

  private init(
    _ name: String, _ other: String?, _ group: String?, replacedBy replacement: String? = nil,
    words: @escaping @Sendable (TranscodeRequest) -> [String]
  ) {
    (names, self.group, self.words) = ([name] + (other.map { [$0] } ?? []), group, words)
    self.replacement = replacement
  }

  /// An option whose value has a default.
  /// - Parameters:
  ///   - name: Its name.
  ///   - other: Its other name.
  ///   - group: See `group`.
  ///   - part: What it sets.
  ///   - text: The value as it is written; nil: the option cannot say it.
  static func value<Value: Equatable & SendableMetatype>(
    _ name: String, or other: String? = nil, group: String? = nil,
    _ part: @escaping @Sendable (TranscodeRequest) -> Value,
    _ text: @escaping @Sendable (Value) -> String?
  ) -> RequestArgument {
    RequestArgument(name, other, group) { request in
      let value = part(request)
      guard value != part(TranscodePreset.defaultRequest), let text = text(value) else { return [] }
      return [name, text]
    }
  }

  /// An option whose value may be missing; parameters as for `value`.
  static func option<Value>(
    _ name: String, or other: String? = nil, group: String? = nil,
    _ part: @escaping @Sendable (TranscodeRequest) -> Value?,
    _ text: @escaping @Sendable (Value) -> String? = { text(of: $0) }
  ) -> RequestArgument {
    RequestArgument(name, other, group) { request in
      guard let value = part(request), let text = text(value) else { return [] }
      return [name, text]
    }
  }

  /// This option of something.
  func of(_ owner: Owner) -> RequestArgument {
    var result = self
    result.owner = owner
    return result
  }

  /// A value as a user would write it: whole numbers without a fraction.
  static func text(of value: some Any) -> String {
    guard let number = value as? Double, number == number.rounded(), number.magnitude < 1e15 else { return "\(value)" }
    return "\(Int(number))"
  }

  /// A flag.
  /// - Parameter isSet: Whether the request differs from the default by it.
  static func flag(
    _ name: String, or other: String? = nil, group: String? = nil, replacedBy replacement: String? = nil,
    _ isSet: @escaping @Sendable (TranscodeRequest) -> Bool
  ) -> RequestArgument {
    RequestArgument(name, other, group, replacedBy: replacement) { isSet($0) ? [name] : [] }
  }

  /// An option that may be repeated.
  static func list(
    _ name: String, or other: String? = nil, group: String? = nil,
    _ values: @escaping @Sendable (TranscodeRequest) -> [String]
  ) -> RequestArgument {
    RequestArgument(name, other, group) { values($0).flatMap { [name, $0] } }
  }
}
