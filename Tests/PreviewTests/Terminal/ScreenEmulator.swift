/// What a terminal shows that has been sent some bytes: as much of ECMA-48 as a preview uses, and a list of what it does not know.
struct ScreenEmulator {
  struct Cell: Hashable {
    var glyph: Unicode.Scalar = " "
    /// 0xRRGGBB; nil: the terminal's own.
    var foreground: Int?
    var background: Int?
  }

  struct Place: Hashable {
    var row = 0
    var column = 0
  }

  /// A device control string, and where it was drawn.
  struct Control: Hashable {
    let place: Place
    let bytes: [UInt8]
  }

  private(set) var cells: [Place: Cell] = [:]
  private(set) var modes: Set<String> = []
  /// Application program commands: kitty's images.
  private(set) var commands: [[UInt8]] = []
  private(set) var controls: [Control] = []
  /// What it does not know.
  private(set) var unknown: [String] = []
  /// Synchronized updates that have ended.
  private(set) var updates = 0
  private var cursor = Place()
  private var pen = Cell()
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    while let first = self.bytes.first { step(first) }
  }

  func cell(_ row: Int, _ column: Int) -> Cell { cells[Place(row: row, column: column)] ?? Cell() }

  /// The characters of a row.
  func text(row: Int, columns: Int) -> String {
    var scalars = String.UnicodeScalarView()
    for column in 0..<columns { scalars.append(cell(row, column).glyph) }
    return String(scalars)
  }

  private mutating func step(_ first: UInt8) {
    bytes.removeFirst()
    guard first != 0x1B else { return escape() }
    let count = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
    let text = String(decoding: [first] + bytes.prefix(count), as: UTF8.self)
    bytes.removeFirst(min(count, bytes.count))
    guard first >= 0x20, let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else {
      unknown.append("byte \(first)")
      return
    }
    cells[cursor] = Cell(glyph: scalar, foreground: pen.foreground, background: pen.background)
    cursor.column += 1
  }

  private mutating func escape() {
    guard let second = bytes.popFirst() else { return }
    switch second {
    case UInt8(ascii: "["): control()
    case UInt8(ascii: "_"): commands.append(string())
    case UInt8(ascii: "P"): controls.append(Control(place: cursor, bytes: string()))
    case UInt8(ascii: "\\"): break
    default: unknown.append("ESC \(second)")
    }
  }

  private mutating func string() -> [UInt8] {
    var string: [UInt8] = []
    while let byte = bytes.popFirst() {
      if byte == 0x1B {
        if bytes.popFirst() != UInt8(ascii: "\\") { unknown.append("string cut") }
        break
      }
      string.append(byte)
    }
    return string
  }

  private mutating func control() {
    var text = ""
    while let byte = bytes.popFirst() {
      let character = Character(Unicode.Scalar(byte))
      guard (0x40...0x7E).contains(byte) else {
        text.append(character)
        continue
      }
      return obey(text, character)
    }
  }

  private mutating func obey(_ text: String, _ last: Character) {
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch (last, text) {
    case ("H", _) where numbers.count == 2: cursor = Place(row: numbers[0] - 1, column: numbers[1] - 1)
    case ("C", _): cursor.column += max(numbers[0], 1)
    case ("m", _): color(numbers)
    case ("J", "2"): cells = [:]
    case ("h", _) where text.hasPrefix("?"): modes.insert(text)
    case ("l", _) where text.hasPrefix("?"):
      modes.remove(text)
      if text == "?25" { modes.insert("hidden") }
      if text == "?2026" { updates += 1 }
    case ("t", "16"), ("t", "14"), ("c", ""): break
    default: unknown.append("CSI \(text)\(last)")
    }
    if last == "h", text == "?25" { modes.remove("hidden") }
  }

  private mutating func color(_ numbers: [Int]) {
    var rest = numbers[...]
    while let code = rest.popFirst() {
      switch code {
      case 0: pen = Cell()
      case 39: pen.foreground = nil
      case 49: pen.background = nil
      case 38, 48:
        guard rest.count >= 4, rest.popFirst() == 2, rest.prefix(3).allSatisfy((0...255).contains) else {
          unknown.append("color \(numbers)")
          return
        }
        let color = rest.prefix(3).reduce(0) { $0 << 8 | $1 }
        rest = rest.dropFirst(3)
        if code == 38 { pen.foreground = color } else { pen.background = color }
      default: unknown.append("color \(numbers)")
      }
    }
  }
}
