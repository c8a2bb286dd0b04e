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

/// A colour in eight-bit sRGB.
public struct SRGBColor: Sendable, Hashable {
  /// Non-linear R', 0...255.
  public var red: UInt8
  /// Non-linear G', 0...255.
  public var green: UInt8
  /// Non-linear B', 0...255.
  public var blue: UInt8

  /// Creates a colour from its code.
  /// - Parameter hex: 0xRRGGBB.
  public init(_ hex: UInt32) {
    red = UInt8(truncatingIfNeeded: hex >> 16)
    green = UInt8(truncatingIfNeeded: hex >> 8)
    blue = UInt8(truncatingIfNeeded: hex)
  }

  /// Creates a colour from text.
  /// - Parameter text: "RRGGBB", or a name in `named`; nil for other text.
  public init?(text: String) {
    if let color = Self.named[text] {
      self = color
    } else if text.utf8.count == 6, text.allSatisfy(\.isHexDigit), let hex = UInt32(text, radix: 16) {
      self.init(hex)
    } else {
      return nil
    }
  }

  /// Colours distinguishable with any colour vision. Source: M. Okabe and K. Ito, "Color Universal Design" (2008).
  public static let named: [String: SRGBColor] = [
    "orange": orange, "skyblue": skyBlue, "green": green, "yellow": yellow, "blue": blue, "vermilion": vermilion,
    "purple": purple,
  ]
  /// E69F00 of Okabe and Ito.
  public static let orange = SRGBColor(0xE69F00)
  /// 56B4E9 of Okabe and Ito.
  public static let skyBlue = SRGBColor(0x56B4E9)
  /// 009E73 of Okabe and Ito.
  public static let green = SRGBColor(0x009E73)
  /// F0E442 of Okabe and Ito.
  public static let yellow = SRGBColor(0xF0E442)
  /// 0072B2 of Okabe and Ito.
  public static let blue = SRGBColor(0x0072B2)
  /// D55E00 of Okabe and Ito.
  public static let vermilion = SRGBColor(0xD55E00)
  /// CC79A7 of Okabe and Ito.
  public static let purple = SRGBColor(0xCC79A7)
  /// Darker than the others, for black.
  public static let violet = SRGBColor(0x4B2A7B)

  /// Linear components in BT.709, 1 at white.
  public var linear: SIMD3<Double> {
    SIMD3(SRGB.eotf(Double(red) / 255), SRGB.eotf(Double(green) / 255), SRGB.eotf(Double(blue) / 255))
  }
}
