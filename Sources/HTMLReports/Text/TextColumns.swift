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

  /// The titles as a line.
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
