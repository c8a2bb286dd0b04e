internal import ArgumentParser
internal import Sessions

/// `headroom constant-color --ambient A --flash F -o OUTPUT`
struct ConstantColorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "constant-color",
    abstract: "Show the colour of things, whatever the light, from a picture with the flash and one without.",
    discussion: """
      What the flash adds is the picture that a dark room would give: the light of the room cancels, and what remains \
      has a known colour. The confidence map says where that may be believed: not where the flash does not reach, where \
      pixels clip, or where something moved. Elsewhere the picture is filled in. Exposures come from the files; the \
      colour of the flash from a calibration, a neutral surface or its temperature. Colours of --roi are CIELAB for D65, \
      with their standard uncertainty. The exit status is 3 if the picture cannot be believed: its mean confidence is \
      below --min-confidence, or fewer than a thousandth of its pixels have a confidence of 0.8. It is not written then; \
      --fallback and the reports are.
      """)

  @OptionGroup(title: "Pictures") var pair: ScenePairOptions
  @OptionGroup(title: "Output") var output: ConstantColorOutputOptions
  @OptionGroup(title: "Light and colour") var light: ConstantColorLightOptions
  @OptionGroup var processing: ProcessingOptions

  func validate() throws {
    if output.report == "-" { throw ValidationError("--report names a file: --json prints the report.") }
    try validated { try request().validate() }
  }

  func run() throws {
    try MessageOptions.quiet(output.quiet).listening { session in
      let outcome = try session.run(request())
      if output.json {
        try Console.result(outcome.report.json(), ends: "")
      } else if !output.quiet {
        try Console.result(ConstantColorText(outcome).lines.joined(separator: "\n"))
      }
      if !outcome.isBelieved { throw ExitStatus.notVerified }
    }
  }

  private func request() throws -> ConstantColorRequest {
    guard let name = output.output else { throw ValidationError("Name the picture to write with -o.") }
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
