internal import HTMLReports

/// Why a calibration failed.
public enum CalibrationError: Error, Sendable, Hashable {
  /// A fault in a field of a stored calibration, with the phrase that ends its message.
  public enum FieldFault: String, Sendable, Hashable {
    /// The field is missing.
    case missing = "is missing"
    /// The field has the wrong type.
    case type = "is of another type than expected"
    /// The value is out of range or not finite.
    case range = "is out of range"
    /// The matrix is singular or nearly singular.
    case singular = "cannot be inverted"
    /// The number of values does not match the dimensions.
    case count = "has another number of values than its dimensions say"
  }

  /// A table of spectra, with its name in messages.
  public enum Spectra: String, Sendable, Hashable {
    /// The camera's spectral sensitivities: R, G and B.
    case camera = "camera's table"
    /// The spectral power of the flash.
    case flash = "flash's table"
  }

  /// A fault in a line of a spectral table, with the phrase that ends its message.
  public enum LineFault: String, Sendable, Hashable {
    /// The number of values is wrong.
    case columns = "has another number of values than expected"
    /// A value is not a number.
    case number = "has a value that is not a number"
    /// A value is negative, not finite, or not a wavelength of light.
    case range = "has a value that is impossible"
    /// The wavelengths do not increase.
    case order = "has a wavelength that is not above the one before"
  }

  /// A stored calibration exceeds the maximum size.
  case tooLarge(byteCount: Int)
  /// A stored calibration is not a JSON object.
  case notJSON
  /// A stored calibration has an unsupported version.
  case format(Int)
  /// A field of a stored calibration is invalid; fields are identified by path.
  case field(String, FieldFault)
  /// The picture contains no ColorChecker.
  case chartNotFound
  /// The picture shows the chart mirrored.
  case chartMirrored
  /// The four corners do not match a chart seen from the front: dark skin, bluish green, black, white.
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
  /// No matrix maps the patches close enough to their references: mean CIEDE2000.
  case poorFit(mean: Double)
  /// The flat-field picture is clipped.
  case evenPictureClipped
  /// The flat-field picture is too dark, too small or too unevenly lit to be measured.
  case evenPictureRange
  /// The flat-field picture shows more than smoothly varying light: root mean square deviation as a fraction of the
  /// light.
  case evenPictureTextured(deviation: Double)
  /// The camera responds to the flash in fewer than three independent channels.
  case dependentChannels
  /// A line of a spectral table, counted from 1, is invalid.
  case line(Int, LineFault, of: Spectra)
  /// The wavelengths of a spectral table do not cover 400 to 700 nm in steps of at most 20 nm.
  case wavelengths(of: Spectra)
  /// A column of a spectral table, counted from 1, is entirely zero.
  case emptyColumn(Int, of: Spectra)
}

extension CalibrationError: CustomStringConvertible {
  /// A message that describes the fault in the picture, the table or the file.
  public var description: String {
    switch self {
    case .tooLarge(let count): "A file of \(count) bytes is too large for a calibration or a table of spectra."
    case .notJSON: "The file is not a calibration."
    case .format(let format): "The calibration has format \(format), which this version does not know."
    case .field(let field, let fault): "The calibration's field '\(field)' \(fault.rawValue)."
    case .line(let line, let fault, let spectra): "Line \(line) of the \(spectra.rawValue) \(fault.rawValue)."
    case .wavelengths(let spectra): "The \(spectra.rawValue) does not cover 400 to 700 nm in steps of at most 20 nm."
    case .emptyColumn(let column, let spectra): "Column \(column) of the \(spectra.rawValue) has nothing above 0."
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
}
