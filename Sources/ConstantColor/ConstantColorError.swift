public import Frames

/// Why a pair of pictures gives no constant colour.
public enum ConstantColorError: Error, Sendable, Hashable {
  /// The pictures differ in size: ambient, flash.
  case sizes(ambient: Size, flash: Size)
  /// The pictures' components differ: other cameras, or other colour spaces.
  case components
  /// The picture with the flash is darker than the one without: they are probably swapped.
  case swapped
  /// The exposure ratio is not a positive number.
  case exposureRatio(Double)
  /// A region of interest is empty or outside the picture.
  case region(PictureArea, picture: Size)
  /// The camera's components have no known colour: a calibration, or a stated neutral, is needed.
  case unknownColor(camera: String)
}
