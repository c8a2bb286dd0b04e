internal import ColorScience
internal import Rendering
internal import SIMDShims
internal import ToneMapping

/// Classifies pixels by the zones of content luminance.
struct ZonePainter: PixelPainter {
  let palette: Palette
  private let weights: SIMD3<Double>
  /// In band units.
  private let levels: [Double]
  private let parameters: hr_zones

  init(_ zones: [LightZone], _ context: FilterContext) {
    let form = context.form
    weights = form.luminance(of: context.content.primaries)
    levels = zones.dropFirst().map { form.light(above: $0.start) }
    parameters = hr_zones(weights: weights, levels: levels)
    palette = Palette(
      zones.map { $0.color.map { .color($0) } ?? .gray }, primaries: context.paintedPrimaries,
      white: context.paintedWhite)
  }

  func code(_ rgb: SIMD3<Double>) -> Int {
    let luminance = (weights * rgb).sum()
    return levels.count { luminance > $0 }
  }

  @unsafe
  func encode(
    _ row: LinearBand.Row, width: Int, tier: KernelTier, levels: UnsafeMutablePointer<UInt16>,
    to codes: UnsafeMutablePointer<UInt16>
  ) {
    var parameters = parameters
    unsafe tier.kernels.zones(&parameters, row.kernelRows, codes, width)
  }
}
