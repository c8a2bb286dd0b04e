internal import ColorScience
public import Rendering

/// Maps R'G'B' of the source to R'G'B' of the target in `Double`: the function that a look-up table represents.
public struct SignalMapping: Sendable {
  /// From the source's signal to linear light.
  public let source: SignalTransfer
  /// From that light to the coded light of the target, in order.
  public let stages: [any Stage]
  /// From the coded light to the target's signal.
  public let target: SignalTransfer
  /// The largest signals of source and target: above 1 with super-white.
  public let reach: (source: Double, target: Double)
  /// The display of the target's signal.
  public let display: Display
  private let toBT2020: Matrix3

  /// Creates a mapping from the source's signal through the stages to the target's signal.
  public init(
    source: SignalTransfer, stages: [any Stage], target: SignalTransfer, display: Display,
    reach: (source: Double, target: Double) = (1, 1)
  ) {
    self.reach = reach
    self.source = source
    self.stages = stages
    self.target = target
    self.display = display
    toBT2020 = RGBSpace.conversion(from: display.primaries, to: .bt2020)
  }

  /// Maps one colour exactly.
  /// - Parameter signal: Non-linear components of the source, limited to 0...its reach.
  /// - Returns: Non-linear components of the target, 0...its reach.
  public func map(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    func light(_ signal: Double) -> Double { source.light(fromSignal: signal, reach: reach.source) }
    let light = SIMD3(light(signal.x), light(signal.y), light(signal.z))
    let shown = stages.reduce(light) { $1.reference($0) }
    func coded(_ light: Double) -> Double { target.signal(fromLight: light, reach: reach.target) }
    return SIMD3(coded(shown.x), coded(shown.y), coded(shown.z))
  }

  /// Returns the light of the target's display.
  /// - Parameter signal: Non-linear components of the target, limited to 0...its reach.
  /// - Returns: Linear BT.2020 components in cd/m².
  public func shownNits(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    func light(_ signal: Double) -> Double { target.light(fromSignal: signal, reach: reach.target) }
    let light = SIMD3(light(signal.x), light(signal.y), light(signal.z))
    if target == .hlg { return HLG.ootf(light, peak: display.peak, gamma: HLG.gamma(peak: display.peak)) }
    return toBT2020 * light * display.sdrWhite
  }
}
