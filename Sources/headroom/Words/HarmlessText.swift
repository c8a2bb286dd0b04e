extension String {
  /// Without what a terminal would obey: names of files may have any characters. Ends of lines stay, those of messages are meant.
  var harmless: String {
    guard unicodeScalars.contains(where: Self.isObeyed) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if Self.isObeyed(scalar) {
        text += "\\x" + String(scalar.value, radix: 16)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The same on one line.
  var harmlessLine: String { harmless.replacing("\n", with: "\\n") }

  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\n"
  }
}
