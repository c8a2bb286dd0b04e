public import Frames

/// A readable pixel format of a device: raw samples or a coded stream.
public struct CaptureFormat: Sendable, Hashable, Codable {
  /// The content of a device's buffer.
  public enum Content: Sendable, Hashable, Codable {
    /// Raw samples, read in place.
    case samples(PixelLayout)
    /// A coded picture or a chunk of a coded stream; needs a `CaptureDecoder`.
    case coded(Coding)
  }

  /// The codec of a device's stream.
  public enum Coding: String, Sendable, Hashable, Codable, CaseIterable {
    /// JPEG pictures, ITU-T T.81.
    case mjpeg
    /// ITU-T H.264, as a byte stream.
    case h264
    /// ITU-T H.265, as a byte stream.
    case hevc
  }

  /// The driver's code.
  public let code: FourCC
  /// The content of a buffer.
  public let content: Content
  /// Luma and chroma are in separate memory (NV12M, NV16M).
  public let hasSeparatePlanes: Bool

  /// The format with a code; nil if it is not readable.
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

  /// All readable formats. Source: Linux, Documentation/userspace-api/media/v4l, image formats and compressed formats.
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

  /// The memory layout of raw samples; nil: the stream is coded.
  public var layout: PixelLayout? {
    if case .samples(let layout) = content { layout } else { nil }
  }

  /// The codec; nil: samples are raw.
  public var coding: Coding? {
    if case .coded(let coding) = content { coding } else { nil }
  }

  /// Whether components are R'G'B', which determines V4L2's default range.
  var isRGB: Bool { layout?.components == .rgb }

  /// Bits per sample. For a coded stream only the decoder knows; most have 8.
  var bitDepth: Int { layout?.bitDepth ?? 8 }

  /// The chroma resolution, for comparison.
  var chroma: Int {
    switch layout?.components {
    case .rgb, .ycbcr444: 3
    case .ycbcr422: 2
    default: 1
    }
  }
}

/// A four-character code of a pixel format.
///
/// Source: Linux, include/uapi/linux/videodev2.h, `v4l2_fourcc`.
public struct FourCC: RawRepresentable, Sendable, Hashable, Codable {
  /// The first character in the lowest byte; the top bit marks a big-endian variant.
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a code from at most four ASCII characters, padded with spaces.
  public init(_ text: StaticString) {
    self.init(bytes: Array("\(text)".utf8))
  }

  /// Creates a code from one to four printable ASCII characters; nil for anything else.
  public init?(characters text: String) {
    let bytes = Array(text.utf8)
    guard (1...4).contains(bytes.count), bytes.allSatisfy({ (33...126).contains($0) }) else { return nil }
    self.init(bytes: bytes)
  }

  private init(bytes: [UInt8]) {
    rawValue = (bytes + [32, 32, 32, 32]).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The characters; unprintable ones become a full stop, and a big-endian variant ends with "-BE".
  public var text: String {
    var text = String(
      (0..<4).map { index -> Character in
        let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(8 * index)) & 0x7F
        return byte >= 32 && byte < 127 ? Character(UnicodeScalar(byte)) : "."
      })
    while text.last == " " { text.removeLast() }
    return text + (rawValue >> 31 == 1 ? "-BE" : "")
  }
}
