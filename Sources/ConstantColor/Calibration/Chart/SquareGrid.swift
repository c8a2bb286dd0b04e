/// Squares that lie in a grid, seen at an angle.
struct SquareGrid {
  /// A position in the grid: columns to the right, rows clockwise from there.
  struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  /// From positions in the grid to pixels of the reduced picture.
  let toPicture: Homography
  /// The positions that squares were found at.
  let cells: [Cell]

  /// Fewer squares are no chart.
  private static let minimumCount = 8
  /// Positions to each side of the first.
  private static let reach = 8

  /// The grids that squares lie in.
  static func all(of squares: [FlatSquare]) -> [SquareGrid] {
    var (result, known): ([SquareGrid], Set<Int>) = ([], [])
    for first in squares.indices where !known.contains(first) {
      var best: (members: [Cell: Int], grid: SquareGrid)?
      for (right, down) in neighbors(of: first, in: squares) {
        let members = grown(from: first, right, down, in: squares)
        guard members.count > best?.members.count ?? (minimumCount - 1), let grid = SquareGrid(members, squares) else {
          continue
        }
        best = (members, grid)
      }
      guard let best else { continue }
      known.formUnion(best.members.values)
      result.append(best.grid)
    }
    return result
  }

  /// The map that most of the squares agree with.
  private init?(_ members: [Cell: Int], _ squares: [FlatSquare]) {
    func fit(_ cells: [Cell]) -> Homography? {
      Homography(
        from: cells.map { SIMD2(Double($0.column), Double($0.row)) },
        to: cells.compactMap { members[$0].map { squares[$0].center } })
    }
    let all = members.keys.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    guard let rough = fit(all) else { return nil }
    let kept = all.filter { cell in
      guard let square = members[cell].map({ squares[$0] }) else { return false }
      let error = rough(SIMD2(Double(cell.column), Double(cell.row))) - square.center
      return (error * error).sum() < 0.03 * square.area
    }
    guard kept.count >= Self.minimumCount, Set(kept.map(\.column)).count >= 3, Set(kept.map(\.row)).count >= 3,
      let map = fit(kept)
    else { return nil }
    toPicture = map
    cells = kept
  }

  /// Pairs of steps to neighbours of about the same size that span a cell, the second clockwise from the first.
  private static func neighbors(of first: Int, in squares: [FlatSquare]) -> [(SIMD2<Double>, SIMD2<Double>)] {
    let square = squares[first]
    var steps = squares.indices.filter { $0 != first && (0.5...2).contains(squares[$0].area / square.area) }
      .map { squares[$0].center - square.center }
    func length(_ step: SIMD2<Double>) -> Double { (step * step).sum().squareRoot() }
    steps = steps.filter { (0.85...1.9).contains(length($0) / square.side) }.sorted { length($0) < length($1) }
    let nearest = steps.prefix(8)
    return nearest.flatMap { right in
      nearest.filter { down in
        let sine = (right.x * down.y - right.y * down.x) / (length(right) * length(down))
        return sine > 0.75 && (0.6...1.7).contains(length(right) / length(down))
      }.map { (right, $0) }
    }
  }

  /// The squares reached from a first one by steps that change slowly.
  private static func grown(
    from first: Int, _ right: SIMD2<Double>, _ down: SIMD2<Double>, in squares: [FlatSquare]
  ) -> [Cell: Int] {
    var members = [Cell(column: 0, row: 0): first]
    var used: Set<Int> = [first]
    var waiting = [(cell: Cell(column: 0, row: 0), index: first, right: right, down: down)]
    var next = 0
    while next < waiting.count {
      let (cell, index, right, down) = waiting[next]
      next += 1
      for (columns, rows) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let target = Cell(column: cell.column + columns, row: cell.row + rows)
        guard members[target] == nil, max(target.column.magnitude, target.row.magnitude) <= reach else { continue }
        let step = Double(columns) * right + Double(rows) * down
        guard let found = square(near: squares[index].center + step, step, squares), !used.contains(found),
          (0.4...2.5).contains(squares[found].area / squares[index].area)
        else { continue }
        members[target] = found
        used.insert(found)
        let moved = (squares[found].center - squares[index].center) * Double(columns + rows)
        waiting.append((target, found, columns != 0 ? moved : right, rows != 0 ? moved : down))
      }
    }
    return members
  }

  private static func square(
    near place: SIMD2<Double>, _ step: SIMD2<Double>, _ squares: [FlatSquare]
  ) -> Int? {
    func distance(_ index: Int) -> Double {
      let error = squares[index].center - place
      return (error * error).sum()
    }
    guard let nearest = squares.indices.min(by: { distance($0) < distance($1) }) else { return nil }
    return distance(nearest) < 0.06 * (step * step).sum() ? nearest : nil
  }
}
