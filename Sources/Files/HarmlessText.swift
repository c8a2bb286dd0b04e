extension String {
  /// The text without characters that control a terminal or disguise other text. Such a character is written as
  /// "\u001b", which JSON decodes to the same text. Line breaks and tabs stay, because messages use them.
  ///
  /// Source: ECMA-48, 8.3 (control functions); Unicode 15, 23.2 (Bidi_Control) and UAX #14 (separators).
  public var harmless: String {
    // Terminals may also obey bytes that are not UTF-8.
    escaping { scalar in Self.isObeyed(scalar) || Self.byte(of: scalar).map { $0 <= 0x9F } ?? false }
  }

  /// The same for JSON that this program reads back: bytes of names are kept.
  public var harmlessJSON: String { escaping(Self.isObeyed) }

  /// The same on one line.
  public var harmlessLine: String { harmless.replacing("\n", with: "\\n").replacing("\t", with: "\\t") }

  private func escaping(_ isObeyed: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isObeyed) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if isObeyed(scalar) {
        let digits = String(Self.byte(of: scalar).map(UInt32.init) ?? scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
