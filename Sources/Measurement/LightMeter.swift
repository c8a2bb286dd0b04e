public import ColorScience
public import Rendering
public import ToneMapping

/// A stage that measures the light which passes, and leaves it as it is. It goes before the mapping to a display.
///
/// What is measured is the content's light on the reference display, as `FrameMeter` measures it: HLG's scene light goes
/// through the OOTF on its way to the counters. Rows that bands share are left out, so that each pixel counts once.
public final class LightMeter: Stage {
  /// What has passed so far.
  public struct Result: Sendable, Hashable {
    /// max(R, G, B) of every pixel.
    public var histogram: LightHistogram
    /// Pixels whose colour lies outside of the gamut; 0 where none was given.
    public var outside: Int
  }

  private let width: Int
  private let nitsPerUnit: Double
  private let counters: [LevelCounter]

  /// - Parameters:
  ///   - width: Pixels in a row.
  ///   - content: What bands hold.
  ///   - sdrWhite: Luminance in cd/m² that SDR content has its white at.
  ///   - gamut: Colours outside of it are counted; nil counts none.
  ///   - workers: Of the pool that renders.
  public init(
    width: Int, content: ContentInterpretation, sdrWhite: Double = FrameMeter.defaultSDRWhite, gamut: RGBSpace? = nil,
    workers: Int
  ) {
    let light = DisplayLight(content, sdrWhite: sdrWhite)
    let boundary = gamut.map { light.form.boundary(of: $0, from: content.primaries) }
    self.width = width
    nitsPerUnit = light.nitsPerUnit
    counters = (0..<workers).map { _ in LevelCounter(width: width, ootf: light.ootf, boundary: boundary) }
  }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { rgb }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe counters[worker].count(band, tier: tier)
  }

  /// What has passed so far; while a frame is rendered, a part of it.
  public var result: Result {
    var counts = LevelCounts(width: width)
    for counter in counters { counter.add(to: &counts) }
    return Result(histogram: LightHistogram(nitsPerUnit: nitsPerUnit, bins: counts.bins), outside: counts.outside)
  }
}
