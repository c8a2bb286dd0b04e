public import Frames
internal import Measurement

/// The part of the picture that is kept.
public enum CropRequest: Sendable, Hashable, Codable {
  /// A size in the middle of the picture.
  case centered(Size)
  /// A part of the picture as the output shows it, after any rotation of pixels and before scaling.
  case area(PictureArea)
  /// The picture without the black bars that all selected frames have; they are looked for in an extra pass.
  case automatic

  /// Signal up to which a sample is black unless another limit is requested.
  public static let blackSignal = PictureArea.blackSignal
  /// Limits that make sense: above the steps of eight bits, and below what is seen as grey.
  public static let limits = 0.01...0.25
}
