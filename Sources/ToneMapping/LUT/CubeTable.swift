/// Colours at the nodes of a cube with the same number of nodes on each axis: a 3D LUT over 0...1.
public struct CubeTable: Sendable {
  /// The interpolation of colours between nodes.
  public enum Interpolation: String, Sendable, CaseIterable {
    /// The eight nodes around a colour, weighted by distance on every axis.
    case trilinear
    /// The four nodes of the surrounding tetrahedron, one of the six around the cell's grey diagonal.
    case tetrahedral
  }

  /// Nodes on each axis, at least 2.
  public let size: Int
  /// Colours, red fastest, blue slowest.
  public let values: [SIMD3<Double>]

  /// Samples a function of colour.
  /// - Parameters:
  ///   - size: Nodes on each axis, at least 2.
  ///   - color: The colour at a node; components 0...1.
  public init(size: Int, color: (SIMD3<Double>) -> SIMD3<Double>) {
    precondition(size >= 2)
    self.size = size
    let steps = Double(size - 1)
    var values: [SIMD3<Double>] = []
    values.reserveCapacity(size * size * size)
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size { values.append(color(SIMD3(Double(red), Double(green), Double(blue)) / steps)) }
      }
    }
    self.values = values
  }

  /// Returns the table's value at a signal.
  /// - Parameters:
  ///   - signal: Components limited to 0...1.
  ///   - interpolation: Interpolation between nodes.
  public func color(at signal: SIMD3<Double>, _ interpolation: Interpolation) -> SIMD3<Double> {
    let cells = (signal.x.cell(steps: size - 1), signal.y.cell(steps: size - 1), signal.z.cell(steps: size - 1))
    let origin = cells.0.index + size * (cells.1.index + size * cells.2.index)
    let fraction = SIMD3(cells.0.fraction, cells.1.fraction, cells.2.fraction)
    return switch interpolation {
    case .trilinear: trilinear(origin, fraction)
    case .tetrahedral: tetrahedral(origin, fraction)
    }
  }

  private func trilinear(_ origin: Int, _ fraction: SIMD3<Double>) -> SIMD3<Double> {
    func mix(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ share: Double) -> SIMD3<Double> { a + share * (b - a) }
    func row(_ first: Int) -> SIMD3<Double> { mix(values[first], values[first + 1], fraction.x) }
    func plane(_ first: Int) -> SIMD3<Double> { mix(row(first), row(first + size), fraction.y) }
    return mix(plane(origin), plane(origin + size * size), fraction.z)
  }

  /// Walks from the cell's origin to its far corner along the axes, largest fraction first: the nodes on the path span
  /// the tetrahedron.
  private func tetrahedral(_ origin: Int, _ fraction: SIMD3<Double>) -> SIMD3<Double> {
    var axes = [(fraction.x, 1), (fraction.y, size), (fraction.z, size * size)]
    axes.sort { $0.0 > $1.0 }
    var (node, result) = (origin, values[origin])
    for (share, step) in axes {
      result += share * (values[node + step] - values[node])
      node += step
    }
    return result
  }
}
