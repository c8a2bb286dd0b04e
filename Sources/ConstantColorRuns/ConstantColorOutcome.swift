public import ConstantColor
internal import Files
internal import Foundation
internal import Frames
internal import Sessions

/// What became of a pair of pictures.
public struct ConstantColorOutcome: Sendable {
  /// The least share of pixels that must be believed, whatever the mean confidence is.
  static let leastShare = 0.001

  /// Everything that was found, and what was written.
  public let report: ConstantColorReport
  /// The picture can be believed, and was written.
  public let isBelieved: Bool
  /// What the user should know.
  let warnings: [Message]

  /// - Parameters:
  ///   - pair: What is known about the pictures.
  ///   - basis: What the colour of the flash rests on.
  ///   - wording: The wording of warnings in the report.
  init(
    _ result: ConstantColorResult, _ request: ConstantColorRequest, pair: PairFacts, basis: FlashBasis,
    wording: Wording
  ) {
    let measurement = ConstantColorReport.Measurement(result)
    let (mean, share) = (measurement.centerWeightedMeanConfidence, measurement.shareBelieved)
    isBelieved = share >= Self.leastShare && mean >= request.minimumConfidence ?? 0
    var warnings = pair.warnings
    if result.exposureSource == .assumedEqual { warnings.append(.exposuresAssumedEqual) }
    switch (request.flash, basis) {
    case (.calibration, _): break
    case (.assumed, .temperature(let kelvins)): warnings.append(Self.flashAssumed(kelvins))
    default:
      warnings.append(
        Message(
          "camera-uncalibrated",
          "The camera is not calibrated for this flash: \(.calibrate) makes colours accurate."))
    }
    if !isBelieved {
      warnings.append(Self.notBelieved(mean: mean, share: share, least: request.minimumConfidence))
      if let name = request.fallback {
        warnings.append(
          Message("fallback-written", "'\(name)' is the ambient picture: its colours depend on the light."))
      }
    }
    self.warnings = warnings
    let outputs = ConstantColorReport.Outputs(
      picture: isBelieved ? request.output.printable : nil, fallback: request.fallback?.printable,
      confidenceMap: request.confidenceMap?.printable)
    report = ConstantColorReport(
      program: Program.name, time: pair.taken, inputs: pair.inputs, outputs: outputs, components: pair.components,
      flash: basis,
      measurement: measurement, isBelieved: isBelieved,
      minimumConfidence: request.minimumConfidence, warnings: warnings.map(wording.text),
      regions: zip(request.regions, result.regions).map { ConstantColorReport.Region(name: $0.name, $1) })
  }

  private static func flashAssumed(_ kelvins: Double) -> Message {
    Message(
      "flash-assumed",
      "The colour of the flash is assumed to be \(kelvins.words) K: give \(.flashTemperature) or \(.neutral), or, "
        + "better, \(.calibration).")
  }

  /// - Parameters:
  ///   - mean: The mean confidence.
  ///   - share: The share of pixels that can be believed.
  ///   - least: The least mean that was asked for.
  private static func notBelieved(mean: Double, share: Double, least: Double?) -> Message {
    var below: MessageText = ""
    if let least, least > mean { below = ", below \(.minimumConfidence, least.words)" }
    return Message(
      "not-believed",
      "The picture cannot be believed, and is not written: its mean confidence is \(mean.words(decimals: 3))\(below), "
        + "and \((share * 100).words(decimals: 2)) % of its pixels can be believed. Bring the flash nearer, or make the "
        + "room darker.")
  }
}

/// What is kept of a pair of pictures when its light is given away.
struct PairFacts {
  let inputs: ConstantColorReport.Inputs
  /// The camera, or the colour space.
  let components: String
  /// The camera, as far as the files state it.
  let camera: String?
  /// When the flash picture was taken; nil: unknown.
  let taken: Date?
  /// How the camera was held.
  let orientation: Orientation
  let warnings: [Message]

  init(_ pair: ScenePair) {
    inputs = ConstantColorReport.Inputs(ambient: pair.ambient.name.printable, flash: pair.flash.name.printable)
    components = pair.flash.image.description.components.name
    camera = pair.flash.camera ?? pair.ambient.camera
    taken = (pair.flash.taken ?? pair.ambient.taken).map { Date(timeIntervalSince1970: $0) }
    orientation = pair.flash.orientation
    warnings = pair.warnings
  }
}
