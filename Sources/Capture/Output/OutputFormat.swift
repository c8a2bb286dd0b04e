internal import Frames

/// A pixel format that a device takes, and the planar frames that it is made of.
struct OutputFormat: Hashable {
  /// The driver's name for it.
  let code: FourCC
  /// How samples lie in the memory of the device.
  let packed: PixelLayout

  private init(_ code: StaticString, _ components: PixelLayout.Components, _ bits: Int, _ packing: PixelLayout.Packing)
  {
    (self.code, packed) = (FourCC(code), PixelLayout(components, bitDepth: bits, packing: packing))
  }

  /// The layout of frames that are written.
  var planar: PixelLayout { PixelLayout(packed.components, bitDepth: packed.bitDepth) }

  private static let known = [
    OutputFormat("YU12", .ycbcr420, 8, .planar), OutputFormat("422P", .ycbcr422, 8, .planar),
    OutputFormat("NV12", .ycbcr420, 8, .semiplanar), OutputFormat("YUYV", .ycbcr422, 8, .yuyv),
    OutputFormat("P010", .ycbcr420, 10, .semiplanar),
  ]

  /// Those of the formats that can be written, the preferred one first: of eight bits those that need no interleaving.
  static func preferred(among offered: [FourCC], isTenBitPreferred: Bool) -> [OutputFormat] {
    let taken = known.filter { offered.contains($0.code) }
    return isTenBitPreferred
      ? taken.filter { $0.packed.bitDepth > 8 } + taken.filter { $0.packed.bitDepth == 8 } : taken
  }
}
