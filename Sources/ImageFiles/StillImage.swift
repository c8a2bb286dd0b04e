internal import Bitstreams
public import Frames

/// A picture read from a file.
public struct StillImage: Sendable {
  /// Name of the format: "exr", "tiff", "heif", "jxl", "ultrahdr".
  public let formatName: String
  /// FFmpeg's name of the codec: "exr", "tiff", "av1", "hevc", "jpegxl", "mjpeg".
  public let codecName: String
  /// The picture with its tags and metadata; R'G'B' or Y'CbCr code values, or linear light as half float.
  public internal(set) var frame: CodedFrame
  /// The rotation that shows the picture upright.
  public internal(set) var orientation = Orientation.identity
  /// The file's ICC profile, if it contains more than the frame's tags.
  public internal(set) var iccProfile: [UInt8]?
  /// The alpha of the pixels; nil: all are opaque.
  var alpha: StillAlpha?
  /// Notes on how it was read, a sentence each.
  public internal(set) var notes: [String] = []

  /// A note about an unrecognized profile.
  static func note(unrecognized profile: ICCProfile) -> String {
    let name = profile.name.map { " '\($0)'" } ?? ""
    return "Its ICC profile\(name) is not a known colour space and is not applied."
  }
}
