internal import Foundation
public import Frames

/// The raw pixels of a frame, for pipes and memory maps; `RawSidecar` describes them.
public struct RawEncoder: ImageEncoder {
  private let format: RawFormat

  /// An encoder of frames in the format's layout.
  public init(format: RawFormat) { self.format = format }

  /// The pixels of a frame.
  /// - Parameter frame: A frame in the format's layout.
  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try encode(frame, into: &bytes)
    return bytes
  }

  /// Appends one frame.
  /// - Parameters:
  ///   - frame: A frame in the format's layout.
  ///   - bytes: The bytes to append to.
  public func encode(_ frame: CodedFrame, into bytes: inout [UInt8]) throws(ImageFileError) {
    precondition(frame.layout == format.layout)
    switch format {
    case .rgba16Float:
      let opaque = UInt64(Float16(1).bitPattern) << 48
      Self.interleave(frame, into: &bytes) { red, green, blue in
        UInt64(red) | UInt64(green) << 16 | UInt64(blue) << 32 | opaque
      }
    case .bgr10a2:
      Self.interleave(frame, into: &bytes) { red, green, blue in
        UInt32(blue) | UInt32(green) << 10 | UInt32(red) << 20 | 3 << 30
      }
    }
  }

  /// - Parameter pixel: The little-endian word of red, green and blue.
  @inline(__always)
  private static func interleave<Pixel: FixedWidthInteger>(
    _ frame: CodedFrame, into bytes: inout [UInt8], _ pixel: (UInt16, UInt16, UInt16) -> Pixel
  ) {
    let (width, height) = (frame.size.width, frame.size.height)
    let rowByteCount = MemoryLayout<Pixel>.size * width
    if bytes.count != rowByteCount * height { bytes = [UInt8](repeating: 0, count: rowByteCount * height) }
    unsafe bytes.withUnsafeMutableBytes { target in
      unsafe frame.withPlane(0) { greens in
        unsafe frame.withPlane(1) { blues in
          unsafe frame.withPlane(2) { reds in
            for y in 0..<height {
              let red = unsafe reds.row(y).assumingMemoryBound(to: UInt16.self)
              let green = unsafe greens.row(y).assumingMemoryBound(to: UInt16.self)
              let blue = unsafe blues.row(y).assumingMemoryBound(to: UInt16.self)
              let row = unsafe UnsafeMutableRawBufferPointer(
                rebasing: target[y * rowByteCount..<(y + 1) * rowByteCount])
              let words = unsafe row.assumingMemoryBound(to: Pixel.self)
              for x in 0..<width { unsafe words[x] = pixel(red[x], green[x], blue[x]).littleEndian }
            }
          }
        }
      }
    }
  }
}

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

/// The description of a file of raw frames: a JSON sidecar file.
public struct RawSidecar: Sendable, Hashable {
  /// Size of each frame in pixels.
  public var size: Size
  /// Layout of the pixels.
  public var format: RawFormat
  /// Colour space of the components.
  public var space: ImageSpace
  /// Luminance in cd/m² of 1.0 or of the largest code; nil for scene light.
  public var white: Double?
  /// Times of the frames in seconds.
  public var times: [Double]

  /// `white` in cd/m², `times` in seconds.
  public init(size: Size, format: RawFormat, space: ImageSpace, white: Double?, times: [Double]) {
    (self.size, self.format, self.space, self.white, self.times) = (size, format, space, white, times)
  }

  /// The JSON text with sorted keys, one per line, ending with a newline.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // JSON cannot represent NaN and infinities.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let data = try? encoder.encode(self) else { preconditionFailure("numbers and texts can be encoded") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

extension RawSidecar: Encodable {
  private static let version = 1

  private enum Key: String, CodingKey {
    case format, version, width, height, white, times
    case pixelFormat = "pixel_format"
    case stride = "stride_bytes"
    case frameByteCount = "frame_bytes"
    case frameCount = "nb_frames"
    case space = "color_space"
    case byteOrder = "byte_order"
  }

  public func encode(to encoder: any Encoder) throws {
    let stride = size.width * format.bytesPerPixel
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("headroom-raw", forKey: .format)
    try container.encode(Self.version, forKey: .version)
    try container.encode(size.width, forKey: .width)
    try container.encode(size.height, forKey: .height)
    try container.encode(format.rawValue, forKey: .pixelFormat)
    try container.encode("little-endian", forKey: .byteOrder)
    try container.encode(stride, forKey: .stride)
    try container.encode(stride * size.height, forKey: .frameByteCount)
    try container.encode(space.name, forKey: .space)
    // Written as null rather than omitted, to state explicitly that it is unknown.
    try container.encode(white, forKey: .white)
    try container.encode(times.count, forKey: .frameCount)
    try container.encode(times, forKey: .times)
  }
}
