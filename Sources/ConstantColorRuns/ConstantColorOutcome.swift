public import ConstantColor
internal import Files
internal import Foundation
internal import Frames
internal import Sessions

/// The result for a pair of pictures.
public struct ConstantColorOutcome: Sendable {
  /// Minimum share of reliable pixels, whatever the mean confidence.
  static let minimumShare = 0.001

  /// All findings, and the files written.
  public let report: ConstantColorReport
  /// The picture is reliable, and was written.
  public let isBelieved: Bool
  /// Warnings for the user.
  let warnings: [Message]

  /// - Parameters:
  ///   - pair: Facts about the pictures.
  ///   - basis: Where the flash colour comes from.
  ///   - wording: The wording of warnings in the report.
  init(
    _ result: ConstantColorResult, _ request: ConstantColorRequest, pair: PairFacts, basis: FlashBasis,
    wording: Wording
  ) {
    let measurement = ConstantColorReport.Measurement(result)
    let (mean, share) = (measurement.centerWeightedMeanConfidence, measurement.shareBelieved)
    isBelieved = share >= Self.minimumShare && mean >= request.minimumConfidence ?? 0
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
      warnings.append(Self.notBelieved(mean: mean, share: share, minimum: request.minimumConfidence))
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
  ///   - mean: Mean confidence.
  ///   - share: Share of reliable pixels.
  ///   - minimum: Requested minimum of the mean.
  private static func notBelieved(mean: Double, share: Double, minimum: Double?) -> Message {
    var below: MessageText = ""
    if let minimum, minimum > mean { below = ", below \(.minimumConfidence, minimum.words)" }
    return Message(
      "not-believed",
      "The picture cannot be believed, and is not written: its mean confidence is \(mean.words(decimals: 3))\(below), "
        + "and \((share * 100).words(decimals: 2)) % of its pixels can be believed. Bring the flash nearer, or make "
        + "the room darker.")
  }
}

/// Facts about a pair of pictures that remain after its light has been handed over.
struct PairFacts {
  let inputs: ConstantColorReport.Inputs
  /// The camera, or the colour space.
  let components: String
  /// The camera, if the files state it.
  let camera: String?
  /// Time of the flash picture; nil: unknown.
  let taken: Date?
  /// Orientation of the camera.
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

extension Message {
  /// A file was expected, but the name denotes a stream.
  static func fileNeeded(_ parameter: Parameter) -> Message {
    Message("file-needed", "\(parameter) takes the name of a file.")
  }

  /// The pictures with and without the flash come from different cameras.
  static func differentCameras(_ ambient: String, _ flash: String) -> Message {
    Message(
      "different-cameras",
      "The pictures are of different cameras, '\(ambient)' and '\(flash)': take both with one.")
  }

  /// A picture is display-referred: the camera has already rendered it.
  static func displayReferred(_ name: String) -> Message {
    Message(
      "display-referred",
      "'\(name)' is rendered for displays, by a curve that is not known exactly: colours are approximate. Camera raw "
        + "is linear.")
  }

  /// The pictures do not state their exposures.
  static var exposuresAssumedEqual: Message {
    Message(
      "exposures-assumed-equal",
      "Neither file states its exposure: equal exposures are assumed. If they differed, give \(.exposureRatio).")
  }
}
