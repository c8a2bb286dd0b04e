internal import ColorScience
internal import Rendering
internal import SIMDShims

/// Encodes the counted properties of a pixel in one number: the number of the four levels its luminance exceeds, plus 5
/// if it is outside BT.709, plus 10 if it is outside P3, plus 20 times its hue sector, starting at 1.
struct PixelClass: Sendable {
  static let count = 140

  /// SDR white and three fixed levels, in cd/m² in this order, and ascending in band units.
  private let nits: [Double]
  private let zones: hr_zones
  private let bt709: hr_gamut_boundary
  private let p3: hr_gamut_boundary
  private let hues: hr_hues

  init(_ content: ContentInterpretation, sdrWhite: Double) {
    let form = ContentLightForm(content, sdrWhite: sdrWhite)
    nits = [sdrWhite, 203, 1000, 4000]
    zones = hr_zones(
      weights: form.luminance(of: content.primaries), levels: nits.sorted().map { form.light(above: $0) })
    bt709 = hr_gamut_boundary(form.boundary(of: .bt709, from: content.primaries))
    p3 = hr_gamut_boundary(form.boundary(of: .displayP3, from: content.primaries))
    hues = HueSector.parameters(content.primaries)
  }

  /// Computes the classes of a row's pixels.
  @unsafe
  func classify(_ row: LinearBand.Row, width: Int, tier: KernelTier, to indices: UnsafeMutablePointer<UInt16>) {
    let (kernels, light) = unsafe (tier.kernels, row.kernelRows)
    var (zones, bt709, p3, hues) = (zones, bt709, p3, hues)
    unsafe kernels.zones(&zones, light, indices, width)
    unsafe kernels.add_outside(&bt709, 5, light, indices, width)
    unsafe kernels.add_outside(&p3, 10, light, indices, width)
    unsafe kernels.add_hues(&hues, 20, light, indices, width)
  }

  /// Returns the properties of `count` pixels of a class.
  func meaning(of index: Int, count: Int) -> (ColorStatistics.Counts, hue: Int?) {
    var result = ColorStatistics.Counts()
    result.pixels = count
    result.outsideBT709 = index / 5 % 2 == 1 ? count : 0
    result.outsideP3 = index / 10 % 2 == 1 ? count : 0
    func above(_ level: Double) -> Int { nits.count { $0 < level } < index % 5 ? count : 0 }
    (result.aboveSDRWhite, result.above203) = (above(nits[0]), above(nits[1]))
    (result.above1000, result.above4000) = (above(nits[2]), above(nits[3]))
    return (result, index / 20 == 0 ? nil : index / 20 - 1)
  }
}
