internal import Foundation
public import Frames

/// What a reader must know about a file of raw frames, one after the other: a JSON text beside it.
public struct RawSidecar: Sendable, Hashable {
  /// Pixels of each frame.
  public var size: Size
  /// How the pixels lie.
  public var format: RawFormat
  /// What the components stand for.
  public var space: ImageSpace
  /// Luminance in cd/m² of 1.0 or of the largest code; nil where the numbers are light of the scene.
  public var white: Double?
  /// Of the frames, in seconds.
  public var times: [Double]

  /// `white` in cd/m², `times` in seconds.
  public init(size: Size, format: RawFormat, space: ImageSpace, white: Double?, times: [Double]) {
    self.size = size
    self.format = format
    self.space = space
    self.white = white
    self.times = times
  }

  /// The text, keys in alphabetical order, a line each, with a line break at the end.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Times that are no numbers have no place in JSON.
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
    // null, and not left out: that nothing is known is to be read too.
    try container.encode(white, forKey: .white)
    try container.encode(times.count, forKey: .frameCount)
    try container.encode(times, forKey: .times)
  }
}
