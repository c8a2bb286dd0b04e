/// Text within a string of JSON.
enum JSONText {
  /// Escapes what a string of JSON cannot hold (RFC 8259, 7).
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
