/// Text over a picture: the status line, a message in its place, and help.
struct TerminalOverlay {
  var status = PreviewStatus()
  var isStatusOn = true
  var isHelpOn = false
  private var message: (text: String, end: ContinuousClock.Instant)?

  /// How long a message is shown.
  private static let patience = Duration.seconds(2.5)
  private static let foreground: UInt32 = 0xE0_E0E0
  private static let background: UInt32 = 0x20_2020
  private static let messageBackground: UInt32 = 0x60_4000

  /// Shows a message from now on.
  mutating func say(_ text: String, at now: ContinuousClock.Instant = .now) { message = (text, now + Self.patience) }

  /// The lines that are shown at a time.
  func lines(_ geometry: TerminalGeometry, at now: ContinuousClock.Instant = .now) -> [TerminalText] {
    var lines = isHelpOn ? help(geometry) : []
    let row = geometry.rows - 1
    if let message, now < message.end {
      lines.append(Self.line(message.text, row, geometry.columns, Self.messageBackground))
    } else if isStatusOn {
      lines.append(Self.line(status.text, row, geometry.columns, Self.background))
    }
    return lines
  }

  /// A line that fills a row.
  private static func line(_ text: String, _ row: Int, _ columns: Int, _ background: UInt32) -> TerminalText {
    TerminalText(
      row: row, column: 0, text: padded(text, to: columns), foreground: foreground, background: background)
  }

  /// All keys, in as many columns as the rows make necessary, in the middle.
  private func help(_ geometry: TerminalGeometry) -> [TerminalText] {
    let labels = PreviewKey.all.map { $0.presses.map(\.label).joined(separator: " ") }
    let labelWidth = labels.map(\.unicodeScalars.count).max() ?? 0
    let entries = zip(labels, PreviewKey.all).map { " \(Self.padded($0, to: labelWidth))  \($1.help) " }
    let width = entries.map(\.unicodeScalars.count).max() ?? 0
    let columns = (entries.count + geometry.pictureRows - 1) / geometry.pictureRows
    let rows = (entries.count + columns - 1) / columns
    let (top, left) = ((geometry.pictureRows - rows) / 2, max((geometry.columns - columns * width) / 2, 0))
    return (0..<rows).map { row in
      let text = stride(from: row, to: columns * rows, by: rows)
        .map { Self.padded($0 < entries.count ? entries[$0] : "", to: width) }.joined()
      return TerminalText(
        row: top + row, column: left, text: text, foreground: Self.foreground, background: Self.background)
    }
  }

  /// Text of a certain number of scalars, which take a cell each.
  private static func padded(_ text: String, to count: Int) -> String {
    var scalars = String.UnicodeScalarView(text.unicodeScalars.prefix(count))
    scalars.append(contentsOf: repeatElement(" ", count: max(count - scalars.count, 0)))
    return String(scalars)
  }
}
