/// A signal mapping as tables for other programs.
public struct SignalLUT: Sendable {
  /// A 1D or 3D table.
  public enum Table: Sendable {
    /// The mapping of greys, applied to each component.
    case curve(CurveTable)
    /// The mapping of colours.
    case cube(CubeTable)
  }

  /// The 1D LUT before `table`.
  public let shaper: CurveTable?
  /// The table after the shaper.
  public let table: Table

  /// Size of a shaper, small enough for all readers.
  static let shaperSize = 1024

  /// Creates a 1D LUT of greys.
  /// - Parameters:
  ///   - mapping: The mapping to sample.
  ///   - size: Number of values, at least 2.
  public init(curveOf mapping: SignalMapping, size: Int) {
    shaper = nil
    table = .curve(CurveTable(size: size) { mapping.map(SIMD3(repeating: $0)) })
  }

  /// Creates a 3D LUT of colours.
  /// - Parameters:
  ///   - mapping: The mapping to sample.
  ///   - size: Nodes on each axis, at least 2; at least 3 with a shaper.
  ///   - end: Signal of the second-to-last node, between 0 and 1: a shaper leaves a single cell above it; nil: equal
  ///     steps without a shaper.
  public init(cubeOf mapping: SignalMapping, size: Int, end: Double? = nil) {
    guard let end else {
      shaper = nil
      table = .cube(CubeTable(size: size, color: mapping.map))
      return
    }
    precondition(size >= 3)
    // Coincides with a value of the shaper, so that its kink is exact.
    let steps = Double(Self.shaperSize - 1)
    let bend = min((end * steps).rounded(.up), steps - 1) / steps
    let share = Double(size - 2) / Double(size - 1)
    shaper = CurveTable(size: Self.shaperSize) { signal in
      SIMD3(repeating: signal <= bend ? signal / bend * share : 1 - (1 - signal) / (1 - bend) * (1 - share))
    }
    func unshaped(_ value: Double) -> Double {
      value <= share ? value / share * bend : 1 - (1 - value) / (1 - share) * (1 - bend)
    }
    table = .cube(CubeTable(size: size) { mapping.map(SIMD3(unshaped($0.x), unshaped($0.y), unshaped($0.z))) })
  }

  /// Returns the result of a program that applies the tables to one colour.
  /// - Parameters:
  ///   - signal: Non-linear components of the source; limited to 0...1.
  ///   - interpolation: Interpolation between the nodes of a cube; curves are interpolated linearly.
  public func signal(at signal: SIMD3<Double>, _ interpolation: CubeTable.Interpolation) -> SIMD3<Double> {
    let shaped = shaper?.value(at: signal) ?? signal
    return switch table {
    case .curve(let curve): curve.value(at: shaped)
    case .cube(let cube): cube.color(at: shaped, interpolation)
    }
  }
}
