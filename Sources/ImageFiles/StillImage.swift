internal import Bitstreams
public import Frames

/// A picture read from a file.
public struct StillImage: Sendable {
  /// Name of the format: "exr", "tiff", "heif", "jxl", "ultrahdr".
  public let formatName: String
  /// FFmpeg's name of the codec: "exr", "tiff", "av1", "hevc", "jpegxl", "mjpeg".
  public let codecName: String
  /// The picture with its tags and metadata; R'G'B' or Y'CbCr code values, or linear light as half float.
  public let frame: CodedFrame
  /// The rotation that shows the picture upright.
  public let orientation: Orientation
  /// The file's ICC profile, if it contains more than the frame's tags.
  public let iccProfile: [UInt8]?
  /// The alpha of the pixels; nil: all are opaque.
  let alpha: StillAlpha?
  /// Notes on how it was read, a sentence each.
  public let notes: [String]

  /// A picture without alpha.
  public init(
    formatName: String, codecName: String, frame: CodedFrame, orientation: Orientation = .identity,
    iccProfile: [UInt8]? = nil, notes: [String] = []
  ) {
    self.init(
      formatName: formatName, codecName: codecName, frame: frame, orientation: orientation, iccProfile: iccProfile,
      alpha: nil, notes: notes)
  }

  init(
    formatName: String, codecName: String, frame: CodedFrame, orientation: Orientation = .identity,
    iccProfile: [UInt8]? = nil, alpha: StillAlpha?, notes: [String] = []
  ) {
    (self.formatName, self.codecName, self.frame, self.orientation) = (formatName, codecName, frame, orientation)
    (self.iccProfile, self.alpha, self.notes) = (iccProfile, alpha, notes)
  }

  /// A note about an unrecognized profile.
  static func note(unrecognized profile: ICCProfile) -> String {
    let name = profile.name.map { " '\($0)'" } ?? ""
    return "Its ICC profile\(name) is not a known colour space and is not applied."
  }
}
