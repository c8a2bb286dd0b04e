public import Frames
public import Rendering

/// A stage that counts pixels for scopes and leaves frames unchanged. Place it before the tone mapper.
///
/// Light is display light of the reference display: 1000 cd/m² for HLG, white at `sdrWhite` for SDR. Rows shared by
/// bands are skipped, so that each pixel counts once.
///
/// - Levels are full-range ten-bit PQ of the half floats R, G, B, and of luminance, summed in single precision and
///   rounded to half float.
/// - For Ct and Cp, cone responses are rounded to half float before they are coded.
/// - u' and v' are counted for pixels of at least `ScopeCounts.minimumLuminance` whose components are finite.
public final class ScopeAnalyzer: Stage {
  private let parameters: ScopeParameters
  private let tallies: [ScopeTally]

  /// Creates a stage for pictures of one size.
  /// - Parameters:
  ///   - size: Size of the picture.
  ///   - content: Interpretation of the bands.
  ///   - sdrWhite: Luminance of SDR white in cd/m².
  ///   - settings: The counts to collect.
  ///   - workers: Number of workers of the rendering pool.
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
    // A renderer with a row step has already skipped the other rows.
    let step = unsafe band.rowStep == 1 ? parameters.settings.rowStep : 1
    unsafe tallies[worker].count(band, rowStep: step, tier: tier)
  }

  /// Returns and resets the counts since the last call, of at most one picture.
  public func takeCounts() -> ScopeCounts {
    var counts = ScopeCounts(size: parameters.size, columns: parameters.columns)
    takeCounts(into: &counts)
    return counts
  }

  /// Moves the counts since the last call, reusing the memory of earlier counts.
  public func takeCounts(into counts: inout ScopeCounts) {
    if counts.size != parameters.size || counts.columns != parameters.columns {
      counts = ScopeCounts(size: parameters.size, columns: parameters.columns)
    }
    counts.chromaticity = ChromaticityRange()
    for (index, tally) in tallies.enumerated() { tally.move(to: &counts, isFirst: index == 0) }
  }
}
