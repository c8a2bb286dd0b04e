public import Frames
internal import HTMLReports

/// Why a pair of pictures yields no constant-colour picture.
public enum ConstantColorError: Error, Sendable, Hashable {
  /// The pictures differ in size: ambient, flash.
  case sizes(ambient: Size, flash: Size)
  /// The components of the pictures differ: different cameras or colour spaces.
  case components
  /// The flash picture is darker than the ambient one at this exposure ratio (ambient to flash): the pictures are
  /// swapped, or their exposures differ.
  case swapped(exposureRatio: Double)
  /// The flash picture is the ambient picture times this factor everywhere and in all colours: just a longer exposure.
  case sameLight(factor: Double)
  /// The exposure ratio is not a positive number.
  case exposureRatio(Double)
  /// A region of interest is empty or outside the picture.
  case region(PictureArea, picture: Size)
  /// The colour of the camera's components is unknown: a calibration or a stated neutral is needed.
  case unknownColor(camera: String)
  /// The calibration is for other components than the pictures'.
  case calibration(of: String, picture: String)
}

extension ConstantColorError: CustomStringConvertible {
  /// A message that describes the fault in the pair.
  public var description: String {
    switch self {
    case .sizes(let ambient, let flash):
      "The pictures differ in size: \(ambient) without the flash, \(flash) with it."
    case .components: "The pictures differ in their colour space, or are of different cameras."
    case .swapped(let ratio):
      "The picture with the flash is darker than the one without, at an exposure ratio of "
        + "\(Figures.significant(ratio, 4)): they are swapped, or were exposed differently."
    case .sameLight(let factor):
      "The picture with the flash is everywhere \(Figures.significant(factor, 3)) times as bright as the one without: "
        + "it was exposed longer, and shows no light of a flash."
    case .exposureRatio(let ratio): "The exposure ratio is a number above 0, not \(ratio)."
    case .region(let area, let size):
      "The region \(area.x),\(area.y),\(area.width),\(area.height) is not within the picture, which is \(size)."
    case .unknownColor(let camera):
      "'\(camera)' does not state how its colours are to be read: a calibration or a neutral is needed."
    case .calibration(let camera, let picture):
      "The calibration is of '\(camera)', and the pictures are of '\(picture)': calibrate this camera."
    }
  }
}
