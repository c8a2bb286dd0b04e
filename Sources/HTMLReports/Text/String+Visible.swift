extension String {
  /// The text with control characters and directional formatting characters escaped, as `\u{1B}`.
  ///
  /// File names are untrusted: they must not move a terminal's cursor or disguise themselves.
  package var visible: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
