internal import CFFmpeg
internal import Frames
public import Media

extension VideoStreamInfo {
  /// FFmpeg's name of a pixel format whose samples are converted before they are delivered; nil: they stay as decoded.
  public var convertedFormatName: String? {
    guard let name = pixelFormatName else { return nil }
    let format = unsafe av_get_pix_fmt(name)
    return format == AV_PIX_FMT_NONE || PixelFormats.native(format) != nil ? nil : name
  }
}

/// FFmpeg's pixel formats and the corresponding layouts.
///
/// Formats are looked up by name, so that one that this FFmpeg lacks is skipped rather than a compile error.
enum PixelFormats {
  /// A format with the planes of a `PixelLayout`.
  struct Native: Sendable {
    let format: AVPixelFormat
    let layout: PixelLayout
    /// Whether the format implies full range, as the "yuvj" formats do.
    let isFullRange: Bool
  }

  static let native: [Native] = names.compactMap { name, layout in
    let format = unsafe av_get_pix_fmt(name)
    return format == AV_PIX_FMT_NONE
      ? nil : Native(format: format, layout: layout, isFullRange: name.hasPrefix("yuvj"))
  }

  // The first format of a layout is used for writing. Little-endian, like every machine that Swift supports.
  private static let names: [(String, PixelLayout)] = [
    ("yuv420p", PixelLayout(.ycbcr420, bitDepth: 8)),
    ("yuvj420p", PixelLayout(.ycbcr420, bitDepth: 8)),
    ("yuv420p10le", PixelLayout(.ycbcr420, bitDepth: 10)),
    ("yuv420p12le", PixelLayout(.ycbcr420, bitDepth: 12)),
    ("yuv422p", PixelLayout(.ycbcr422, bitDepth: 8)),
    ("yuvj422p", PixelLayout(.ycbcr422, bitDepth: 8)),
    ("yuv422p10le", PixelLayout(.ycbcr422, bitDepth: 10)),
    ("yuv422p12le", PixelLayout(.ycbcr422, bitDepth: 12)),
    ("yuv444p", PixelLayout(.ycbcr444, bitDepth: 8)),
    ("yuvj444p", PixelLayout(.ycbcr444, bitDepth: 8)),
    ("yuv444p10le", PixelLayout(.ycbcr444, bitDepth: 10)),
    ("yuv444p12le", PixelLayout(.ycbcr444, bitDepth: 12)),
    ("gbrp", PixelLayout(.rgb, bitDepth: 8)),
    ("gbrp10le", PixelLayout(.rgb, bitDepth: 10)),
    ("gbrp12le", PixelLayout(.rgb, bitDepth: 12)),
    ("gbrp16le", PixelLayout(.rgb, bitDepth: 16)),
    ("gray", PixelLayout(.gray, bitDepth: 8)),
    ("gray9le", PixelLayout(.gray, bitDepth: 9)),
    ("gray10le", PixelLayout(.gray, bitDepth: 10)),
    ("gray12le", PixelLayout(.gray, bitDepth: 12)),
    ("gray14le", PixelLayout(.gray, bitDepth: 14)),
    ("gray16le", PixelLayout(.gray, bitDepth: 16)),
    ("nv12", PixelLayout(.ycbcr420, bitDepth: 8, packing: .semiplanar)),
    ("p010le", PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar)),
    ("p012le", PixelLayout(.ycbcr420, bitDepth: 12, packing: .semiplanar)),
  ]

  /// The entry of a format that needs no conversion.
  static func native(_ format: AVPixelFormat) -> Native? { native.first { $0.format == format } }

  /// The format for writing `layout`.
  static func format(of layout: PixelLayout) -> AVPixelFormat? { native.first { $0.layout == layout }?.format }

  /// A format of three planes of equal size, which swscale converts independently.
  static func planes(bitDepth: Int) -> AVPixelFormat {
    unsafe av_get_pix_fmt(bitDepth == 8 ? "yuv444p" : "yuv444p\(bitDepth)le")
  }

  /// Whether a format implies full range: the formats of MJPEG, and black and white.
  static func isFullRange(_ format: AVPixelFormat) -> Bool {
    name(format).map { $0.hasPrefix("yuvj") || $0.hasPrefix("mono") } ?? false
  }

  /// Whether a format is Y' only.
  static func isGray(_ format: AVPixelFormat) -> Bool { layout(for: format)?.components == .gray }

  /// Whether a component or the palette entries have alpha.
  static func hasAlpha(_ format: AVPixelFormat) -> Bool {
    unsafe (av_pix_fmt_desc_get(format)?.pointee.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
  }

  /// Whether samples are floating-point numbers.
  static func isFloat(_ format: AVPixelFormat) -> Bool {
    unsafe (av_pix_fmt_desc_get(format)?.pointee.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0
  }

  static func name(_ format: AVPixelFormat) -> String? {
    guard let name = unsafe av_get_pix_fmt_name(format) else { return nil }
    return unsafe String(cString: name)
  }

  /// Significant bits per sample.
  static func bitDepth(_ format: AVPixelFormat) -> Int? {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return nil }
    return unsafe Int(hr_format_depth(descriptor))
  }

  /// The layout that frames of `format` are converted to: unchanged if native, otherwise the same family and
  /// subsampling with the depth rounded up to 8, 10 or 12, or 16 for R'G'B' and grey. nil if the samples are neither
  /// Y'CbCr, R'G'B' nor grey in memory, or floating-point. Grey with alpha becomes R'G'B', because the background may
  /// be coloured.
  static func layout(for format: AVPixelFormat) -> PixelLayout? {
    if let native = native(format) { return native.layout }
    guard let descriptor = unsafe av_pix_fmt_desc_get(format), sws_isSupportedInput(format) != 0 else { return nil }
    // swscale would clip floating-point samples at 1.0.
    if isFloat(format) { return nil }
    // XYZ would be converted to BT.709 R'G'B', which changes colours.
    if unsafe hr_format_is_hardware(descriptor) != 0 || name(format)?.hasPrefix("xyz") == true { return nil }
    let depth = unsafe Int(hr_format_depth(descriptor))
    let bits = depth <= 8 ? 8 : depth <= 10 ? 10 : 12
    let components = unsafe descriptor.pointee.nb_components
    if unsafe hr_format_is_rgb(descriptor) != 0 || format == AV_PIX_FMT_PAL8 || components == 2 {
      return PixelLayout(.rgb, bitDepth: depth <= 12 ? bits : 16)
    }
    if components == 1 {
      return PixelLayout(.gray, bitDepth: [8, 9, 10, 12, 14].first { $0 >= depth } ?? 16)
    }
    let halvesWidth = unsafe descriptor.pointee.log2_chroma_w > 0
    let halvesHeight = unsafe descriptor.pointee.log2_chroma_h > 0
    return PixelLayout(halvesWidth ? halvesHeight ? .ycbcr420 : .ycbcr422 : .ycbcr444, bitDepth: bits)
  }
}
