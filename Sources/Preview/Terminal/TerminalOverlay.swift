/// Text over a picture: the status line or a message in its position, and help.
struct TerminalOverlay {
  var status = PreviewStatus()
  var isStatusOn = true
  var isHelpOn = false
  private var message: (text: String, end: ContinuousClock.Instant)?

  /// Duration of a message.
  private static let patience = Duration.seconds(2.5)
  private static let foreground: UInt32 = 0xE0_E0E0
  private static let background: UInt32 = 0x20_2020
  private static let messageBackground: UInt32 = 0x60_4000

  /// Shows a message.
  mutating func say(_ text: String, at now: ContinuousClock.Instant = .now) { message = (text, now + Self.patience) }

  /// Returns the visible lines.
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

  /// Returns a line that fills a row.
  private static func line(_ text: String, _ row: Int, _ columns: Int, _ background: UInt32) -> TerminalText {
    TerminalText(
      row: row, column: 0, text: padded(text, to: columns), foreground: foreground, background: background)
  }

  /// Returns all keys, centred, in as many columns as the rows require.
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

  /// Pads or truncates text to a number of scalars, one cell each.
  private static func padded(_ text: String, to count: Int) -> String {
    var scalars = String.UnicodeScalarView(text.unicodeScalars.prefix(count))
    scalars.append(contentsOf: repeatElement(" ", count: max(count - scalars.count, 0)))
    return String(scalars)
  }
}
