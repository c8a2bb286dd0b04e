internal import ConstantColor
internal import Foundation
internal import Frames
internal import Media
internal import Rendering
public import Sessions

extension Session {
  /// Makes a constant-colour picture from two pictures, with its side outputs.
  ///
  /// An unreliable picture is not written; everything else is.
  /// - Throws: `Refusal` for impossible requests and for pictures that do not form a pair, `Cancellation`, or the error
  ///   of a library; nothing is left behind.
  public func run(_ request: ConstantColorRequest) throws -> ConstantColorOutcome {
    try request.validate()
    let files = try ConstantColorFiles(request, self)
    let pool = WorkerPool(count: request.processing.threads)
    let frames = try framePair(request, pool)
    return try running {
      files.removeAtExit()
      return try ConstantColorRun(session: self, request: request, files: files, pool: pool).run(frames)
    }
  }

  /// Returns the pair from a clip or device; nil if the request is for stills.
  private func framePair(_ request: ConstantColorRequest, _ pool: WorkerPool) throws -> ScenePair? {
    guard case .frames(let name, let choice) = request.source else { return nil }
    let regions = request.regions.map(\.area)
    let frames = try flashFrames(
      of: InputRequest(name), choice, regions: regions, processing: request.processing
    ) { event in
      switch event {
      case .drivesFlash:
        note("flash-driven", "the flash of the device is switched on for one of the pictures.")
      case .waitsForLamp(let seconds):
        note(
          "waiting-for-lamp",
          "the device has no flash: switch a lamp near it on or off within \(seconds.words) s, and hold everything "
            + "still.")
      case .adaptsItself:
        warn(
          "device-adapts",
          "The device may change its exposure and white balance between the pictures: colours are uncertain.")
      case .metered(let result):
        note(result.setting.notes)
        warn(result.finding.warnings(isRegion: !regions.isEmpty))
      }
    }
    note(
      "pair-found", "frame \(frames.pair.ambient) is without the flash, frame \(frames.pair.flash) with it.")
    return try ScenePair(frames, name, pool: pool)
  }
}

extension FlashFrameSetting {
  /// Notes on the chosen pair, if anything is known about it.
  fileprivate var notes: [Message] {
    let time = (exposure?.seconds).map { "\(($0 * 1000).words(decimals: 1)) ms of exposure" }
    let flash = intensity.map { "the flash at \(($0 * 100).words(decimals: 0)) % of its greatest intensity" }
    let parts = [time, flash].compactMap(\.self).joined(separator: " and ")
    return parts.isEmpty ? [] : [Message("pair-exposure", "the pair is taken with \(parts).")]
  }
}

extension Metering.Finding {
  /// Returns warnings about the exposure of the regions of interest, or of the whole picture.
  fileprivate func warnings(isRegion: Bool) -> [Message] {
    let subject = isRegion ? "region of interest" : "picture"
    let message: Message
    switch self {
    case .fits: return []
    case .clips, .metersAgain:
      message = Message(
        "exposure-clips",
        "The \(subject) clips: give it less light, move the flash away, or close the aperture.")
    case .drowns:
      message = Message(
        "exposure-too-dark",
        "The \(subject) is too dark, and drowns in noise: bring the flash nearer, or open the aperture.")
    case .flashIsWeak:
      message = Message(
        "flash-weak",
        "The flash adds little to the light of the room: make the room darker, or bring the flash nearer.")
    }
    return [message]
  }
}

/// The flash colour, and its source.
struct FlashColor {
  /// Default temperature in kelvins: a xenon flash.
  static let assumedTemperature = 5500.0

  private let light: FlashLight
  /// The calibrated camera, if known.
  private let camera: String?
  let basis: FlashBasis

  /// Returns the flash light for pictures in an orientation.
  func light(in orientation: Orientation) -> FlashLight {
    guard case .calibrated(var calibration) = light else { return light }
    calibration.falloff = calibration.falloff?.turned(by: orientation)
    return .calibrated(calibration)
  }

  /// - Throws: `ConstantColorError.calibration` if another camera was calibrated, provided both are known.
  func check(_ pictures: String?) throws(ConstantColorError) {
    if let camera, let pictures, camera != pictures { throw .calibration(of: camera, picture: pictures) }
  }

  /// - Throws: `Refusal` if a calibration file cannot be read, `CalibrationError` if it is not a calibration.
  init(_ request: ConstantColorRequest.Flash) throws {
    var camera: String?
    switch request {
    case .assumed:
      (light, basis) = (.temperature(Self.assumedTemperature), .temperature(Self.assumedTemperature))
    case .temperature(let kelvins): (light, basis) = (.temperature(kelvins), .temperature(kelvins))
    case .neutral(let rgb): (light, basis) = (.neutral(rgb), .neutral(rgb))
    case .calibration(let path):
      let calibration = try ColorCalibration(json: Data(DescriptionFile.bytes(of: path)))
      let name = [calibration.camera ?? calibration.components, calibration.flash].compactMap(\.self)
      light = .calibrated(calibration)
      camera = calibration.camera
      basis = .calibration(
        name: name.joined(separator: ", "), meanDeltaE: calibration.residuals?.mean,
        largestDeltaE: calibration.residuals?.max)
    }
    self.camera = camera
  }
}
