internal import Frames

/// Luma that can be read by position.
protocol LumaField {
  var extent: Size { get }
  func luma(x: Int, y: Int) -> Float
}

extension FrameSignal: LumaField {
  var extent: Size { frame.size }
}

extension SignalGrid: LumaField {
  var extent: Size { Size(width: width, height: height) }
  func luma(x: Int, y: Int) -> Float { values[y * width + x].x }
}

/// The edges of a pattern, located in a picture near an assumed placement.
struct EdgeFit: Sendable {
  /// An edge that was found.
  struct Match: Sendable {
    var axis: Int
    /// Position in the pattern, and where it was found in the picture, in pixels.
    var position: Double
    var found: Double
    var isStrong: Bool
  }

  /// Edges of both axes that were found.
  var matches: [Match] = []
  /// Number of strong edges that should be visible.
  var strong = 0
  /// Number of missing strong edges.
  var missing = 0
  /// Number of inverted edges.
  var opposite = 0

  /// Minimum luma step of a strong edge in the expected input.
  private static let strongStep: Float = 0.03
  /// Minimum luma step in the picture above noise.
  private static let minimumGradient: Float = 0.006

  /// - Parameters:
  ///   - block: Pixels per sample of `field`.
  ///   - radius: Search radius in samples.
  init(
    _ edges: [PatternEdge], at placement: Placement, in field: some LumaField, block: Int, radius: Double
  ) {
    let axes = [placement.axis(0), placement.axis(1)]
    for edge in edges {
      guard let (axis, place) = axes.enumerated().first(where: { $0.element.patternAxis == edge.axis }) else {
        continue
      }
      let other = axes[1 - axis]
      let along = place.place(edge.position) / Double(block)
      let across = other.place(edge.across) / Double(block)
      let clear = edge.clear * place.scale / Double(block)
      guard clear >= 2 else { continue }
      let reach = min(radius, clear * 0.5)
      let sign: Float = (edge.step > 0) != place.isReversed ? 1 : -1
      guard let profile = Self.profile(field, axis, along, across, reach) else { continue }
      let isStrong = abs(edge.step) >= Self.strongStep
      if isStrong { strong += 1 }
      switch profile.edge(sign, minimum: Self.minimumGradient) {
      case .found(let found):
        matches.append(
          Match(axis: axis, position: edge.position, found: found * Double(block), isStrong: isStrong))
      case .opposite: opposite += 1
      case .nothing: if isStrong { missing += 1 }
      }
    }
  }

  /// Differences of luma along a line.
  private struct Profile {
    /// Place of the first difference, in samples.
    var first: Int
    var differences: [Float]

    enum Edge {
      case found(Double)
      case opposite
      case nothing
    }

    /// The steepest edge of a sign, at the centre of its differences.
    func edge(_ sign: Float, minimum: Float) -> Edge {
      var best = 0, maximum: Float = 0, opposite: Float = 0
      for index in differences.indices {
        let value = differences[index] * sign
        if value > maximum { (best, maximum) = (index, value) }
        opposite = max(opposite, -value)
      }
      var sum: Float = 0, moment: Float = 0
      for index in max(best - 3, 0)...min(best + 3, differences.count - 1) {
        let value = max(differences[index] * sign, 0)
        sum += value
        moment += value * Float(index)
      }
      if opposite >= minimum, opposite > 1.5 * maximum { return .opposite }
      guard sum >= minimum else { return .nothing }
      return .found(Double(first) + Double(moment / sum))
    }
  }

  private static func profile(
    _ field: some LumaField, _ axis: Int, _ along: Double, _ across: Double, _ reach: Double
  ) -> Profile? {
    let extent = field.extent
    let (length, width) = axis == 0 ? (extent.width, extent.height) : (extent.height, extent.width)
    guard along > 1, along < Double(length) - 1, across >= 0, across < Double(width) else { return nil }
    let from = Int(max((along - reach).rounded(.down), 1)),
      to = Int(min((along + reach).rounded(.up), Double(length - 1)))
    guard from <= to else { return nil }
    let line = Int(across)
    let lines = max(line - 1, 0)...min(line + 1, width - 1)
    func luma(_ place: Int) -> Float {
      var sum: Float = 0
      for line in lines { sum += axis == 0 ? field.luma(x: place, y: line) : field.luma(x: line, y: place) }
      return sum / Float(lines.count)
    }
    var before = luma(from - 1)
    let differences = (from...to).map { place in
      let value = luma(place)
      defer { before = value }
      return value - before
    }
    return Profile(first: from, differences: differences)
  }

  /// The placement that best fits the edges, by robust least squares; an axis with too few edges is unchanged.
  /// - Parameter block: Pixels per sample of the searched picture.
  func fitted(_ placement: Placement, block: Int) -> Placement {
    var result = placement
    for axis in 0..<2 {
      let place = placement.axis(axis)
      let points = matches.filter { $0.axis == axis && $0.isStrong }.map { match in
        SIMD2(place.isReversed ? place.length - match.position : match.position, match.found)
      }
      guard let line = Self.line(points, place, block: Double(block)) else { continue }
      result.origin[axis] = line.origin
      result.scale[axis] = line.scale
    }
    return result
  }

  private static let fewest = 6

  /// A line through positions of pattern and picture: iteratively reweighted by the residuals.
  private static func line(
    _ points: [SIMD2<Double>], _ place: AxisPlacement, block: Double
  ) -> (origin: Double, scale: Double)? {
    guard points.count >= fewest else { return nil }
    var (origin, scale) = (place.origin, place.scale)
    for round in 0..<8 {
      let tolerance = max(block * (round < 3 ? 1.5 : 0.5), 0.25)
      var sum = 0.0, mean = SIMD2<Double>.zero
      let weights = points.map { point in
        let off = (point.y - origin - scale * point.x) / tolerance
        return 1 / ((1 + off * off) * (1 + off * off))
      }
      for (point, weight) in zip(points, weights) {
        sum += weight
        mean += weight * point
      }
      guard sum > 1 else { return nil }
      mean /= sum
      var square = 0.0, product = 0.0
      for (point, weight) in zip(points, weights) {
        let off = point - mean
        square += weight * off.x * off.x
        product += weight * off.x * off.y
      }
      // Edges at a single position do not determine the scale.
      if (square / sum).squareRoot() >= 0.04 * place.length, product > 0 { scale = product / square }
      origin = mean.y - scale * mean.x
    }
    return (origin, scale)
  }

  /// Fractions of strong edges that are near, and that are inverted.
  func shares(_ placement: Placement) -> (near: Double, opposite: Double) {
    let axes = [placement.axis(0), placement.axis(1)]
    let near = matches.count { match in
      let place = axes[match.axis]
      return match.isStrong && abs(match.found - place.place(match.position)) <= 1 + 0.5 * max(place.scale, 1)
    }
    return (
      strong > 0 ? Double(near) / Double(strong) : 0,
      matches.count + opposite > 0 ? Double(opposite) / Double(matches.count + opposite) : 0
    )
  }

  /// How close strong edges are to their places, 0...1.
  func tightness(_ placement: Placement) -> Double {
    guard strong > 0 else { return 0 }
    let axes = [placement.axis(0), placement.axis(1)]
    let sum = matches.reduce(0.0) { sum, match in
      let off = match.found - axes[match.axis].place(match.position)
      return sum + (match.isStrong ? 1 / (1 + off * off) : 0)
    }
    return sum / Double(strong)
  }
}

/// A step of a pattern's signal along a row or a column.
struct PatternEdge: Sendable {
  /// 0: a vertical edge, met along a row; 1: a horizontal one, met along a column.
  var axis: Int
  /// Where along the row or column, in pixels of the canvas: the border between two pixels.
  var position: Double
  /// Which row or column: its centre.
  var across: Double
  /// Luma after the step less luma before it, as the input should have it.
  var step: Float
  /// Pixels without another step on both sides.
  var clear: Double

  /// Minimum luma step of an edge: two 8-bit codes.
  static let minimumStep: Float = 0.008

  /// The edges along a row or column.
  /// - Parameters:
  ///   - signals: Y', Cb and Cr along it.
  ///   - across: Centre of the row or column.
  static func edges(_ signals: [SIMD3<Float>], axis: Int, across: Double) -> [PatternEdge] {
    var places: [Int] = []
    for x in signals.indices.dropFirst() {
      let difference = signals[x] - signals[x - 1]
      if max(abs(difference.x), max(abs(difference.y), abs(difference.z))) >= minimumStep { places.append(x) }
    }
    return places.indices.compactMap { index in
      let place = places[index]
      let step = signals[place].x - signals[place - 1].x
      guard abs(step) >= minimumStep else { return nil }
      let before = index > 0 ? places[index - 1] : 0
      let after = index + 1 < places.count ? places[index + 1] : signals.count
      return PatternEdge(
        axis: axis, position: Double(place), across: across, step: step,
        clear: Double(min(place - before, after - place)))
    }
  }
}
