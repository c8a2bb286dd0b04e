public import Frames

/// The layout of raw pixels: interleaved, rows without gaps, little-endian.
///
/// Two formats of Core Video and of graphics interfaces: kCVPixelFormatType_64RGBAHalf
/// (VK_FORMAT_R16G16B16A16_SFLOAT) and kCVPixelFormatType_ARGB2101010LEPacked (VK_FORMAT_A2R10G10B10_UNORM_PACK32).
public enum RawFormat: String, Sendable, Hashable, CaseIterable {
  /// Linear light: R, G, B and an alpha of 1.0 as half floats.
  case rgba16Float
  /// Full-range codes: blue in the low ten bits of a 32-bit word, then green and red, and 3 for alpha on top.
  case bgr10a2

  /// 8 for `rgba16Float`, 4 for `bgr10a2`.
  public var bytesPerPixel: Int {
    switch self {
    case .rgba16Float: 8
    case .bgr10a2: 4
    }
  }

  /// The layout of source frames.
  public var layout: PixelLayout {
    switch self {
    case .rgba16Float: .linearRGB
    case .bgr10a2: PixelLayout(.rgb, bitDepth: 10)
    }
  }
}
