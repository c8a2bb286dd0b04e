/// Text in a JSON string.
enum JSONText {
  /// Escapes characters that a JSON string cannot contain (RFC 8259, 7).
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
