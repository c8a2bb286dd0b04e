package import Frames

extension PixelLayout {
  /// Output layouts, by ffmpeg's names.
  package static let outputs: [(name: String, layout: PixelLayout)] = [
    ("yuv420p", PixelLayout(.ycbcr420, bitDepth: 8)), ("yuv422p", PixelLayout(.ycbcr422, bitDepth: 8)),
    ("yuv444p", PixelLayout(.ycbcr444, bitDepth: 8)), ("yuv420p10le", PixelLayout(.ycbcr420, bitDepth: 10)),
    ("yuv422p10le", PixelLayout(.ycbcr422, bitDepth: 10)), ("yuv444p10le", PixelLayout(.ycbcr444, bitDepth: 10)),
    ("yuv420p12le", PixelLayout(.ycbcr420, bitDepth: 12)), ("yuv422p12le", PixelLayout(.ycbcr422, bitDepth: 12)),
    ("yuv444p12le", PixelLayout(.ycbcr444, bitDepth: 12)), ("gbrp", PixelLayout(.rgb, bitDepth: 8)),
    ("gbrp10le", PixelLayout(.rgb, bitDepth: 10)), ("gbrp12le", PixelLayout(.rgb, bitDepth: 12)),
    ("gray", PixelLayout(.gray, bitDepth: 8)), ("gray10le", PixelLayout(.gray, bitDepth: 10)),
    ("gray12le", PixelLayout(.gray, bitDepth: 12)), ("gray16le", PixelLayout(.gray, bitDepth: 16)),
  ]

  /// The layout of an output pixel format; "yuv420p10" is "yuv420p10le".
  package init?(name: String) {
    guard let match = Self.outputs.first(where: { $0.name == name || $0.name == name + "le" }) else { return nil }
    self = match.layout
  }

  /// ffmpeg's name; nil for layouts that are not output layouts.
  package var name: String? { Self.outputs.first { $0.layout == self }?.name }
}
