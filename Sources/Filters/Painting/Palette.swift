internal import ColorScience
internal import Rendering
internal import SIMDShims

/// The paint of pixels, by code.
struct Palette: Sendable {
  /// The paint of a pixel.
  enum Paint: Sendable, Hashable {
    /// Grey of the same luminance.
    case gray
    case color(SRGBColor)
  }

  /// Linear components by code; nil: grey.
  private let colors: [SIMD3<Double>?]
  private let gray: SIMD3<Double>
  private let table: Table

  /// - Parameters:
  ///   - paints: Paints by code; one may be grey. Pixels with other codes are unchanged.
  ///   - primaries: Primaries of the painted light.
  ///   - white: Component value of white.
  init(_ paints: [Paint], primaries: RGBSpace, white: Double) {
    let matrix = RGBSpace.conversion(from: .bt709, to: primaries)
    colors = paints.map { paint in
      guard case .color(let color) = paint else { return nil }
      return matrix * color.linear * white
    }
    gray = primaries.luminance
    table = Table(colors)
  }

  func reference(_ code: Int, _ rgb: SIMD3<Double>) -> SIMD3<Double> {
    guard colors.indices.contains(code) else { return rgb }
    return colors[code] ?? SIMD3(repeating: (gray * rgb).sum())
  }

  /// Paints a row by the codes of its pixels, in place.
  @unsafe
  func paint(_ row: LinearBand.Row, _ codes: UnsafePointer<UInt16>, width: Int, tier: KernelTier) {
    var parameters = unsafe hr_palette(
      gray: gray.kernelRow, count: Int32(colors.count), gray_code: Int32(colors.firstIndex(of: nil) ?? -1),
      colors: UnsafePointer(table.rows.row(0)))
    unsafe tier.kernels.paint(&parameters, codes, row.kernelRows, width)
  }

  /// The components in kernel form.
  private final class Table: @unchecked Sendable {
    // @unchecked: written only in `init`.
    let rows: RowStorage<Float16>

    init(_ colors: [SIMD3<Double>?]) {
      rows = RowStorage(rows: 1, width: 3 * colors.count)
      for (index, color) in colors.enumerated() {
        let color = color ?? .zero
        for component in 0..<3 { unsafe rows.row(0)[3 * index + component] = Float16(color[component]) }
      }
    }
  }
}
