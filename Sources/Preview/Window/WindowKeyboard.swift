/// What keys that go down, and the characters that they type, ask for.
struct WindowKeyboard {
  /// The last key that went down is held, and goes down again and again.
  private var isRepeat = false

  /// A key went down.
  /// - Parameters:
  ///   - special: The key, if it stands for itself rather than for a character.
  ///   - isRepeat: It is held.
  mutating func press(_ special: PreviewKey.Special?, isRepeat: Bool) -> PreviewCommand? {
    self.isRepeat = isRepeat
    return special.flatMap { command(for: .special($0)) }
  }

  /// Characters were typed, by the key that went down last.
  mutating func type(_ text: String) -> [PreviewCommand] {
    text.compactMap { command(for: .character($0)) }
  }

  private func command(for press: PreviewKey.Press) -> PreviewCommand? {
    PreviewKey.command(for: press).flatMap { isRepeat && !$0.repeats ? nil : $0 }
  }
}

extension PreviewCommand {
  /// A key that is held does it again and again.
  var repeats: Bool {
    switch self {
    case .raiseHeadroom, .lowerHeadroom, .raiseExposure, .lowerExposure, .raiseSDRWhite,
      .lowerSDRWhite, .step:
      true
    default: false
    }
  }
}
