internal import Foundation
public import Frames

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
    self.size = size
    self.format = format
    self.space = space
    self.white = white
    self.times = times
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
