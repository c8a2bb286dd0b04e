public import ColorScience
public import Frames
public import Rendering
public import ToneMapping

/// A stage that measures light levels and passes frames on unchanged. Place it ahead of the tone mapper.
///
/// What is measured is the content's light on the reference display: of PQ, the luminance that it codes; of HLG, that of a
/// display of 1000 cd/m² with the system gamma 1.2, which scene light goes through the OOTF for on its way to the counters;
/// of SDR, BT.1886 with a black of 0. SDR and HLG in limited range go on above signal 1, as their formulas do; PQ ends
/// there. Rows that bands share are left out, so that each pixel counts once.
/// Source: CTA-861.3-A (2016), annex A, for max(R, G, B); ITU-R BT.2100-2, table 5, for the OOTF.
@safe
public final class LightLevelAnalyzer: Stage, @unchecked Sendable {
  // @unchecked and @safe: an element of `rowMaxima` is written by the one worker that has its row, and read between frames.

  /// What has passed so far.
  public struct Result: Sendable, Hashable {
    /// max(R, G, B) of every pixel.
    public var histogram: LightHistogram
    /// Pixels whose colour lies outside of the gamut; 0 where none was given.
    public var outside: Int
  }

  /// Luminance of SDR white in cd/m² unless stated. Source: ITU-R BT.2035 (2013).
  public static let defaultSDRWhite = 100.0

  private let size: Size
  private let nitsPerUnit: Double
  private let counters: [MaxRGBCounter]
  private let rowMaxima: RowStorage<UInt16>

  /// A stage for pictures up to a size.
  /// - Parameters:
  ///   - size: Of the widest and the highest picture.
  ///   - content: What bands hold.
  ///   - sdrWhite: Luminance in cd/m² that SDR content has its white at, above 0.
  ///   - gamut: Colours outside of it are counted; nil counts none.
  ///   - workers: Of the pool that renders.
  public init(
    size: Size, content: ContentInterpretation, sdrWhite: Double = defaultSDRWhite, gamut: RGBSpace? = nil,
    workers: Int
  ) {
    let light = DisplayLight(content, sdrWhite: sdrWhite)
    let boundary = gamut.map { light.form.boundary(of: $0, from: content.primaries) }
    self.size = size
    nitsPerUnit = light.nitsPerUnit
    counters = (0..<workers).map { _ in MaxRGBCounter(width: size.width, ootf: light.ootf, boundary: boundary) }
    rowMaxima = RowStorage(rows: 1, width: size.height)
  }

  public var leavesLight: Bool { true }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { rgb }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe counters[worker].count(band, tier: tier, rowMaxima: rowMaxima.row(0))
  }

  /// What has passed so far; while a frame is rendered, a part of it.
  public var result: Result {
    let counts = counts(resets: false)
    return Result(histogram: LightHistogram(nitsPerUnit: nitsPerUnit, bins: counts.bins), outside: counts.outside)
  }

  /// The light of the one frame that has passed since the last call; it is then forgotten.
  func takeFrame() -> FrameLight {
    let counts = counts(resets: true)
    return FrameLight(
      size: size, histogram: LightHistogram(nitsPerUnit: nitsPerUnit, bins: counts.bins),
      rowMaxima: unsafe Array(UnsafeBufferPointer(start: rowMaxima.row(0), count: size.height)),
      columnMaxima: counts.columns)
  }

  private func counts(resets: Bool) -> MaxRGBCounts {
    var counts = MaxRGBCounts(width: size.width)
    for counter in counters { counter.add(to: &counts, resets: resets) }
    return counts
  }
}
