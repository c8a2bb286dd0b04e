/// Columns of monospaced text.
struct TextColumns {
  struct Column {
    var title: String
    /// Numbers are aligned to the right.
    var isNumeric: Bool

    init(_ title: String, isNumeric: Bool = true) {
      self.title = title
      self.isNumeric = isNumeric
    }
  }

  let columns: [Column]
  let rows: [[String]]
  private let widths: [Int]

  /// - Parameters:
  ///   - rows: A text for each column.
  ///   - width: Characters of a line. The first column takes what the others leave, at least eight.
  init(_ columns: [Column], rows: [[String]], width: Int) {
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
  var lines: [String] { [header] + rows.map(line) }

  var header: String { line(columns.map(\.title)) }

  func line(_ row: [String]) -> String {
    var line = " "
    for (index, column) in columns.enumerated() {
      let width = widths[index]
      line += (index == 0 ? " " : "  ") + row[index].shortened(to: width).padded(to: width, leading: column.isNumeric)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
