internal import CQRencode

/// QR codes for terminals.
enum QRCode {
  /// Width of the light margin in modules (ISO/IEC 18004, 9.1).
  private static let margin = 4

  /// Returns lines of block characters, two modules per character, one above the other. Light modules are painted and
  /// dark ones left blank, as most terminals are dark.
  /// - Returns: An empty array if the text is too long.
  static func lines(of text: String) -> [String] {
    guard let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return [] }
    defer { unsafe QRcode_free(code) }
    let width = unsafe Int(code.pointee.width)
    func isLight(_ row: Int, _ column: Int) -> Bool {
      guard (0..<width).contains(row), (0..<width).contains(column) else { return row < width + margin }
      return unsafe code.pointee.data[row * width + column] & 1 == 0
    }
    return stride(from: -margin, to: width + margin, by: 2).map { row in
      (-margin..<width + margin).reduce(into: "") { line, column in
        switch (isLight(row, column), isLight(row + 1, column)) {
        case (true, true): line += "█"
        case (true, false): line += "▀"
        case (false, true): line += "▄"
        case (false, false): line += " "
        }
      }
    }
  }
}
