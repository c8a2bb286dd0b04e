internal import Frames
internal import Sessions

extension ConstantColorDiagnostic {
  var words: String {
    switch self {
    case .isNoPicture(let name):
      "'\(name)' is not the name of a picture: use a name that ends in .png, .tiff, .jxl, .avif or .exr."
    case .isNoMap(let name):
      "'\(name)' is not the name of a confidence map: use a name that ends in .exr, .png or .tiff."
    case .isNoPage(let name): "'\(name)' is not the name of a page: use a name that ends in .html."
    case .corners: "--chart takes auto, or four places as x,y,x,y,x,y,x,y."
    case .isNoFile(let parameter): "\(parameter.flag) takes the name of a file."
    case .isUnreadable(let name, let reason): "Cannot read '\(name)': \(reason)."
    case .isOneFile(let name): "--ambient and --flash are the same file, '\(name)': name two pictures."
    case .hasManyFrames(let name):
      "'\(name)' has several frames: name a still, or take both pictures from it with --from."
    case .cameras(let ambient, let flash):
      "The pictures are of different cameras, '\(ambient)' and '\(flash)': take both with one."
    case .orientations:
      "The two files say that the pictures are rotated in different ways: hold the camera the same way for both."
    case .regionNameIsTaken(let name): "--roi names two areas '\(name)': give each a different name."
    case .frameNumbers(let ambient, let flash):
      "Frames \(ambient) and \(flash) are no pair: choose two with --flash-frames."
    case .neutral(let red, let green, let blue):
      "--neutral takes three numbers above 0, not \(red.words),\(green.words),\(blue.words)."
    case .isTakenWith, .clips, .drowns, .flashIsWeak: meteringWords
    case .takesFrames, .drivesFlash, .waitsForLamp, .adaptsItself, .assumesEqualExposures, .isDisplayReferred,
      .assumesFlash, .isUncalibrated, .isNotBelieved, .fallsBack:
      warningWords
    }
  }

  /// What is done, and what to know about it.
  private var warningWords: String {
    switch self {
    case .takesFrames(let ambient, let flash): "frame \(ambient) is without the flash, frame \(flash) with it."
    case .drivesFlash: "the flash of the device is switched on for one of the pictures."
    case .waitsForLamp(let seconds):
      "the device has no flash: switch a lamp near it on or off within \(seconds.words) s, and hold everything still."
    case .adaptsItself:
      "The device may change its exposure and white balance between the pictures: colours are uncertain."
    case .assumesEqualExposures:
      "Neither file states its exposure: equal exposures are assumed. If they differed, give --exposure-ratio."
    case .isDisplayReferred(let name):
      "'\(name)' is rendered for displays, by a curve that is not known exactly: colours are approximate. Camera raw is "
        + "linear."
    case .assumesFlash(let kelvins):
      "The colour of the flash is assumed to be \(kelvins.words) K: give --flash-temperature or --neutral, or, better, "
        + "--calibration."
    case .isUncalibrated: "The camera is not calibrated for this flash: --calibrate makes colours accurate."
    case .isNotBelieved(let mean, let share, let least):
      "The picture cannot be believed, and is not written: its mean confidence is \(mean.words(decimals: 3))"
        + (least.map { $0 > mean ? ", below --min-confidence \($0.words)" : "" } ?? "")
        + ", and \((share * 100).words(decimals: 2)) % of its pixels can be believed. Bring the flash nearer, or make the "
        + "room darker."
    case .fallsBack(let name): "'\(name)' is the ambient picture: its colours depend on the light."
    default: ""
    }
  }

  /// What a device was set to, and how that exposes what is of interest.
  private var meteringWords: String {
    func subject(_ isRegion: Bool) -> String { isRegion ? "region of interest" : "picture" }
    switch self {
    case .isTakenWith(let seconds, let flash):
      let parts = [
        seconds.map { "\(($0 * 1000).words(decimals: 1)) ms of exposure" },
        flash.map { "the flash at \(($0 * 100).words(decimals: 0)) % of its greatest intensity" },
      ]
      return "the pair is taken with \(parts.compactMap(\.self).joined(separator: " and "))."
    case .clips(let isRegion):
      return "The \(subject(isRegion)) clips: give it less light, move the flash away, or close the aperture."
    case .drowns(let isRegion):
      return "The \(subject(isRegion)) is too dark, and drowns in noise: bring the flash nearer, or open the aperture."
    case .flashIsWeak:
      return "The flash adds little to the light of the room: make the room darker, or bring the flash nearer."
    default: return ""
    }
  }
}
