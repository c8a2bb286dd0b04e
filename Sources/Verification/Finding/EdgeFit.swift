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
      switch profile.edge(sign, least: Self.minimumGradient) {
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
    func edge(_ sign: Float, least: Float) -> Edge {
      var best = 0, most: Float = 0, opposite: Float = 0
      for index in differences.indices {
        let value = differences[index] * sign
        if value > most { (best, most) = (index, value) }
        opposite = max(opposite, -value)
      }
      var sum: Float = 0, moment: Float = 0
      for index in max(best - 3, 0)...min(best + 3, differences.count - 1) {
        let value = max(differences[index] * sign, 0)
        sum += value
        moment += value * Float(index)
      }
      if opposite >= least, opposite > 1.5 * most { return .opposite }
      guard sum >= least else { return .nothing }
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
}
