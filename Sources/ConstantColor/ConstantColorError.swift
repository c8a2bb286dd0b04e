public import Frames

/// Why a pair of pictures gives no constant colour.
public enum ConstantColorError: Error, Sendable, Hashable {
  /// The pictures differ in size: ambient, flash.
  case sizes(ambient: Size, flash: Size)
  /// The pictures' components differ: other cameras, or other colour spaces.
  case components
  /// The picture with the flash is darker than the one without, at exposures of this ratio (ambient to flash): they are
  /// swapped, or were exposed differently.
  case swapped(exposureRatio: Double)
  /// The picture with the flash is the one without, times this factor in all places and colours: it was exposed longer.
  case sameLight(factor: Double)
  /// The exposure ratio is not a positive number.
  case exposureRatio(Double)
  /// A region of interest is empty or outside the picture.
  case region(PictureArea, picture: Size)
  /// The camera's components have no known colour: a calibration, or a stated neutral, is needed.
  case unknownColor(camera: String)
  /// The calibration is of other components than the pictures'.
  case calibration(of: String, picture: String)
}
