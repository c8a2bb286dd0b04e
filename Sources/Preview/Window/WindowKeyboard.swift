/// Maps key presses and typed characters to commands.
struct WindowKeyboard {
  /// The last key press was a repetition.
  private var isRepeat = false

  /// Handles a key press.
  /// - Parameters:
  ///   - special: The key, if it types no character.
  ///   - isRepeat: Whether it is a repetition.
  mutating func press(_ special: PreviewKey.Special?, isRepeat: Bool) -> PreviewCommand? {
    self.isRepeat = isRepeat
    return special.flatMap { command(for: .special($0)) }
  }

  /// Handles characters typed with the last key.
  mutating func type(_ text: String) -> [PreviewCommand] {
    text.compactMap { command(for: .character($0)) }
  }

  private func command(for press: PreviewKey.Press) -> PreviewCommand? {
    PreviewKey.command(for: press).flatMap { isRepeat && !$0.repeats ? nil : $0 }
  }
}

extension PreviewCommand {
  /// Whether a held key repeats the command.
  var repeats: Bool {
    switch self {
    case .raiseHeadroom, .lowerHeadroom, .raiseExposure, .lowerExposure, .raiseSDRWhite,
      .lowerSDRWhite, .step:
      true
    default: false
    }
  }
}
