internal import HTMLReports

/// Why there is no calibration.
public enum CalibrationError: Error, Sendable, Hashable {
  /// What is wrong with a field of a stored calibration.
  public enum FieldFault: String, Sendable, Hashable {
    /// It is not there.
    case missing
    /// It is of another type than expected.
    case type
    /// It is outside the range that is possible, or not finite.
    case range
    /// A matrix that cannot be inverted, or is too close to one.
    case singular
    /// A list has another number of values than its dimensions say.
    case count
  }

  /// Which table of spectra.
  public enum Spectra: String, Sendable, Hashable {
    /// That of the camera's sensitivities: R, G and B.
    case camera
    /// That of the flash's power.
    case flash
  }

  /// What is wrong with a line of a table of spectra.
  public enum LineFault: String, Sendable, Hashable {
    /// It has another number of values than expected.
    case columns
    /// A value is not a number.
    case number
    /// A value is negative, not finite, or no wavelength of light.
    case range
    /// The wavelengths do not increase.
    case order
  }

  /// A stored calibration is larger than one can be.
  case tooLarge(byteCount: Int)
  /// A stored calibration is not a JSON object.
  case notJSON
  /// A stored calibration is of another version.
  case format(Int)
  /// A field of a stored calibration, by its path, is wrong.
  case field(String, FieldFault)
  /// No ColorChecker is in the picture.
  case chartNotFound
  /// The picture shows the chart mirrored.
  case chartMirrored
  /// The four corners are not those of a chart seen from the front: dark skin, bluish green, black, white.
  case corners
  /// A patch lies outside the picture.
  case patchOutside(String)
  /// A patch is too small in the picture to be measured.
  case patchTooSmall(String)
  /// A patch is clipped.
  case patchClipped(String)
  /// A patch is too noisy.
  case patchNoisy(String)
  /// A patch is unevenly lit, partly covered, or shiny.
  case patchUneven(String)
  /// No matrix brings the patches near to their reference: mean CIEDE2000.
  case poorFit(mean: Double)
  /// The picture of an even surface is clipped.
  case evenPictureClipped
  /// The picture of an even surface is too dark or too small to be measured, or the light on it varies too much.
  case evenPictureRange
  /// The picture of an even surface shows something else than smoothly varying light: root mean square deviation from
  /// it, as a fraction of the light.
  case evenPictureTextured(deviation: Double)
  /// The camera responds to the flash in fewer than three independent channels.
  case dependentChannels
  /// A line of a table of spectra, counted from 1, is wrong.
  case line(Int, LineFault, of: Spectra)
  /// The wavelengths of a table of spectra do not cover 400 to 700 nm in steps of at most 20 nm.
  case wavelengths(of: Spectra)
  /// A table of spectra has no light or no response at all in a column, counted from 1.
  case emptyColumn(Int, of: Spectra)
}

extension CalibrationError: CustomStringConvertible {
  /// What is wrong with the picture, the table or the file.
  public var description: String {
    switch self {
    case .tooLarge, .notJSON, .format, .field: storedDescription
    case .line(let line, let fault, let spectra): "Line \(line) of the \(spectra.words) \(fault.words)."
    case .wavelengths(let spectra): "The \(spectra.words) does not cover 400 to 700 nm in steps of at most 20 nm."
    case .emptyColumn(let column, let spectra): "Column \(column) of the \(spectra.words) has nothing above 0."
    case .chartNotFound: "No ColorChecker is found in the picture: let it fill more of the frame."
    case .chartMirrored: "The picture shows the chart mirrored: it cannot be used."
    case .corners:
      "The corners are not those of a chart: name the centres of dark skin, bluish green, black and white, in this "
        + "order."
    case .patchOutside(let name):
      "The patch '\(name)' is outside the picture: the corners of the chart are wrong, or it is cut off."
    case .patchTooSmall(let name): "The patch '\(name)' is too small to be measured: bring the camera nearer."
    case .patchClipped(let name): "The patch '\(name)' is clipped: expose less."
    case .patchNoisy(let name): "The patch '\(name)' is too dark or too noisy: bring the flash nearer, or expose more."
    case .patchUneven(let name): "The patch '\(name)' is not even: avoid reflections and shadows on the chart."
    case .poorFit(let mean):
      "The colours of the chart do not fit its reference, by ΔE2000 \(Figures.fixed(mean, 1)) on average: is it a "
        + "ColorChecker Classic, lit by the flash alone?"
    case .evenPictureClipped: "The picture of an even surface is clipped: expose less."
    case .evenPictureRange: "The picture of an even surface is too dark, too small, or too unevenly lit."
    case .evenPictureTextured(let deviation):
      "The picture of an even surface shows more than that, by \(Figures.percent(deviation)): fill the frame with a "
        + "grey card."
    case .dependentChannels: "The camera does not tell three colours apart in the light of this flash."
    }
  }

  private var storedDescription: String {
    switch self {
    case .tooLarge(let count): "A file of \(count) bytes is too large for a calibration or a table of spectra."
    case .format(let format): "The calibration has format \(format), which this version does not know."
    case .field(let field, let fault): "The calibration's field '\(field)' \(fault.words)."
    default: "The file is not a calibration."
    }
  }
}

extension CalibrationError.FieldFault {
  /// The end of a sentence.
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
  /// The end of a sentence.
  fileprivate var words: String {
    switch self {
    case .columns: "has another number of values than expected"
    case .number: "has a value that is not a number"
    case .range: "has a value that is impossible"
    case .order: "has a wavelength that is not above the one before"
    }
  }
}
