internal import ColorScience
internal import Rendering
internal import SIMDShims
internal import ToneMapping

/// What the mapping does to each pixel: the code adds up 1 for compressed and 2 for clipped light, and 3 for a colour outside
/// of the display's gamut.
struct ClipPainter: PixelPainter {
  let palette: Palette
  private let light: DisplayLight
  /// Light of the levels above which it is compressed and clipped, in units of `light`.
  private let compressed: Float16
  private let clipped: Float16
  /// nil where the display has the primaries of the content.
  private let boundary: GamutBoundary?

  /// Fates by code, the first of nothing: a colour outside keeps its own where its light is compressed too.
  static func fates(_ mapping: DisplayMapping.Settings) -> [ClipWarning.Fate?] {
    let isClipping = mapping.gamut == .clip
    let compressed = ClipWarning.Fate(name: "light compressed", color: .yellow)
    let clipped = ClipWarning.Fate(name: "light clipped", color: .vermilion)
    let outside = ClipWarning.Fate(name: isClipping ? "colour clipped" : "colour compressed", color: .skyBlue)
    let both = ClipWarning.Fate(name: "colour and light", color: .purple)
    return [nil, compressed, clipped, outside, both, both]
  }

  /// - Parameter mapper: That of the mapping.
  init(_ mapping: DisplayMapping.Settings, _ mapper: ToneMapper?, _ context: FilterContext) {
    light = DisplayLight(context.form)
    let limits = ToneLimits(mapper, peak: PQ.peak)
    let unit = light.nitsPerUnit
    let highest = Double(Float16.greatestFiniteMagnitude)
    compressed = Float16(min(limits.compressed / unit, highest))
    clipped = Float16(min(limits.clipped / unit, highest))
    let display = mapping.display.primaries.space ?? .bt709
    boundary =
      display == context.content.primaries
      ? nil
      : light.form.boundary(of: display, from: context.content.primaries)
    palette = Palette(
      Self.fates(mapping).map { $0.map { .color($0.color) } ?? .gray }, primaries: context.paintedPrimaries,
      white: context.paintedWhite)
  }

  func code(_ rgb: SIMD3<Double>) -> Int {
    let level = light.form.nits(rgb).max() / light.nitsPerUnit
    return (level > Double(compressed) ? 1 : 0) + (level > Double(clipped) ? 1 : 0)
      + (boundary?.isOutside(rgb) ?? false ? 3 : 0)
  }

  @unsafe
  func encode(
    _ row: LinearBand.Row, width: Int, tier: KernelTier, levels: UnsafeMutablePointer<UInt16>,
    to codes: UnsafeMutablePointer<UInt16>
  ) {
    let (kernels, row) = unsafe (tier.kernels, row.kernelRows)
    if let ootf = light.ootf {
      unsafe ootf.withParameters(tier) { unsafe kernels.scene_levels($0, row, levels, width) }
    } else {
      unsafe kernels.levels(row, levels, width)
    }
    unsafe kernels.level_zones(UnsafePointer(levels), compressed.bitPattern, clipped.bitPattern, codes, width)
    guard let boundary else { return }
    var parameters = hr_gamut_boundary(boundary)
    unsafe kernels.add_outside(&parameters, 3, row, codes, width)
  }
}
