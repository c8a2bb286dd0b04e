/// About pictures of constant colour.
public enum ConstantColorDiagnostic: Sendable, Hashable, Codable {
  /// A file name whose suffix is of no picture format.
  case isNoPicture(name: String)
  /// A file name whose suffix is of no format of confidence maps.
  case isNoMap(name: String)
  /// A file name whose suffix is not that of a page.
  case isNoPage(name: String)
  /// The chart has not four corners.
  case corners
  /// A file was expected, but the name is that of a stream.
  case isNoFile(Parameter)
  /// A calibration, a table of spectra or a report that cannot be read, and why.
  case isUnreadable(name: String, reason: String)
  /// Both pictures are one file.
  case isOneFile(name: String)
  /// A still was expected, but the input has several frames.
  case hasManyFrames(name: String)
  /// The pictures are of different cameras: ambient, flash.
  case cameras(ambient: String, flash: String)
  /// The pictures are rotated in different ways.
  case orientations
  /// Two regions have one name.
  case regionNameIsTaken(String)
  /// Frames that are no pair: their numbers.
  case frameNumbers(ambient: Int, flash: Int)
  /// R, G and B of a neutral surface that are not above 0.
  case neutral(Double, Double, Double)
  /// The frames of a clip or device that are the pair, by their numbers.
  case takesFrames(ambient: Int, flash: Int)
  /// The device has a flash, which is switched on for the pair.
  case drivesFlash
  /// The device has none: somebody has to switch a lamp within some seconds.
  case waitsForLamp(seconds: Double)
  /// The device may adapt its exposure between the pictures.
  case adaptsItself
  /// What a device took the pair with: the exposure time in seconds, and the intensity of the flash relative to its
  /// greatest, from 0 to 1.
  case isTakenWith(seconds: Double?, flash: Double?)
  /// The regions of interest clip, or the picture if there are none.
  case clips(isRegion: Bool)
  /// They are too dark, or the picture is.
  case drowns(isRegion: Bool)
  /// The flash adds little to the light of the room.
  case flashIsWeak
  /// Nothing states the exposures of the pictures, which are assumed to be equal.
  case assumesEqualExposures
  /// The light of a picture is that of a display, after the camera's own rendering.
  case isDisplayReferred(name: String)
  /// The colour temperature of the flash in kelvins is assumed.
  case assumesFlash(kelvins: Double)
  /// The camera and its flash are not calibrated.
  case isUncalibrated
  /// The picture cannot be believed: its mean confidence, the share of its pixels that can be believed, and the least
  /// mean that was asked for.
  case isNotBelieved(mean: Double, share: Double, least: Double?)
  /// The fallback, which is the ambient picture, stands for it: the name of its file.
  case fallsBack(name: String)
}
