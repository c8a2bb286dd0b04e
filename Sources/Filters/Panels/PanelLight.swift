internal import ColorScience
internal import Rendering

/// Converts linear sRGB to the primaries and unit of another band.
struct PanelLight: Stage {
  private let matrix: Matrix3
  private let compiled: ColorTransform
  var mapping: ColorTransform? { compiled }

  /// - Parameters:
  ///   - primaries: Primaries of the band.
  ///   - white: Component value of white.
  init(to primaries: RGBSpace, white: Double) {
    let conversion = RGBSpace.conversion(from: .bt709, to: primaries)
    matrix = Matrix3(conversion.row0 * white, conversion.row1 * white, conversion.row2 * white)
    compiled = ColorTransform(tone: .scale(white), gamut: .convert(conversion))
  }

  func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { matrix * rgb }

  @unsafe
  func process(_ band: LinearBand, tier: KernelTier, worker: Int) { unsafe compiled.process(band, tier: tier) }
}
