internal import Frames

/// Finds the unobstructed part of an area.
enum FreeArea {
  /// More obstacles than this are merged into their common bounds.
  private static let maximumObstacles = 24

  /// Returns the best rectangle of an area that does not touch the obstacles; nil if there is none.
  /// - Parameter margin: Pixels on each side that do not add to a rectangle's score.
  static func largest(in area: PictureArea, without obstacles: [PictureArea], margin: Int = 3) -> PictureArea? {
    var obstacles = obstacles.map(area.intersection).filter { !$0.isEmpty }
    guard !obstacles.isEmpty else { return area }
    if obstacles.count > maximumObstacles { obstacles = [bounds(obstacles)] }
    let columns = Set([area.x, area.maxX] + obstacles.flatMap { [$0.x, $0.maxX] }).sorted()
    let rows = Set([area.y, area.maxY] + obstacles.flatMap { [$0.y, $0.maxY] }).sorted()
    var best: PictureArea?
    var bestWorth = 0
    for left in columns.indices {
      for right in columns.indices where right > left {
        let (x, maxX) = (columns[left], columns[right])
        let over = obstacles.filter { $0.x < maxX && $0.maxX > x }
        // The longest run of rows without obstacles in these columns.
        var start: Int?
        for (row, next) in zip(rows, rows.dropFirst()) {
          let isFree = !over.contains { $0.y < next && $0.maxY > row }
          start = isFree ? start ?? row : nil
          guard let start else { continue }
          let worth = max(maxX - x - 2 * margin, 1) * max(next - start - 2 * margin, 1)
          if worth > bestWorth {
            bestWorth = worth
            best = PictureArea(x: x, y: start, width: maxX - x, height: next - start)
          }
        }
      }
    }
    return best
  }

  private static func bounds(_ areas: [PictureArea]) -> PictureArea {
    var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
    for area in areas {
      (left, top) = (min(left, area.x), min(top, area.y))
      (right, bottom) = (max(right, area.maxX), max(bottom, area.maxY))
    }
    return PictureArea(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension Array where Element == PictureArea {
  /// Returns the elements that intersect an area.
  func touching(_ area: PictureArea) -> [PictureArea] { filter { !$0.intersection(area).isEmpty } }
}
