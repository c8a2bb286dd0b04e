public import Frames
internal import Measurement

/// The crop of a picture.
public enum CropRequest: Sendable, Hashable, Codable {
  /// A centred area of this size.
  case centered(Size)
  /// An area in coordinates of the output, after any rotation of pixels and before scaling.
  case area(PictureArea)
  /// The picture without black bars common to all selected frames, which an extra pass detects.
  case automatic

  /// Default signal up to which a sample counts as black.
  public static let blackSignal = PictureArea.blackSignal
  /// Valid limits: above the 8-bit quantization steps, and below visible grey.
  public static let limits = 0.01...0.25
}
