internal import ConstantColor
internal import Frames
internal import Sessions

extension ConstantColorError {
  /// Whose fault it is.
  var status: ExitStatus {
    switch self {
    case .exposureRatio, .region, .unknownColor: .usage
    default: .failed
    }
  }

  var words: String {
    switch self {
    case .sizes(let ambient, let flash):
      "The pictures differ in size: \(ambient) without the flash, \(flash) with it."
    case .components: "The pictures differ in their colour space, or are of different cameras."
    case .swapped(let ratio):
      "The picture with the flash is darker than the one without, at an exposure ratio of "
        + "\(ratio.words(decimals: 3)): swap --ambient and --flash, or the numbers of --flash-frames; if they were "
        + "exposed differently, give --exposure-ratio."
    case .sameLight(let factor):
      "The picture with the flash is everywhere \(factor.words(decimals: 2)) times as bright as the one without: it was "
        + "exposed longer, and shows no light of a flash. If the flash did fire, give --exposure-ratio."
    case .exposureRatio(let ratio): "--exposure-ratio takes a number above 0, not \(ratio)."
    case .region(let area, let size):
      "--roi \(area.x),\(area.y),\(area.width),\(area.height) is not within the picture, which is \(size)."
    case .calibration(let camera, let picture):
      "The calibration is of '\(camera)', and the pictures are of '\(picture)': calibrate this camera."
    case .unknownColor(let camera):
      "'\(camera)' does not state how its colours are to be read: give a --calibration, or R,G,B of a grey card with "
        + "--neutral."
    }
  }
}

extension CalibrationError {
  var words: String {
    switch self {
    case .tooLarge, .notJSON, .format, .field: storedWords
    case .line(let line, let fault, let spectra): "Line \(line) of the \(spectra.words) \(fault.words)."
    case .wavelengths(let spectra): "The \(spectra.words) does not cover 400 to 700 nm in steps of at most 20 nm."
    case .emptyColumn(let column, let spectra): "Column \(column) of the \(spectra.words) has nothing above 0."
    case .chartNotFound:
      "No ColorChecker is found in the picture: let it fill more of the frame, or give its corners with --chart."
    case .chartMirrored: "The picture shows the chart mirrored: it cannot be used."
    case .corners:
      "--chart does not name the corners of a chart: the centres of dark skin, bluish green, black and white, in this order."
    case .patchOutside(let name):
      "The patch '\(name)' is outside the picture: --chart is wrong, or the chart is cut off."
    case .patchTooSmall(let name): "The patch '\(name)' is too small to be measured: bring the camera nearer."
    case .patchClipped(let name): "The patch '\(name)' is clipped: expose less."
    case .patchNoisy(let name): "The patch '\(name)' is too dark or too noisy: bring the flash nearer, or expose more."
    case .patchUneven(let name): "The patch '\(name)' is not even: avoid reflections and shadows on the chart."
    case .poorFit(let mean):
      "The colours of the chart do not fit its reference, by ΔE2000 \(mean.words(decimals: 1)) on average: is it a "
        + "ColorChecker Classic, lit by the flash alone?"
    case .evenPictureClipped: "The picture of --even is clipped: expose less."
    case .evenPictureRange: "The picture of --even is too dark, too small, or too unevenly lit."
    case .evenPictureTextured(let deviation):
      "The picture of --even shows more than an even surface, by \((deviation * 100).words(decimals: 1)) %: fill the frame "
        + "with a grey card."
    case .dependentChannels: "The camera does not tell three colours apart in the light of this flash."
    }
  }

  private var storedWords: String {
    switch self {
    case .tooLarge(let count): "A file of \(count) bytes is too large for a calibration or a table of spectra."
    case .format(let format): "The calibration has format \(format), which this version does not know."
    case .field(let field, let fault): "The calibration's field '\(field)' \(fault.words)."
    default: "The file of --calibration is not a calibration: create one with --calibrate."
    }
  }
}

extension CalibrationError.FieldFault {
  fileprivate var words: String {
    switch self {
    case .missing: "is missing"
    case .type: "is of another type than expected"
    case .range: "is out of range"
    case .singular: "cannot be inverted"
    case .count: "has another number of values than its dimensions say"
    }
  }
}

extension CalibrationError.Spectra {
  /// Which of the files it is.
  fileprivate var words: String {
    switch self {
    case .camera: "camera's table"
    case .flash: "flash's table"
    }
  }
}

extension CalibrationError.LineFault {
  fileprivate var words: String {
    switch self {
    case .columns: "has another number of values than expected"
    case .number: "has a value that is not a number"
    case .range: "has a value that is impossible"
    case .order: "has a wavelength that is not above the one before"
    }
  }
}

extension ReportError {
  /// What is wrong with a report, after its name.
  var words: String {
    switch self {
    case .size(let bytes, let maximum): "it has \(bytes) bytes, and a report has at most \(maximum)"
    case .notJSON: "it is not a report: --report writes one"
    case .format(let format): "it has format \(format), which this version does not know"
    case .missing(let field): "its field '\(field)' is missing"
    case .type(let field): "its field '\(field)' is of another type than expected"
    case .range(let field): "its field '\(field)' is out of range"
    case .count(let field, let maximum): "its field '\(field)' has more than \(maximum) elements"
    }
  }
}

extension ComparisonError {
  var words: String {
    switch self {
    case .noReports: "--compare needs reports."
    case .tooManyReports(let count, let maximum): "--compare takes up to \(maximum) reports, not \(count)."
    case .tooManyRegions(let maximum):
      "The reports have more than \(maximum) regions together: compare fewer."
    case .unknownReference(let name): "--reference '\(name)' is not among the reports: list it."
    case .unreadable(let name, let error): "Cannot compare '\(name)': \(error.words)."
    }
  }
}

extension FlashFrameFailure {
  var words: String {
    switch self {
    case .hasNoFlash(let name, let frames):
      "No flash tells two of the \(frames) frames of '\(name)' apart: name both with --flash-frames A,F."
    case .hasNoFrame(let name, let number): "'\(name)' has no frame \(number): choose others with --flash-frames."
    case .isDamaged(let name, let number):
      "Frame \(number) of '\(name)' is damaged: choose another with --flash-frames."
    case .formatsDiffer(let name, let ambient, let flash):
      "Frames \(ambient) and \(flash) of '\(name)' differ in size, samples or colours: choose others with --flash-frames."
    }
  }
}
