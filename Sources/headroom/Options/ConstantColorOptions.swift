internal import ArgumentParser
internal import ConstantColorRuns
internal import Frames
internal import ImageFiles
internal import Sessions

/// The pair of pictures.
struct ScenePairOptions: ParsableArguments {
  @Option(
    name: .customLong("without-flash"),
    help: ArgumentHelp("Picture without the flash: any still, or camera raw.", valueName: "file"))
  var ambient: String?

  @Option(help: ArgumentHelp("Picture with the flash, from the same position.", valueName: "file"))
  var flash: String?

  @Option(
    help: ArgumentHelp("Clip or capture device with both, instead of two stills.", valueName: "clip|device"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Frames of --from: AUTO detects the flash; A,F are the numbers, from 0, of the frames without and with it.",
      valueName: "AUTO|A,F"))
  var flashFrames: FlashFramesArgument?

  /// The given options.
  var given: [String] {
    [
      ("--without-flash", ambient != nil), ("--flash", flash != nil), ("--from", from != nil),
      ("--flash-frames", flashFrames != nil),
    ].filter(\.1).map(\.0)
  }

  /// - Throws: `ValidationError` if there is no pair, or more than one.
  func source() throws -> ConstantColorRequest.Source {
    if let from {
      if ambient != nil || flash != nil {
        throw ValidationError("--from has both pictures: omit --without-flash and --flash.")
      }
      return .frames(of: from, flashFrames?.choice ?? .automatic)
    }
    if flashFrames != nil { throw ValidationError("--flash-frames chooses frames of --from: name a clip or a device.") }
    guard let ambient, let flash else {
      throw ValidationError("Name two pictures with --without-flash and --flash, or a clip or device with --from.")
    }
    return .stills(ambient: ambient, flash: flash)
  }
}

/// The output files.
struct ConstantColorOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Output: a picture (png, tiff, jxl, avif, exr); with --calibrate the calibration, with --compare a page.",
      valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Also write the ambient picture, rendered the same way.", valueName: "file"))
  var fallback: String?

  @Option(help: ArgumentHelp("Write the confidence map: 0 to 1 as exr, or 16 bits as png or tiff.", valueName: "file"))
  var confidenceMap: String?

  @Option(help: ArgumentHelp("Write the report as JSON.", valueName: "file"))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Write the report as a single self-contained page: a file named .html, or index.html in a folder.",
      valueName: "folder|file"))
  var page: String?

  @Option(
    help: ArgumentHelp(
      "Colour space of the pictures, as for dump (sRGB; exr: extendedLinearITUR_2020).", valueName: "name"))
  var space: ImageSpace?

  @Option(help: ArgumentHelp("Bits per sample of PNG, TIFF and JPEG XL (16, 8) and AVIF (10, 12, 8).", valueName: "n"))
  var bitDepth: Int?

  @Flag(help: "Print the report, or the comparison, as JSON on standard output.")
  var json = false

  @Flag(help: "Replace existing files.")
  var overwrite = false

  @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
  var quiet = false

  /// The given options for pictures.
  var ofPictures: [String] {
    [
      ("--fallback", fallback != nil), ("--confidence-map", confidenceMap != nil), ("--report", report != nil),
      ("--page", page != nil), ("--space", space != nil), ("--bit-depth", bitDepth != nil),
    ].filter(\.1).map(\.0)
  }
}

/// The properties of the light, and the regions to measure.
struct ConstantColorLightOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Minimum centre-weighted mean confidence, 0 to 1: below it no picture is written, and the exit status is 3.",
      valueName: "x"))
  var minConfidence: Double?

  @Option(
    help: ArgumentHelp(
      "Area to measure, in pixels from the top left, optionally with a name; repeatable.",
      valueName: "X,Y,W,H[=name]"))
  var roi: [RegionArgument] = []

  @Option(
    help: ArgumentHelp(
      "Exposure of the ambient picture divided by that of the flash picture (from the files, else 1).",
      valueName: "x"))
  var exposureRatio: Double?

  @Option(help: ArgumentHelp("Correlated colour temperature of the flash in kelvins (5500).", valueName: "K"))
  var flashTemperature: Double?

  @Option(
    help: ArgumentHelp("Linear R,G,B of a neutral surface lit by the flash alone.", valueName: "R,G,B"))
  var neutral: NeutralArgument?

  @Option(help: ArgumentHelp("Calibration of camera and flash, from --calibrate.", valueName: "file"))
  var calibration: String?

  @Flag(inversion: .prefixedNo, help: "Align the pictures (--no-registration: use them unaligned).")
  var registration = true

  /// The given options.
  var given: [String] {
    [
      ("--min-confidence", minConfidence != nil), ("--roi", !roi.isEmpty), ("--exposure-ratio", exposureRatio != nil),
      ("--flash-temperature", flashTemperature != nil), ("--neutral", neutral != nil),
      ("--calibration", calibration != nil), ("--no-registration", !registration),
    ].filter(\.1).map(\.0)
  }

  /// - Throws: `ValidationError` if several options state the colour of the flash.
  func flash() throws -> ConstantColorRequest.Flash {
    let stated: [(String, ConstantColorRequest.Flash)] = [
      flashTemperature.map { ("--flash-temperature", .temperature($0)) },
      neutral.map { ("--neutral", .neutral($0.rgb)) },
      calibration.map { ("--calibration", .calibration($0)) },
    ].compactMap(\.self)
    guard stated.count <= 1 else {
      throw ValidationError(
        "\(stated[0].0) and \(stated[1].0) both say what the colour of the flash is: choose one.")
    }
    return stated.first?.1 ?? .assumed
  }
}

/// The argument of `--flash-frames`.
struct FlashFramesArgument: ExpressibleByArgument {
  let choice: FlashFrameChoice

  init?(argument: String) {
    if argument.lowercased() == "auto" {
      choice = .automatic
      return
    }
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let ambient = numbers[0], let flash = numbers[1], min(ambient, flash) >= 0,
      ambient != flash, max(ambient, flash) <= FileNames.largestNumber
    else { return nil }
    choice = .numbered(ambient: ambient, flash: flash)
  }
}

/// The argument of `--roi`: "X,Y,W,H" or "X,Y,W,H=name".
struct RegionArgument: ExpressibleByArgument {
  let region: ConstantColorRequest.Region

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    let values = numbers.compactMap(\.self).filter { 0...Self.most ~= $0 }
    guard numbers.count == 4, values.count == 4, values[2] > 0, values[3] > 0,
      parts.count == 1 || !parts[1].isEmpty && parts[1].count <= Self.longestName
    else { return nil }
    region = ConstantColorRequest.Region(
      area: PictureArea(x: values[0], y: values[1], width: values[2], height: values[3]),
      name: parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Maximum coordinate of any picture.
  private static let most = 1 << 20
  private static let longestName = 100
}

/// The argument of `--neutral`.
struct NeutralArgument: ExpressibleByArgument {
  let rgb: SIMD3<Double>

  init?(argument: String) {
    let values = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard values.count == 3, let red = values[0], let green = values[1], let blue = values[2] else { return nil }
    rgb = SIMD3(red, green, blue)
  }
}
