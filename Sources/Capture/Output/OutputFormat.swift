internal import Frames

/// A pixel format that a device accepts, and the planar layout it is packed from.
struct OutputFormat: Hashable {
  /// The driver's code.
  let code: FourCC
  /// The sample layout in device memory.
  let packed: PixelLayout

  private init(_ code: StaticString, _ components: PixelLayout.Components, _ bits: Int, _ packing: PixelLayout.Packing)
  {
    (self.code, packed) = (FourCC(code), PixelLayout(components, bitDepth: bits, packing: packing))
  }

  /// The planar layout of frames to write.
  var planar: PixelLayout { PixelLayout(packed.components, bitDepth: packed.bitDepth) }

  private static let known = [
    OutputFormat("YU12", .ycbcr420, 8, .planar), OutputFormat("422P", .ycbcr422, 8, .planar),
    OutputFormat("NV12", .ycbcr420, 8, .semiplanar), OutputFormat("YUYV", .ycbcr422, 8, .yuyv),
    OutputFormat("P010", .ycbcr420, 10, .semiplanar),
  ]

  /// Returns the writable formats, best first: with eight bits, formats without interleaving come first.
  static func preferred(among offered: [FourCC], isTenBitPreferred: Bool) -> [OutputFormat] {
    let taken = known.filter { offered.contains($0.code) }
    return isTenBitPreferred
      ? taken.filter { $0.packed.bitDepth > 8 } + taken.filter { $0.packed.bitDepth == 8 } : taken
  }
}
