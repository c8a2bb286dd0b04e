internal import ColorScience
internal import Frames
internal import Rendering
internal import SIMDShims

/// Parameters of counting, shared by all workers, in kernel form.
@safe
final class ScopeParameters: @unchecked Sendable {
  // @unchecked and @safe: written only in `init`; the pointers point into `tables` and `offsets`, which outlive them.
  let size: Size
  let columns: Int
  let settings: ScopeSettings
  /// nil: bands do not hold scene light.
  let ootf: ColorTransform?
  let luminance: hr_weights
  /// Weights of the cone responses; nil: the vectorscope uses the components directly.
  let cones: (hr_weights, hr_weights, hr_weights)?
  let vectors: hr_vector_plane
  let chromaticities: hr_chromaticity_plane
  let tally: hr_column_tally
  /// Distance between the bins of adjacent columns.
  let columnStride: Int
  private let tables: ScopeTables
  private let offsets: RowStorage<UInt32>

  /// - Parameter sdrWhite: Luminance of SDR white in cd/m².
  init(size: Size, content: ContentInterpretation, sdrWhite: Double, settings: ScopeSettings) {
    let light = DisplayLight(content, sdrWhite: sdrWhite)
    let columns = settings.columns(width: size.width, height: size.height)
    let stride = RowStorage<UInt16>(rows: 0, width: ScopeCounts.levels).stride
    let tables = ScopeTables(nitsPerUnit: light.nitsPerUnit)
    let offsets = RowStorage<UInt32>(rows: 1, width: size.width)
    var areFours = true
    for x in 0..<size.width {
      let column = x * columns / size.width
      unsafe offsets.row(0)[x] = UInt32(column * stride)
      if column != x / 4 * 4 * columns / size.width { areFours = false }
    }
    (self.size, self.columns, self.settings, self.tables, self.offsets) = (size, columns, settings, tables, offsets)
    columnStride = stride
    ootf = light.ootf
    luminance = Self.weights(content.primaries.luminance)
    cones = settings.plane == .ictcp ? Self.cones(content.primaries) : nil
    unsafe vectors = Self.plane(settings.plane, content.primaries, tables)
    chromaticities = hr_chromaticity_plane(
      matrix: content.primaries.rgbToXYZ.kernelMatrix,
      least: Float(ScopeCounts.minimumLuminance / light.nitsPerUnit), bins_per_unit: Float(ScopeCounts.binsPerUnit))
    unsafe tally = hr_column_tally(levels: tables.levels, offsets: offsets.row(0), are_fours: areFours ? 1 : 0)
  }

  private static func weights(_ v: SIMD3<Double>) -> hr_weights {
    hr_weights(red: Float(v.x), green: Float(v.y), blue: Float(v.z))
  }

  /// Source: ITU-R BT.2100-2, table 7.
  private static func cones(_ primaries: RGBSpace) -> (hr_weights, hr_weights, hr_weights) {
    let rows = (ICtCp.lms * RGBSpace.conversion(from: primaries, to: .bt2020)).rows
    return (weights(rows.0), weights(rows.1), weights(rows.2))
  }

  /// Each coordinate is a row of weights that sum to zero, for differences to the second of three signals.
  private static func plane(_ plane: VectorPlane, _ primaries: RGBSpace, _ tables: ScopeTables) -> hr_vector_plane {
    let side = Double(ScopeCounts.side)
    let (first, third): (SIMD2<Double>, SIMD2<Double>)
    switch plane {
    case .ictcp:
      let opponents = ICtCp.opponentsPQ
      first = SIMD2(opponents.row1.x, opponents.row2.x)
      third = SIMD2(opponents.row1.z, opponents.row2.z)
    case .ycbcr:
      let matrix = VectorPlane.matrix(for: primaries)
      let (red, blue) = (matrix.ycbcr(fromRGB: SIMD3(1, 0, 0)), matrix.ycbcr(fromRGB: SIMD3(0, 0, 1)))
      first = SIMD2(red.y, red.z)
      third = SIMD2(blue.y, blue.z)
    }
    return unsafe hr_vector_plane(
      signals: tables.signals.base, x_first: Float(first.x * side), x_third: Float(third.x * side),
      y_first: Float(first.y * side), y_third: Float(third.y * side))
  }
}
