public import Frames
internal import HTMLReports

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

extension ConstantColorError: CustomStringConvertible {
  /// What is wrong with the pair.
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
