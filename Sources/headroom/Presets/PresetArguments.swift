/// Inserts the options of a preset before those of the user.
enum PresetArguments {
  static let option = "--preset-file"
  private static let verbs = ["transcode", "plan"]

  /// Returns the arguments with the options of a preset, if they name one; the last one counts.
  /// - Throws: `CommandFailure` if the preset does not exist or is unusable.
  static func expanded(_ arguments: [String]) throws(CommandFailure) -> [String] {
    guard let verb = arguments.first, verbs.contains(verb) else { return arguments }
    // Words after a terminator are not options.
    let own = arguments.dropFirst().prefix { $0 != "--" }
    guard let name = name(in: own) else { return arguments }
    return try [verb] + PresetFile(named: name).preset().words(beside: own) + arguments.dropFirst()
  }

  private static func name(in arguments: ArraySlice<String>) -> String? {
    for (index, word) in zip(arguments.indices, arguments).reversed() {
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
      // For a missing value, the parser reports the error.
      if word == option { return index + 1 < arguments.endIndex ? arguments[index + 1] : nil }
    }
    return nil
  }
}
