/// Text columns: a number of left-aligned ones, then right-aligned ones.
struct Table {
  private var rows: [[String]]
  private let leading: Int

  init(leading: Int, _ header: [String]) {
    self.leading = leading
    rows = [header]
  }

  mutating func add(_ row: [String]) { rows.append(row) }

  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column < leading ? cell + space : space + cell
      }
      return "  " + cells.joined(separator: "   ")
    }
    return lines.joined(separator: "\n")
  }
}
