/// Columns of monospaced text.
package struct TextColumns: Sendable {
  /// The head of a column, and how it is aligned.
  package struct Column: Sendable {
    /// Above the column.
    package var title: String
    /// Numbers are aligned to the right.
    package var isNumeric: Bool

    /// A column of numbers by default.
    package init(_ title: String, isNumeric: Bool = true) {
      self.title = title
      self.isNumeric = isNumeric
    }
  }

  /// From left to right.
  package let columns: [Column]
  /// A text for each column.
  package let rows: [[String]]
  private let widths: [Int]

  /// Columns as wide as their longest text.
  /// - Parameters:
  ///   - rows: A text for each column.
  ///   - width: Characters of a line. The first column takes what the others leave, at least eight.
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

  /// The titles and the rows.
  package var lines: [String] { [header] + rows.map(line) }

  /// The titles.
  package var header: String { line(columns.map(\.title)) }

  /// A row.
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
