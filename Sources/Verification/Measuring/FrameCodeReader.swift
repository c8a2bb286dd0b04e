internal import Frames
internal import Patterns

/// Reads a frame number from its code cells.
struct FrameCodeReader: Sendable {
  /// Cells of the code in the picture, row by row, without edges.
  private let cells: [PictureArea]
  /// Minimum contrast of black and white, as a fraction of the code range.
  private static let minimumContrast = 0.1

  /// - Returns: nil if a cell is cropped.
  init?(_ area: PictureArea, _ placement: Placement) {
    var cells: [PictureArea] = []
    for row in 0..<FrameCode.rows {
      for column in 0..<FrameCode.columns {
        func edge(_ index: Int, _ count: Int, _ extent: Int) -> Int { index * extent / count }
        let left = area.x + edge(column, FrameCode.columns, area.width)
        let right = area.x + edge(column + 1, FrameCode.columns, area.width)
        let top = area.y + edge(row, FrameCode.rows, area.height)
        let bottom = area.y + edge(row + 1, FrameCode.rows, area.height)
        let cell = placement.pixels(of: PictureArea(x: left, y: top, width: right - left, height: bottom - top))
        guard !cell.isEmpty else { return nil }
        cells.append(cell.inset(cell.width / 4, cell.height / 4))
      }
    }
    self.cells = cells
  }

  /// Returns the number; nil if cells are indistinguishable or the checksum is wrong.
  func number(_ reader: inout SampleReader, range: Double, isRGB: Bool) -> Int? {
    let levels = cells.compactMap { reader.statistics(isRGB ? 1 : 0, $0)?.mean }
    guard levels.count == cells.count, let low = levels.min(), let high = levels.max(),
      high - low > Self.minimumContrast * range
    else { return nil }
    return FrameCode.number(levels.map { $0 > (low + high) / 2 })
  }
}
