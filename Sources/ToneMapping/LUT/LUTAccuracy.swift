internal import ColorScience
internal import Rendering

/// The error of a look-up table relative to its mapping.
public struct LUTAccuracy: Sendable, Hashable {
  /// Mean ΔE ITP.
  public let mean: Double
  /// 99th percentile of ΔE ITP.
  public let percentile99: Double
  /// Maximum ΔE ITP.
  public let max: Double
  /// The source signal with the maximum error.
  public let worst: SIMD3<Double>

  /// Colours with their exactly mapped results.
  public struct Colors: Sendable {
    /// Steps on each axis.
    public static let steps = 41

    private let mapping: SignalMapping
    /// Non-linear components of the source, and the displayed result as I, Ct, Cp.
    private let colors: [(signal: SIMD3<Double>, shown: SIMD3<Double>)]

    /// Creates the centres of 41 x 41 x 41 equal cells of the source's signal.
    /// - Parameters:
    ///   - mapping: The mapping of the table.
    ///   - end: Signal of the content's peak, 0...1: the cells lie below it.
    public init(_ mapping: SignalMapping, upTo end: Double) {
      let centers = (0..<Self.steps).map { (Double($0) + 0.5) / Double(Self.steps) * end }
      self.init(
        mapping,
        centers.flatMap { red in
          centers.flatMap { green in centers.map { blue in SIMD3(red, green, blue) } }
        })
    }

    /// Creates greys between black and the content's peak.
    /// - Parameters:
    ///   - mapping: The mapping of the table.
    ///   - end: Signal of the content's peak, 0...1.
    public init(_ mapping: SignalMapping, greysUpTo end: Double) {
      let count = Self.steps * Self.steps
      self.init(mapping, (0..<count).map { SIMD3(repeating: (Double($0) + 0.5) / Double(count) * end) })
    }

    private init(_ mapping: SignalMapping, _ signals: [SIMD3<Double>]) {
      self.mapping = mapping
      colors = signals.map { ($0, ICtCp.fromNits(mapping.shownNits(mapping.map($0)))) }
    }

    /// Number of colours.
    public var count: Int { colors.count }

    /// Returns the errors of a look-up of these colours, as displayed: ΔE ITP of BT.2124, from light in cd/m².
    public func accuracy(of lookUp: (SIMD3<Double>) -> SIMD3<Double>) -> LUTAccuracy {
      let errors = colors.map { ICtCp.deltaEITP(ICtCp.fromNits(mapping.shownNits(lookUp($0.signal))), $0.shown) }
      let sorted = errors.sorted()
      let worst = errors.indices.max { errors[$0] < errors[$1] } ?? 0
      return LUTAccuracy(
        mean: errors.reduce(0, +) / Double(errors.count), percentile99: sorted[(errors.count - 1) * 99 / 100],
        max: errors[worst], worst: colors[worst].signal)
    }
  }
}
