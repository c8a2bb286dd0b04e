internal import Rendering
internal import SIMDShims

/// False colour: the luminance of the content in named zones.
public struct FalseColor: Sendable, Hashable {
  /// Whether a legend is drawn on the picture.
  public var hasLegend = true

  /// Creates false colour with a legend.
  public init() {}
}

/// A luminance range that false colour shows uniformly.
public struct LightZone: Sendable, Hashable {
  /// Name in the legend.
  public let name: String
  /// Lower bound in cd/m², exclusive; the upper bound is the start of the next zone.
  public let start: Double
  /// nil: a grey of the pixel's luminance.
  public let color: SRGBColor?

  /// Returns the zones in ascending order. The SDR range stays grey; luminance too dark for displays, and luminance
  /// above SDR, is coloured.
  ///
  /// Source: ITU-R BT.2408-7, 2.2, for HDR reference white at 203 cd/m².
  /// - Parameter sdrWhite: SDR white in cd/m². Zones that become empty are omitted.
  public static func all(sdrWhite: Double) -> [LightZone] {
    let zones = [
      LightZone(name: "black", start: 0, color: .violet),
      LightZone(name: "deep shadow", start: 0.05, color: .blue),
      LightZone(name: "SDR", start: 1, color: nil),
      LightZone(name: "above SDR white", start: sdrWhite, color: .green),
      LightZone(name: "above reference white", start: 203, color: .skyBlue),
      LightZone(name: "highlight", start: 400, color: .yellow),
      LightZone(name: "bright highlight", start: 1000, color: .orange),
      LightZone(name: "extreme", start: 4000, color: .vermilion),
    ]
    return zones.reduce(into: []) { kept, zone in
      if kept.allSatisfy({ $0.start < zone.start }) { kept.append(zone) }
    }
  }
}

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
