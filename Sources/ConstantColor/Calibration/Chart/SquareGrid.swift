/// A grid of squares, seen at an angle.
struct SquareGrid {
  /// A position in the grid: columns to the right, rows clockwise from there.
  struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  /// From positions in the grid to pixels of the reduced picture.
  let toPicture: Homography
  /// The positions of detected squares.
  let cells: [Cell]

  /// Minimum number of squares in a chart.
  private static let minimumCount = 8
  private static let rounds = 5
  /// Half the side of a patch, in grid steps.
  private static let patchHalf = 0.42
  /// Maximum number of differently slanted grids tried per square.
  private static let maximumCandidates = 3
  /// Grid positions on each side of the first square.
  private static let reach = 8

  /// Returns the grids formed by the squares; a square that also fits a slanted grid belongs to several.
  static func all(of squares: [FlatSquare]) -> [SquareGrid] {
    var (result, known): ([SquareGrid], Set<Int>) = ([], [])
    for first in squares.indices where !known.contains(first) {
      let candidates = neighbors(of: first, in: squares).map { grown(from: first, $0, $1, in: squares) }
        .filter { $0.count >= minimumCount }.sorted { $0.count > $1.count }
      for members in candidates.prefix(maximumCandidates) {
        guard let grid = SquareGrid(members, squares) else { continue }
        known.formUnion(members.values)
        result.append(grid)
      }
    }
    return result
  }

  /// Fits the map that most of the squares agree with.
  private init?(_ members: [Cell: Int], _ squares: [FlatSquare]) {
    let all = members.sorted { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }
    let places = all.map { SIMD2(Double($0.key.column), Double($0.key.row)) }
    var centers = all.map { squares[$0.value].center }
    var (weights, errors): ([Double]?, [Double]) = (nil, [])
    var map: Homography?
    for _ in 0..<Self.rounds {
      guard let fit = Homography(from: places, to: centers, weights: weights) else { return nil }
      errors = zip(zip(places, centers), all).map { pair, member in
        let error = fit(pair.0) - pair.1
        return ((error * error).sum() / squares[member.value].area).squareRoot()
      }
      // Fragments of dark patches, which merge with the chart's border, are off centre.
      let scale = max(errors.sorted()[errors.count / 2], 0.005)
      weights = errors.map { 1 / (1 + ($0 / scale) * ($0 / scale)) }
      for index in all.indices {
        let shift = fit.centroid(ofSquareAt: places[index], half: Self.patchHalf) - fit(places[index])
        centers[index] = squares[all[index].value].center - shift
      }
      map = fit
    }
    let kept = zip(all, errors).filter { $0.1 < 0.15 }.map(\.0.key)
    guard let map, kept.count >= Self.minimumCount, Set(kept.map(\.column)).count >= 3,
      Set(kept.map(\.row)).count >= 3
    else { return nil }
    (toPicture, cells) = (map, kept)
  }

  /// Returns pairs of steps to neighbours of about the same size that span a cell, the first roughly to the right, the
  /// second clockwise from it.
  private static func neighbors(of first: Int, in squares: [FlatSquare]) -> [(SIMD2<Double>, SIMD2<Double>)] {
    let square = squares[first]
    var steps = squares.indices.filter { $0 != first && (0.5...2).contains(squares[$0].area / square.area) }
      .map { squares[$0].center - square.center }
    func length(_ step: SIMD2<Double>) -> Double { (step * step).sum().squareRoot() }
    steps = steps.filter { (0.85...1.6).contains(length($0) / square.side) }.sorted { length($0) < length($1) }
    let nearest = steps.prefix(8)
    return nearest.filter { $0.y > -$0.x && $0.y <= $0.x }.flatMap { right in
      nearest.filter { down in
        let sine = (right.x * down.y - right.y * down.x) / (length(right) * length(down))
        return sine > 0.75 && (0.6...1.7).contains(length(right) / length(down))
      }.map { (right, $0) }
    }
  }

  /// Returns the squares reached from a first one by steps that change slowly.
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
