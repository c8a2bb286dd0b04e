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
    let apart = 0.02 * Double(max(picture.size.width, picture.size.height))
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
          keep(placement, score, in: &best, count: Self.count) { other in
            other.orientation == orientation && other.distance(placement) < apart
          }
        }
      }
    }
    return best
  }

  /// The first level that is small enough to test thousands of placements.
  private var coarse: Int {
    picture.levels.firstIndex { $0.grid.width * $0.grid.height <= 5000 } ?? picture.levels.count - 1
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

/// Searches for the edges of one pattern axis along one picture axis.
struct AxisSearch {
  /// Upward and downward luma steps at each border between columns (or rows) of a picture.
  struct Profile {
    var up: [Float]
    var down: [Float]
    let block: Int

    /// - Parameter axis: 0: between columns; 1: between rows.
    init(_ grid: SignalGrid, axis: Int) {
      block = grid.block
      let length = axis == 0 ? grid.width : grid.height
      let (along, across) = axis == 0 ? (1, grid.width) : (grid.width, 1)
      let width = axis == 0 ? grid.height : grid.width
      var up = [Float](repeating: 0, count: length + 1), down = up
      for line in 0..<width {
        for place in 1..<length {
          let index = line * across + place * along
          guard grid.values[index].w > 0 else { continue }
          let step = grid.values[index].x - grid.values[index - along].x
          let size = min(max(abs(step) - AxisSearch.noise, 0), AxisSearch.saturation)
          if step > 0 { up[place] += size } else { down[place] += size }
        }
      }
      let whole = Float(width) * AxisSearch.saturation
      self.up = Self.spread(up.map { ($0 / whole).squareRoot() })
      self.down = Self.spread(down.map { ($0 / whole).squareRoot() })
    }

    private static func spread(_ values: [Float]) -> [Float] {
      values.indices.map { index in
        values[index] + 0.5 * ((index > 0 ? values[index - 1] : 0) + (index + 1 < values.count ? values[index + 1] : 0))
      }
    }

    var energy: Float { zip(up, down).reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 } }
  }

  /// A place along an axis of the pattern where it steps.
  struct Step {
    var position: Double
    var up: Float
    var down: Float
  }

  static let noise: Float = 0.004
  static let saturation: Float = 0.04

  /// The steps of a pattern along one of its axes.
  static func steps(_ edges: [PatternEdge], axis: Int) -> [Step] {
    var sums: [Int: SIMD2<Float>] = [:]
    for edge in edges where edge.axis == axis && edge.clear >= 2 {
      let size = min(abs(edge.step), saturation) / saturation
      sums[Int(edge.position), default: .zero] += edge.step > 0 ? SIMD2(size, 0) : SIMD2(0, size)
    }
    return sums.sorted { $0.key < $1.key }.map { key, sum in
      Step(position: Double(key), up: (sum.x / 72).squareRoot(), down: (sum.y / 72).squareRoot())
    }
  }

  /// The best placements along an axis, the best first.
  static func placements(
    of steps: [Step], length: Double, patternAxis: Int, isReversed: Bool, in profile: Profile, count: Int
  ) -> [(placement: AxisPlacement, score: Float)] {
    let bins = Double(profile.up.count - 1)
    let norm = profile.energy.squareRoot()
    guard norm > 0, steps.count >= 2 else { return [] }
    var found: [(placement: AxisPlacement, score: Float)] = []
    var extent = 0.2 * bins
    while extent <= 2.2 * bins {
      let scale = extent / length
      let slack = 0.01 * bins
      let (from, to) = (min(0, bins - extent) - slack, max(0, bins - extent) + slack)
      var best: [(placement: AxisPlacement, score: Float)] = []
      var origin = from
      while origin <= to {
        let place = AxisPlacement(
          patternAxis: patternAxis, isReversed: isReversed, length: length, origin: origin, scale: scale)
        let score = score(steps, place, profile) / norm
        keep(place, score, in: &best, count: 3) { $0.isNear(place, apart: 2) }
        origin += 0.75
      }
      for (place, score) in best {
        keep(place, score, in: &found, count: count) { $0.isNear(place, apart: 0.02 * bins) }
      }
      extent *= 1.005
    }
    return found.map { candidate in
      var place = candidate.placement
      place.origin *= Double(profile.block)
      place.scale *= Double(profile.block)
      return (place, candidate.score)
    }
  }

  private static func score(_ steps: [Step], _ place: AxisPlacement, _ profile: Profile) -> Float {
    var product: Float = 0, energy: Float = 0
    let last = Double(profile.up.count - 2)
    for step in steps {
      let position = place.place(step.position)
      guard position >= 1, position < last else { continue }
      let (up, down) = place.isReversed ? (step.down, step.up) : (step.up, step.down)
      let index = Int(position), part = Float(position - Double(index))
      product += up * (profile.up[index] * (1 - part) + profile.up[index + 1] * part)
      product += down * (profile.down[index] * (1 - part) + profile.down[index + 1] * part)
      energy += up * up + down * down
    }
    for border in [place.origin, place.end] where border >= 1 && border < last {
      let index = Int(border.rounded())
      let weight: Float = 0.5
      product += weight * max(profile.up[index], profile.down[index])
      energy += weight * weight
    }
    return energy > 0 ? product / energy.squareRoot() : 0
  }
}

extension AxisPlacement {
  fileprivate func isNear(_ other: AxisPlacement, apart: Double) -> Bool {
    abs(origin - other.origin) < apart && abs(end - other.end) < apart
  }
}

/// Adds a candidate to a list of the best, best first. Of candidates near each other only the best is kept.
private func keep<Candidate, Score: Comparable>(
  _ candidate: Candidate, _ score: Score, in list: inout [(placement: Candidate, score: Score)], count: Int,
  isNear: (Candidate) -> Bool
) {
  if list.count == count, let last = list.last, last.score >= score { return }
  if list.contains(where: { isNear($0.placement) && $0.score >= score }) { return }
  list.removeAll { isNear($0.placement) }
  list.insert((candidate, score), at: list.firstIndex { $0.score < score } ?? list.count)
  if list.count > count { list.removeLast() }
}
