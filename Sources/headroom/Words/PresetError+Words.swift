internal import Sessions

extension PresetError {
  /// The end of a sentence about the preset.
  var words: String {
    switch self {
    case .isUnreadable(let reason): "cannot be read: \(reason)."
    case .isNoJSON(let reason): "it is not a JSON object\(reason.map { ": \($0)" } ?? "")."
    case .unknownKey(let key):
      "there is no key '\(key)'; `headroom transcode --dry-run --json` prints all keys, in plan.transcode.request."
    case .invalidValue(let key, let allowed): "'\(key)' is not valid: \(allowed)."
    case .isOtherPlan(let kind): "it is a plan of another verb ('\(kind)'), and presets are for transcode."
    case .belongsToRun(let key): "'\(key)' belongs to a single run: remove it, and name files on the command line."
    case .isRefused(let key, let message): (key.map { "'\($0)': " } ?? "") + message.words
    }
  }

  /// - Parameter name: Of the preset or its file.
  func failure(ofPreset name: String) -> CommandFailure {
    if case .isUnreadable = self { return CommandFailure("The preset '\(name)' \(words)") }
    return Self.failure(ofPreset: name, words)
  }

  /// - Parameter reason: A sentence, or the end of one.
  static func failure(ofPreset name: String, _ reason: String) -> CommandFailure {
    CommandFailure("The preset '\(name)' cannot be used: \(reason)", .usage)
  }

  /// There is no such preset.
  static func wordsForNone(named name: String) -> String {
    "There is no preset '\(name)': use one of \(PresetStore.all.map(\.name).joined(separator: ", ")), or a file that ends in "
      + "\(PresetStore.suffix). Your own belong in '\(PresetStore.folder)'."
  }

  /// The end of a sentence about a preset that options cannot say.
  static func wordsForUnstated(_ key: String) -> String { "no option of transcode stands for this value of '\(key)'." }
}
