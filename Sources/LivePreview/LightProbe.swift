internal import Frames
internal import Measurement
internal import Rendering
internal import Sessions
internal import ToneMapping

/// Reads the light at single points of frames.
final class LightProbe {
  private let tier: KernelTier
  private let pool = WorkerPool(count: 1)
  private var analyzer: FrameLightAnalyzer?
  private var source: (content: ContentInterpretation, sdrWhite: Double)?

  /// Side in pixels of the square that is read, which holds complete samples of subsampled chroma.
  private static let side = 2

  init(tier: KernelTier) { self.tier = tier }

  /// Returns the brightest component's light at a position, in cd/m², from four pixels that share chroma; nil if it
  /// cannot be read.
  /// - Parameters:
  ///   - place: Fractions of the width and height of the frame, from 0 to below 1.
  ///   - source: How the frame is interpreted.
  ///   - sdrWhite: Luminance in cd/m² of SDR white.
  func nits(_ frame: CodedFrame, at place: SIMD2<Double>, _ source: SourcePlan, sdrWhite: Double) -> Double? {
    guard frame.size.width >= Self.side, frame.size.height >= Self.side else { return nil }
    let (x, y) = (column(place.x, frame.size.width), column(place.y, frame.size.height))
    let part = frame.described(as: source.color).part(PictureArea(x: x, y: y, width: Self.side, height: Self.side))
    let format = source.reading(part.format)
    if analyzer?.format != format || self.source?.content != source.interpretation || self.source?.sdrWhite != sdrWhite
    {
      self.source = (source.interpretation, sdrWhite)
      analyzer = try? FrameLightAnalyzer(
        format: format, content: source.interpretation, sdrWhite: sdrWhite, dividesFields: false, tier: tier, pool: pool
      )
    }
    return try? analyzer?.measure(part).peak
  }

  private func column(_ fraction: Double, _ count: Int) -> Int {
    let position = Int(min(max(fraction, 0), 1) * Double(count)) & ~1
    return min(position, (count - Self.side) & ~1)
  }
}
