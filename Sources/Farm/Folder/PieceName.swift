/// The kind of a file in the pieces folder, by its name. Other files are never opened.
enum PieceName: Hashable {
  /// "N.json".
  case record(Int)
  /// "N.HASH.mkv".
  case piece(Int)
  /// "N.HASH.png".
  case thumbnail(Int)
  /// "N.TOKEN.part.mkv".
  case part(Int, token: String)
  /// "N.TOKEN.rejected.json".
  case rejection(Int)
  /// "N.TOKEN.rejected.mkv".
  case rejectedPiece(Int)

  /// nil for other names.
  init?(_ name: String) {
    guard name.utf8.count <= 255, name.utf8.allSatisfy(Self.isAllowed) else { return nil }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let number = parts.first.flatMap(Int.init(plain:)), !parts.contains("") else { return nil }
    switch (parts.count, parts.last) {
    case (2, "json"): self = .record(number)
    case (3, "mkv"): self = .piece(number)
    case (3, "png"): self = .thumbnail(number)
    case (4, "mkv") where parts[2] == "part": self = .part(number, token: String(parts[1]))
    case (4, "mkv") where parts[2] == "rejected": self = .rejectedPiece(number)
    case (4, "json") where parts[2] == "rejected": self = .rejection(number)
    default: return nil
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Int {
  /// Parses a plain decimal number from 0, without leading zeros.
  init?(plain text: some StringProtocol) {
    guard let value = Int(text), value >= 0, String(value) == text else { return nil }
    self = value
  }
}
