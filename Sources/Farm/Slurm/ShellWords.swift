/// Quotes and parses words of a POSIX shell.
package enum ShellWords {
  /// Quotes a word, so that a shell reads it literally.
  package static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// Splits text with single quotes, double quotes and backslashes into words, without expansion.
  /// - Returns: nil if a quote is unterminated, or the text ends with a backslash.
  package static func words(of text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        // Within double quotes, a backslash escapes only special characters.
        let isPlain = quote == "\"" && !["\"", "\\", "$", "`"].contains(character)
        word = (word ?? "") + (isPlain ? "\\" : "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil && !isEscaped ? words : nil
  }
}
