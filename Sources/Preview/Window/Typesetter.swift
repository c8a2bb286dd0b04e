internal import Frames
internal import Lettering

/// Typesets lines of text and caches unchanged ones: a status line changes by a number or two.
struct Typesetter {
  private struct Key: Hashable {
    var text: String
    var height: Double
  }

  private let typeface: Typeface?
  private var height = 0.0
  private var kept: [Key: Coverage] = [:]
  private var used: [Key: Coverage] = [:]
  /// The last help layout.
  private var sheet: (place: OverlayPlace, sheet: HelpSheet)?

  init(typeface: Typeface?) { self.typeface = typeface }

  /// Starts a round of texts.
  mutating func begin(height: Double) { self.height = height }

  /// Drops texts that were not used in this round.
  mutating func end() { (kept, used) = (used, [:]) }

  private mutating func ink(_ text: String, height: Double) -> Coverage? {
    guard let typeface else { return nil }
    let key = Key(text: text, height: height)
    let ink = used[key] ?? kept[key] ?? typeface.line(text, height: height)
    used[key] = ink
    return ink
  }

  /// Returns the line pitch, 1.2 times the height.
  private func pitch(_ height: Double) -> Int { Int((height * 1.2).rounded()) }

  /// Sets the parts of a text, separated by dots, on as many lines as needed.
  mutating func paragraph(_ parts: [String], in place: OverlayPlace, at corner: OverlayPlace.Corner)
    -> TextBox?
  {
    let gap = Int((height * 0.4).rounded())
    guard let dot = ink("·", height: height) else { return nil }
    var lines: [TextBox.Line] = []
    var (x, y, width) = (0, 0, 0)
    for part in parts {
      guard let ink = ink(part, height: height) else { continue }
      if x > 0, x + 2 * gap + dot.width + ink.width > place.textWidth {
        (x, y) = (0, y + pitch(height))
      } else if x > 0 {
        lines.append(TextBox.Line(x: x + gap, y: y, ink: dot, isDim: true))
        x += 2 * gap + dot.width
      }
      lines.append(TextBox.Line(x: x, y: y, ink: ink))
      x += ink.width
      width = max(width, min(x, place.textWidth))
    }
    guard !lines.isEmpty else { return nil }
    return TextBox(
      box: place.box(width: width, height: y + dot.height, at: corner), lines: inset(lines, by: place.padding))
  }

  /// Sets texts below each other in the upper corner.
  mutating func list(_ texts: [String], in place: OverlayPlace) -> TextBox? {
    var lines: [TextBox.Line] = []
    for text in texts {
      guard let ink = ink(text, height: height) else { continue }
      lines.append(TextBox.Line(x: 0, y: lines.count * pitch(height), ink: ink))
    }
    guard let last = lines.last, let width = lines.map(\.ink.width).max() else { return nil }
    return TextBox(
      box: place.box(width: min(width, place.textWidth), height: last.y + last.ink.height, at: .topLeft),
      lines: inset(lines, by: place.padding))
  }

  private func inset(_ lines: [TextBox.Line], by padding: Int) -> [TextBox.Line] {
    lines.map { TextBox.Line(x: $0.x + padding, y: $0.y + padding, ink: $0.ink, isDim: $0.isDim) }
  }

  /// Sets all keys in two columns, or in one if that fits better; shrinks to fit a small window.
  mutating func help(in place: OverlayPlace) -> TextBox? {
    if sheet?.place != place { sheet = sheet(for: place).map { (place, $0) } }
    guard let sheet = sheet?.sheet else { return nil }
    var lines: [TextBox.Line] = []
    for entry in sheet.entries {
      if let ink = ink(entry.keys, height: sheet.height) {
        lines.append(TextBox.Line(x: entry.x, y: entry.y, ink: ink, isDim: true))
      }
      if let ink = ink(entry.help, height: sheet.height) {
        lines.append(TextBox.Line(x: entry.x + sheet.keyWidth, y: entry.y, ink: ink))
      }
    }
    return TextBox(
      box: place.box(width: sheet.width, height: sheet.total, at: .center),
      lines: inset(lines, by: place.padding))
  }

  private func sheet(for place: OverlayPlace) -> HelpSheet? {
    guard let typeface else { return nil }
    let sheets = [2, 1].map {
      HelpSheet(columns: $0, height: height, typeface: typeface, pitch: pitch)
    }
    let best =
      sheets.first { $0.fit(in: place) >= 1 }
      ?? sheets.max { $0.fit(in: place) < $1.fit(in: place) }
    guard var sheet = best else { return nil }
    // Rounding to whole pixels between lines makes it slightly higher than proportional.
    while sheet.fit(in: place) < 1, sheet.height > 4 {
      let height = sheet.height * min(max(sheet.fit(in: place), 0.5), 0.98)
      sheet = HelpSheet(columns: sheet.columns, height: height, typeface: typeface, pitch: pitch)
    }
    return sheet
  }
}
