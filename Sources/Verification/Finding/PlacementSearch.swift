internal import Frames

/// Finds candidate placements for refinement.
struct PlacementSearch {
  let picture: SearchedPicture
  private let profiles: [AxisSearch.Profile]
  private let contents: [ClosedRange<Int>]

  init(_ picture: SearchedPicture) {
    self.picture = picture
    let grid = picture.levels[0].grid
    profiles = [AxisSearch.Profile(grid, axis: 0), AxisSearch.Profile(grid, axis: 1)]
    contents = [grid.content(axis: 0), grid.content(axis: 1)]
  }

  /// Placements along each axis that are combined.
  private static let perAxis = 14
  /// Number of candidates.
  private static let count = 12

  /// The placements of all orientations that agree best with the picture at a coarse scale.
  /// - Parameter swapsAxes: Whether the orientations swap axes.
  func placements(of reference: ReferencePattern, swapsAxes: Bool) -> [(placement: Placement, score: Double)] {
    let steps = [AxisSearch.steps(reference.edges, axis: 0), AxisSearch.steps(reference.edges, axis: 1)]
    // By picture axis, and by whether the pattern is reversed along it.
    let axes = (0..<2).map { axis in
      [false, true].map { candidates(reference, steps, axis: axis, patternAxis: swapsAxes ? 1 - axis : axis, $0) }
    }
    var best: [(placement: Placement, score: Double)] = []
    let level = coarse
    for orientation in Orientation.allCases where orientation.swapsAxes == swapsAxes {
      let reversed = [
        swapsAxes ? orientation.reversesRows : orientation.reversesColumns,
        swapsAxes ? orientation.reversesColumns : orientation.reversesRows,
      ]
      for across in axes[0][reversed[0] ? 1 : 0] {
        for down in axes[1][reversed[1] ? 1 : 0] {
          let placement = Placement(
            canvas: reference.canvas, orientation: orientation, origin: SIMD2(across.origin, down.origin),
            scale: SIMD2(across.scale, down.scale), picture: picture.size)
          let visible = placement.visible
          guard visible.x * visible.y >= PatternFinder.minimumVisible else { continue }
          let score = reference.agreement(placement, in: picture, level: level).score
          keep(&best, placement, score)
        }
      }
    }
    return best
  }

  /// The first level that is small enough to test thousands of placements.
  private var coarse: Int {
    picture.levels.firstIndex { $0.grid.width * $0.grid.height <= 5000 } ?? picture.levels.count - 1
  }

  private func keep(_ list: inout [(placement: Placement, score: Double)], _ placement: Placement, _ score: Double) {
    if list.count == Self.count, let last = list.last, last.score >= score { return }
    let apart = 0.02 * Double(max(picture.size.width, picture.size.height))
    let near = { (other: Placement) in
      other.orientation == placement.orientation && other.distance(placement) < apart
    }
    if list.contains(where: { near($0.placement) && $0.score >= score }) { return }
    list.removeAll { near($0.placement) }
    list.insert((placement, score), at: list.firstIndex { $0.score < score } ?? list.count)
    if list.count > Self.count { list.removeLast() }
  }

  private func candidates(
    _ reference: ReferencePattern, _ steps: [[AxisSearch.Step]], axis: Int, patternAxis: Int, _ isReversed: Bool
  ) -> [AxisPlacement] {
    let length = Double(patternAxis == 0 ? reference.canvas.width : reference.canvas.height)
    let extent = Double(axis == 0 ? picture.size.width : picture.size.height)
    let block = Double(picture.levels[0].grid.block)
    func spanning(_ from: Double, _ to: Double) -> AxisPlacement {
      AxisPlacement(
        patternAxis: patternAxis, isReversed: isReversed, length: length, origin: from, scale: (to - from) / length)
    }
    var result = [spanning(0, extent)]
    let content = contents[axis]
    let (from, to) = (Double(content.lowerBound) * block, min(Double(content.upperBound) * block, extent))
    if from > 0 || to < extent { result.append(spanning(from, to)) }
    result += AxisSearch.placements(
      of: steps[patternAxis], length: length, patternAxis: patternAxis, isReversed: isReversed, in: profiles[axis],
      count: Self.perAxis
    ).map(\.placement)
    return result
  }
}

extension Placement {
  /// Maximum distance between the edges of two placements, in picture pixels.
  func distance(_ other: Placement) -> Double {
    (0..<2).map { max(abs(axis($0).origin - other.axis($0).origin), abs(axis($0).end - other.axis($0).end)) }
      .max() ?? 0
  }
}

extension SignalGrid {
  /// The columns (or rows) between the bars: grey, uniform lines at the edges.
  /// - Returns: The borders of the content; everything if all lines are bars.
  func content(axis: Int) -> ClosedRange<Int> {
    let length = axis == 0 ? width : height
    let (along, across) = axis == 0 ? (1, width) : (width, 1)
    let lines = axis == 0 ? height : width
    let tolerance: Float = 0.012
    func isBar(_ place: Int, _ color: SIMD4<Float>) -> Bool {
      (0..<lines).allSatisfy { line in
        let value = values[line * across + place * along]
        guard value.w > 0 else { return true }
        let off = value - color
        return abs(off.x) < tolerance && abs(off.y) < tolerance && abs(off.z) < tolerance
      }
    }
    let first = values[0], last = values[(length - 1) * along]
    let end = last.w > 0 ? last : first
    let from = (0..<length).first { !isBar($0, first) } ?? 0
    let to = (0..<length).last { !isBar($0, end) } ?? length - 1
    return from...max(to + 1, from)
  }
}
