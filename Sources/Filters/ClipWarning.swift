internal import ColorScience
internal import Foundation
internal import Rendering
internal import SIMDShims
package import ToneMapping

/// Marks content that the mapping to the display clips or compresses, on a grey picture.
///
/// It is based on max(R, G, B), like most tone curves; limits are for greys.
public struct ClipWarning: Sendable, Hashable {
  /// The effect of the mapping on a pixel.
  public struct Fate: Sendable, Hashable {
    /// Name in the legend.
    public let name: String
    /// Colour of affected pixels.
    public let color: SRGBColor
  }

  /// Whether a legend is drawn on the picture.
  public var hasLegend = true

  /// Creates a clip warning with a legend.
  public init() {}

  /// Light is compressed if the tone curve keeps less than this fraction of the content's contrast: a 1 % step in the
  /// content becomes less than 0.5 %.
  static let minimumContrast = 0.5
}

/// The levels above which a tone curve compresses and clips.
package struct ToneLimits: Sendable, Hashable {
  /// Content level in cd/m²; infinite if nothing is compressed.
  package var compressed = Double.infinity
  /// Content level in cd/m²; infinite if all light fits.
  package var clipped = Double.infinity

  /// - Parameter mapper: The tone curve; nil: SDR content, which is unchanged.
  package init(_ mapper: ToneMapper?, peak: Double) {
    guard let mapper else { return }
    func shown(_ nits: Double) -> Double { mapper.map(SIMD3(repeating: nits)).max() }
    // In steps of 1 %.
    let levels = (0...Int(log(peak / Self.darkest) / log(Self.step))).map { Self.darkest * pow(Self.step, Double($0)) }
    let contrasts = levels.map { log(shown($0 * Self.step) / shown($0)) / log(Self.step) }
    clipped = zip(levels, contrasts).reversed().prefix { $0.1 < Self.flat }.last?.0 ?? .infinity
    compressed =
      zip(levels, contrasts).reversed().prefix { $0.1 < ClipWarning.minimumContrast }.last?.0 ?? .infinity
  }

  private static let darkest = 1.0
  private static let step = 1.01
  /// An invisible contrast.
  private static let flat = 1e-3
}

/// Classifies pixels by the effect of the mapping: the code is the sum of 1 for compressed light, 2 for clipped light,
/// and 3 for colours outside the display's gamut.
struct ClipPainter: PixelPainter {
  let palette: Palette
  private let light: DisplayLight
  /// Levels above which light is compressed and clipped, in units of `light`.
  private let compressed: Float16
  private let clipped: Float16
  /// nil: the display has the content's primaries.
  private let boundary: GamutBoundary?

  /// Fates by code; code 0 is unaffected. An out-of-gamut colour keeps its own fate if its light is compressed too.
  static func fates(_ mapping: DisplayMapping.Settings) -> [ClipWarning.Fate?] {
    let isClipping = mapping.gamut == .clip
    let compressed = ClipWarning.Fate(name: "light compressed", color: .yellow)
    let clipped = ClipWarning.Fate(name: "light clipped", color: .vermilion)
    let outside = ClipWarning.Fate(name: isClipping ? "colour clipped" : "colour compressed", color: .skyBlue)
    let both = ClipWarning.Fate(name: "colour and light", color: .purple)
    return [nil, compressed, clipped, outside, both, both]
  }

  /// - Parameter mapper: The tone curve of the mapping.
  init(_ mapping: DisplayMapping.Settings, _ mapper: ToneMapper?, _ context: FilterContext) {
    light = DisplayLight(context.form)
    let limits = ToneLimits(mapper, peak: PQ.peak)
    let unit = light.nitsPerUnit
    let highest = Double(Float16.greatestFiniteMagnitude)
    compressed = Float16(min(limits.compressed / unit, highest))
    clipped = Float16(min(limits.clipped / unit, highest))
    let display = mapping.display.primaries
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
