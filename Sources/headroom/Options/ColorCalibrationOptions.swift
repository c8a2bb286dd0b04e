internal import ArgumentParser
internal import ConstantColorRuns
internal import Sessions

/// The sources of a calibration.
struct ColorCalibrationOptions: ParsableArguments {
  @Flag(
    help: """
      Calibrate the camera and its flash with a picture of a ColorChecker (--flash), taken in the dark or paired with \
      --without-flash.
      """)
  var calibrate = false

  @Option(
    help: ArgumentHelp(
      "Position of the chart: auto, or its corner patch centres in pixels: dark skin, bluish green, black, white.",
      valueName: "auto|x,y,x,y,x,y,x,y"))
  var chart: ChartArgument?

  @Option(
    help: ArgumentHelp(
      "Picture of a uniform surface, such as a grey card, that fills the frame, lit by the flash.",
      valueName: "file"))
  var even: String?

  @Option(
    help: ArgumentHelp(
      "Calibrate from spectra instead: tables of wavelength,R,G,B of the camera and of wavelength,power of the flash.",
      valueName: "camera.csv,flash.csv"))
  var calibrateSpectra: SpectraArgument?

  @Option(help: ArgumentHelp("Maker and model of the camera (from the pictures).", valueName: "name"))
  var cameraName: String?

  @Option(help: ArgumentHelp("Name of the flash, for reports.", valueName: "name"))
  var flashName: String?

  /// The given options that request a calibration.
  var kinds: [String] {
    [("--calibrate", calibrate), ("--calibrate-spectra", calibrateSpectra != nil)].filter(\.1).map(\.0)
  }

  /// The given calibration options.
  var given: [String] {
    [
      ("--chart", chart != nil), ("--even", even != nil), ("--camera-name", cameraName != nil),
      ("--flash-name", flashName != nil),
    ].filter(\.1).map(\.0)
  }

  /// - Throws: `ValidationError` for unsuitable sources.
  func request(_ pair: ScenePairOptions, exposureRatio: Double?, output: String) throws -> CalibrationRequest {
    var request = CalibrationRequest(try source(pair, exposureRatio: exposureRatio), output: output)
    request.exposureRatio = exposureRatio
    (request.chart, request.even) = (chart?.chart ?? .found, even)
    (request.cameraName, request.flashName) = (cameraName, flashName)
    return request
  }

  private func source(_ pair: ScenePairOptions, exposureRatio: Double?) throws -> CalibrationRequest.Source {
    if pair.from != nil || pair.flashFrames != nil {
      throw ValidationError("A calibration is made from stills: omit --from.")
    }
    guard let spectra = calibrateSpectra else {
      guard let flash = pair.flash else {
        throw ValidationError("--calibrate needs a picture of a ColorChecker: name it with --flash.")
      }
      if exposureRatio != nil, pair.ambient == nil {
        throw ValidationError(
          "--exposure-ratio has no effect without --without-flash: add it, or omit --exposure-ratio.")
      }
      return .chart(flash: flash, ambient: pair.ambient)
    }
    if let option = [
      ("--calibrate", calibrate), ("--flash", pair.flash != nil), ("--without-flash", pair.ambient != nil),
      ("--chart", chart != nil), ("--even", even != nil), ("--exposure-ratio", exposureRatio != nil),
    ].first(where: \.1) {
      throw ValidationError("--calibrate-spectra needs no picture: omit \(option.0).")
    }
    guard let cameraName else {
      throw ValidationError("--calibrate-spectra needs the camera's maker and model: add --camera-name.")
    }
    return .spectra(camera: spectra.camera, flash: spectra.flash, components: cameraName)
  }
}

/// The captures to compare.
struct ColorComparisonOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Compare the regions of several reports, in order of capture.", valueName: "report"))
  var compare: [String] = []

  @Option(help: ArgumentHelp("Report to compare the others with (the first).", valueName: "report"))
  var reference: String?

  func request(page: String?, overwrites: Bool) -> ColorComparisonRequest {
    var request = ColorComparisonRequest(compare)
    (request.reference, request.page, request.overwrites) = (reference, page, overwrites)
    return request
  }
}

/// The argument of `--chart`.
struct ChartArgument: ExpressibleByArgument {
  let chart: CalibrationRequest.Chart

  init?(argument: String) {
    if argument.lowercased() == "auto" {
      chart = .found
      return
    }
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let values = numbers.compactMap(\.self).filter(\.isFinite)
    guard numbers.count == 8, values.count == 8 else { return nil }
    chart = .corners((0..<4).map { SIMD2(values[2 * $0], values[2 * $0 + 1]) })
  }
}

/// The argument of `--calibrate-spectra`.
struct SpectraArgument: ExpressibleByArgument {
  let camera: String
  let flash: String

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    (camera, flash) = (names[0], names[1])
  }
}
