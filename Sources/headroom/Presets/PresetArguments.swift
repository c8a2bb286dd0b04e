/// Puts the options of a preset in front of those of the user.
enum PresetArguments {
  static let option = "--preset-file"
  private static let verbs = ["transcode", "plan"]

  /// The arguments of the program with those of the preset that they name, if they do; the last one counts.
  /// - Throws: `CommandFailure` if there is no such preset, or it cannot be used.
  static func expanded(_ arguments: [String]) throws(CommandFailure) -> [String] {
    guard let verb = arguments.first, verbs.contains(verb) else { return arguments }
    // What follows a terminator are no options.
    let own = arguments.dropFirst().prefix { $0 != "--" }
    guard let name = name(in: own) else { return arguments }
    return try [verb] + PresetFile(named: name).preset().words(beside: own) + arguments.dropFirst()
  }

  private static func name(in arguments: ArraySlice<String>) -> String? {
    for (index, word) in zip(arguments.indices, arguments).reversed() {
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
      // Without a value the parser says what is missing.
      if word == option { return index + 1 < arguments.endIndex ? arguments[index + 1] : nil }
    }
    return nil
  }
}
