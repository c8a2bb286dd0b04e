internal import Frames

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
        keep(&best, place, score, apart: 2, count: 3)
        origin += 0.75
      }
      for candidate in best { keep(&found, candidate.placement, candidate.score, apart: 0.02 * bins, count: count) }
      extent *= 1.005
    }
    return found.map { candidate in
      var place = candidate.placement
      place.origin *= Double(profile.block)
      place.scale *= Double(profile.block)
      return (place, candidate.score)
    }
  }

  private static func keep(
    _ list: inout [(placement: AxisPlacement, score: Float)], _ place: AxisPlacement, _ score: Float, apart: Double,
    count: Int
  ) {
    if list.count == count, let last = list.last, last.score >= score { return }
    let near = { (other: AxisPlacement) in
      abs(other.origin - place.origin) < apart && abs(other.end - place.end) < apart
    }
    if list.contains(where: { near($0.placement) && $0.score >= score }) { return }
    list.removeAll { near($0.placement) }
    list.insert((place, score), at: list.firstIndex { $0.score < score } ?? list.count)
    if list.count > count { list.removeLast() }
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
