internal import ColorScience
public import Rendering

/// R'G'B' of the source to R'G'B' of the target, in `Double`: what a look-up table is to hold.
public struct SignalMapping: Sendable {
  /// From the source's signal to linear light.
  public let source: SignalTransfer
  /// From that light to the light that the target codes, in turn.
  public let stages: [any Stage]
  /// From that light to the target's signal.
  public let target: SignalTransfer
  /// What the target's signal is shown on.
  public let display: Display
  private let toBT2020: Matrix3

  public init(source: SignalTransfer, stages: [any Stage], target: SignalTransfer, display: Display) {
    self.source = source
    self.stages = stages
    self.target = target
    self.display = display
    toBT2020 = RGBSpace.conversion(from: display.primaries.space ?? .bt709, to: .bt2020)
  }

  /// - Parameter signal: Non-linear components of the source; limited to 0...1.
  /// - Returns: Non-linear components of the target, 0...1.
  public func map(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    let light = SIMD3(
      source.light(fromSignal: signal.x), source.light(fromSignal: signal.y), source.light(fromSignal: signal.z))
    let shown = stages.reduce(light) { $1.reference($0) }
    return SIMD3(
      target.signal(fromLight: shown.x), target.signal(fromLight: shown.y), target.signal(fromLight: shown.z))
  }

  /// The light that the target's display shows.
  /// - Parameter signal: Non-linear components of the target; limited to 0...1.
  /// - Returns: Linear BT.2020 components in cd/m².
  public func shownNits(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    let light = SIMD3(
      target.light(fromSignal: signal.x), target.light(fromSignal: signal.y), target.light(fromSignal: signal.z))
    if target == .hlg { return HLG.ootf(light, peak: display.peak, gamma: HLG.gamma(peak: display.peak)) }
    return toBT2020 * light * display.sdrWhite
  }
}
