/// Converts the renderer's text to header values, which are ASCII without control characters (RFC 9110, 5.5).
enum HeaderText {
  /// Converts JSON; other characters occur in strings only, where they can be escaped (RFC 8259, 7).
  static func json(_ text: String) -> String {
    text.utf16.reduce(into: "") { result, unit in
      switch unit {
      case 0x20..<0x7F: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      case 0..<0x20: result += " "
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }

  /// Converts other text; non-ASCII characters are left out.
  static func plain(_ text: String) -> String {
    String(text.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) })
  }

  /// Returns `Content-Disposition` for a file name (RFC 6266, 4.1; RFC 8187).
  static func attachment(_ name: String) -> String {
    let safe = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._".utf8)
    let plain = String(name.unicodeScalars.map { $0.isASCII && safe.contains(UInt8($0.value)) ? Character($0) : "_" })
    let encoded = name.utf8.reduce(into: "") { result, byte in
      let digits = String(byte, radix: 16, uppercase: true)
      result += safe.contains(byte) ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
    }
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
  }
}
