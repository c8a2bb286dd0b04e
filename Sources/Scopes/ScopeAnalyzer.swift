public import Frames
public import Rendering
public import ToneMapping

/// A stage that counts pixels for scopes and passes frames on unchanged. Place it ahead of the tone mapper.
///
/// What is counted is the content's light on the reference display: HLG's of 1000 cd/m², SDR's with its white at
/// `sdrWhite`. Rows that bands share are left out, so that each pixel counts once.
///
/// - Levels are ten-bit PQ, full range, of the half floats R, G, B, and of luminance, which is summed in single precision
///   and rounded to half float.
/// - Of Ct and Cp, cone responses are rounded to half float before they are coded.
/// - u' and v' are of pixels of `ScopeCounts.minimumLuminance` and more whose components are finite.
public final class ScopeAnalyzer: Stage {
  private let parameters: ScopeParameters
  private let tallies: [ScopeTally]

  /// A stage for pictures of one size.
  /// - Parameters:
  ///   - size: Of the picture.
  ///   - content: What bands hold.
  ///   - sdrWhite: Luminance in cd/m² that SDR content has its white at.
  ///   - settings: What is counted.
  ///   - workers: Of the pool that renders.
  public init(
    size: Size, content: ContentInterpretation, sdrWhite: Double = 100, settings: ScopeSettings, workers: Int
  ) {
    let parameters = ScopeParameters(size: size, content: content, sdrWhite: sdrWhite, settings: settings)
    self.parameters = parameters
    tallies = (0..<workers).map { _ in ScopeTally(parameters) }
  }

  public var leavesLight: Bool { true }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { rgb }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    // A renderer that leaves rows out has left out those that are not counted.
    let step = unsafe band.rowStep == 1 ? parameters.settings.rowStep : 1
    unsafe tallies[worker].count(band, rowStep: step, tier: tier)
  }

  /// What has passed since the last call, of one picture at most; it is then forgotten.
  public func takeCounts() -> ScopeCounts {
    var counts = ScopeCounts(size: parameters.size, columns: parameters.columns)
    takeCounts(into: &counts)
    return counts
  }

  /// The same into counts that were taken before, whose memory is used again.
  public func takeCounts(into counts: inout ScopeCounts) {
    if counts.size != parameters.size || counts.columns != parameters.columns {
      counts = ScopeCounts(size: parameters.size, columns: parameters.columns)
    }
    counts.chromaticity = ChromaticityRange()
    for (index, tally) in tallies.enumerated() { tally.move(to: &counts, isFirst: index == 0) }
  }
}
