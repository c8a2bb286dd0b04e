internal import ArgumentParser
internal import ConstantColor
internal import ConstantColorRuns
internal import Foundation
internal import Sessions

/// `headroom constant-color --ambient A --flash F -o OUTPUT`
struct ConstantColorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "constant-color",
    abstract: "Reproduce object colours independently of ambient light, from a picture with flash and one without.",
    discussion: """
      The difference of the two pictures is lit by the flash alone: ambient light cancels, and the colour of the \
      remaining light is known. The confidence map shows where the result is reliable: not beyond the reach of the \
      flash, nor where pixels clip or something moved. There the picture is filled in. Exposures come from the files, \
      the colour of the flash from a calibration, a neutral surface or its temperature. Colours of --roi are CIELAB \
      for D65, with standard uncertainty. The exit status is 3 if the result is unreliable: its mean confidence is \
      below --min-confidence, or fewer than a thousandth of its pixels have a confidence of 0.8. It is not written \
      then, but --fallback and the reports are.
      """)

  @OptionGroup(title: "Pictures") var pair: ScenePairOptions
  @OptionGroup(title: "Output") var output: ConstantColorOutputOptions
  @OptionGroup(title: "Light and colour") var light: ConstantColorLightOptions
  @OptionGroup(title: "Calibration") var calibration: ColorCalibrationOptions
  @OptionGroup(title: "Captures over time") var comparison: ColorComparisonOptions
  @OptionGroup var processing: Options<ProcessingOptions>

  /// The task.
  private enum Task {
    case picture(ConstantColorRequest), calibration(CalibrationRequest), comparison(ColorComparisonRequest)
  }

  func validate() throws {
    try validated {
      switch try task() {
      case .picture(let request): try request.validate()
      case .calibration(let request): try request.validate()
      case .comparison(let request): try request.validate()
      }
    }
  }

  func run() throws {
    try MessageOptions.quiet(output.quiet).listening { session in
      switch try task() {
      case .picture(let request):
        let outcome = try session.run(request)
        try print(outcome.report.json(), else: ConstantColorText(outcome).lines)
        if !outcome.isBelieved { throw ExitStatus.notVerified }
      case .calibration(let request):
        let outcome = try session.run(request)
        try print(outcome.calibration.json(), else: CalibrationText(outcome).lines)
      case .comparison(let request):
        let comparison = try session.run(request)
        try print(comparison.json(), else: [ComparisonTable(comparison).text])
      }
    }
  }

  private func print(_ json: Data, else lines: [String]) throws {
    if output.json {
      try Console.result(json)
    } else if !output.quiet {
      try Console.result(lines.joined(separator: "\n"))
    }
  }

  private func task() throws -> Task {
    if !comparison.compare.isEmpty {
      try refuse(
        output.ofPictures + light.given + calibration.given + calibration.kinds + pair.given, with: "--compare")
      return .comparison(comparison.request(page: output.output, overwrites: output.overwrite))
    }
    if comparison.reference != nil {
      throw ValidationError("--reference needs --compare: list the reports.")
    }
    guard let name = output.output else {
      throw ValidationError("Name the output with -o.")
    }
    guard calibration.kinds.isEmpty else {
      try refuse(output.ofPictures + light.given.filter { $0 != "--exposure-ratio" }, with: calibration.kinds[0])
      var request = try calibration.request(pair, exposureRatio: light.exposureRatio, output: name)
      (request.overwrites, request.processing) = (output.overwrite, processing.request)
      return .calibration(request)
    }
    if let option = calibration.given.first {
      throw ValidationError("\(option) needs --calibrate: add it, or omit \(option).")
    }
    return .picture(try picture(name))
  }

  private func refuse(_ options: [String], with task: String) throws {
    if let option = options.first { throw ValidationError("\(option) has no effect with \(task): omit it.") }
  }

  private func picture(_ name: String) throws -> ConstantColorRequest {
    if output.report == "-" { throw ValidationError("--report names a file: --json prints the report.") }
    var request = ConstantColorRequest(try pair.source(), output: name)
    (request.space, request.bitDepth) = (output.space, output.bitDepth)
    (request.fallback, request.confidenceMap) = (output.fallback, output.confidenceMap)
    (request.report, request.page, request.overwrites) = (output.report, output.page, output.overwrite)
    (request.minimumConfidence, request.exposureRatio) = (light.minConfidence, light.exposureRatio)
    (request.flash, request.registers) = (try light.flash(), light.registration)
    request.regions = light.roi.map(\.region)
    request.processing = processing.request
    return request
  }
}
