internal import ArgumentParser
package import Sessions

/// The command line that stands for a request.
package enum RequestArguments {
  /// All options of a transcode but those that say what is printed.
  ///
  /// Whoever adds an option to `TranscodeOptions` adds its entry here.
  static let entries: [RequestArgument] = output + streams + mapping + rendering + metadata + input

  /// The names of each option.
  package static var names: [[String]] { entries.map(\.names) }

  /// The arguments for what differs from the default request, without the input.
  package static func words(for request: TranscodeRequest) -> [String] { entries.flatMap { $0.words(request) } }

  /// The request that arguments stand for, with this input.
  /// - Throws: The parser's error.
  package static func request(parsing words: [String], input: String) throws -> TranscodeRequest {
    try TranscodeOptions.parse(words).request(input)
  }
}

extension [String] {
  /// As a shell reads it.
  var shellText: String {
    func isPlain(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber || "-_.,:=/+@%".contains(character))
    }
    return map { word in
      !word.isEmpty && word.allSatisfy(isPlain) ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }.joined(separator: " ")
  }
}
