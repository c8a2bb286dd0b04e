public import Frames

/// A pixel format of a device that can be read: samples where they lie, or a coded stream.
public struct CaptureFormat: Sendable, Hashable, Codable {
  /// What a buffer of the device holds.
  public enum Content: Sendable, Hashable, Codable {
    /// Samples, which are read where they lie.
    case samples(PixelLayout)
    /// A coded picture or a part of a coded stream, which needs a `CaptureDecoder`.
    case coded(Coding)
  }

  /// How a device codes its stream.
  public enum Coding: String, Sendable, Hashable, Codable, CaseIterable {
    /// Pictures of JPEG, ITU-T T.81.
    case mjpeg
    /// ITU-T H.264, as a byte stream.
    case h264
    /// ITU-T H.265, as a byte stream.
    case hevc
  }

  /// The driver's name for it.
  public let code: FourCC
  /// What a buffer holds.
  public let content: Content
  /// Luma and chroma lie in memory of their own (NV12M, NV16M).
  public let hasSeparatePlanes: Bool

  /// The format of a code; nil if it cannot be read.
  public init?(_ code: FourCC) {
    guard let known = Self.known.first(where: { $0.code == code }) else { return nil }
    self = known
  }

  private init(
    _ code: StaticString, _ components: PixelLayout.Components, _ bitDepth: Int, _ packing: PixelLayout.Packing,
    separate: Bool = false
  ) {
    (self.code, hasSeparatePlanes) = (FourCC(code), separate)
    content = .samples(PixelLayout(components, bitDepth: bitDepth, packing: packing))
  }

  private init(_ code: StaticString, _ coding: Coding) {
    (self.code, content, hasSeparatePlanes) = (FourCC(code), .coded(coding), false)
  }

  /// All that can be read. Source: Linux, Documentation/userspace-api/media/v4l, image formats and compressed formats.
  public static let known: [CaptureFormat] = [
    CaptureFormat("P010", .ycbcr420, 10, .semiplanar), CaptureFormat("NV12", .ycbcr420, 8, .semiplanar),
    CaptureFormat("NM12", .ycbcr420, 8, .semiplanar, separate: true),
    CaptureFormat("NV16", .ycbcr422, 8, .semiplanar),
    CaptureFormat("NM16", .ycbcr422, 8, .semiplanar, separate: true),
    CaptureFormat("YU12", .ycbcr420, 8, .planar), CaptureFormat("422P", .ycbcr422, 8, .planar),
    CaptureFormat("YUYV", .ycbcr422, 8, .yuyv), CaptureFormat("UYVY", .ycbcr422, 8, .uyvy),
    CaptureFormat("Y210", .ycbcr422, 10, .yuyv), CaptureFormat("RGB3", .rgb, 8, .rgb),
    CaptureFormat("BGR3", .rgb, 8, .bgr), CaptureFormat("XR24", .rgb, 8, .bgrx),
    CaptureFormat("AR24", .rgb, 8, .bgrx), CaptureFormat("BGR4", .rgb, 8, .bgrx),
    CaptureFormat("XB24", .rgb, 8, .rgbx), CaptureFormat("AB24", .rgb, 8, .rgbx),
    CaptureFormat("BX24", .rgb, 8, .xrgb), CaptureFormat("BA24", .rgb, 8, .xrgb), CaptureFormat("RGB4", .rgb, 8, .xrgb),
    CaptureFormat("MJPG", .mjpeg), CaptureFormat("JPEG", .mjpeg), CaptureFormat("H264", .h264),
    CaptureFormat("HEVC", .hevc),
  ]

  /// How samples lie in memory; nil: the stream is coded.
  public var layout: PixelLayout? {
    if case .samples(let layout) = content { layout } else { nil }
  }

  /// How the stream is coded; nil: samples lie in memory.
  public var coding: Coding? {
    if case .coded(let coding) = content { coding } else { nil }
  }

  /// Whether components are R'G'B', which decides the range that V4L2 means by default.
  var isRGB: Bool { layout?.components == .rgb }

  /// Bits of a sample. Of a coded stream only its decoder knows; most have 8.
  var bitDepth: Int { layout?.bitDepth ?? 8 }

  /// How much chroma there is.
  var chroma: Int {
    switch layout?.components {
    case .rgb, .ycbcr444: 3
    case .ycbcr422: 2
    default: 1
    }
  }
}
