internal import Foundation

/// Columns of monospaced text.
package struct TextColumns: Sendable {
  /// The title and alignment of a column.
  package struct Column: Sendable {
    /// The title above the column.
    package var title: String
    /// Numbers are right-aligned.
    package var isNumeric: Bool

    /// Creates a column, numeric by default.
    package init(_ title: String, isNumeric: Bool = true) {
      self.title = title
      self.isNumeric = isNumeric
    }
  }

  /// The columns, from left to right.
  package let columns: [Column]
  /// The cells of each row.
  package let rows: [[String]]
  private let widths: [Int]

  /// Creates columns as wide as their longest cell.
  /// - Parameters:
  ///   - rows: The cells of each row.
  ///   - width: Characters per line. The first column takes the remaining width, at least eight.
  package init(_ columns: [Column], rows: [[String]], width: Int) {
    self.columns = columns
    self.rows = rows
    var widths = columns.enumerated().map { index, column in
      max(column.title.count, rows.map { $0[index].count }.max() ?? 0)
    }
    let others = widths.dropFirst().reduce(2) { $0 + 2 + $1 }
    widths[0] = min(widths[0], max(width - others, 8))
    self.widths = widths
  }

  /// The titles and rows as lines.
  package var lines: [String] { [header] + rows.map(line) }

  package var header: String { line(columns.map(\.title)) }

  /// Returns a row as a line.
  package func line(_ row: [String]) -> String {
    var line = " "
    for (index, column) in columns.enumerated() {
      let width = widths[index]
      line += (index == 0 ? " " : "  ") + row[index].shortened(to: width).padded(to: width, leading: column.isNumeric)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension String {
  /// Returns the text, with its middle elided if it is too long.
  /// - Parameter length: Maximum number of characters, at least 3.
  package func shortened(to length: Int) -> String {
    guard count > length else { return self }
    let kept = max(length, 3) - 1
    return prefix((kept + 1) / 2) + "…" + suffix(kept / 2)
  }

  /// Returns lines of at most `width` characters; longer words are truncated.
  package func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(whereSeparator: \.isWhitespace) {
      var rest = Substring(word)
      if !line.isEmpty, line.count + 1 + rest.count > width {
        lines.append(line)
        line = ""
      }
      while rest.count > width {
        lines.append(String(rest.prefix(width)))
        rest = rest.dropFirst(width)
      }
      line += (line.isEmpty ? "" : " ") + rest
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Returns the lines of an entry in a list, at most `width` characters long.
  package func listed(to width: Int) -> [String] {
    wrapped(to: width - 4).enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
  }

  /// Returns the text padded with spaces on the right, or on the left.
  package func padded(to width: Int, leading: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(width - count, 0))
    return leading ? spaces + self : self + spaces
  }

  /// The text with control characters and directional formatting characters escaped, as `\u{1B}`.
  ///
  /// File names are untrusted: they must not move a terminal's cursor or disguise themselves.
  package var visible: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
