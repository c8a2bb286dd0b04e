public import ConstantColor
internal import Files
internal import Foundation
internal import Frames
internal import Media
internal import Rendering
public import Sessions

/// The result of a calibration.
public struct CalibrationOutcome: Sendable {
  /// The calibration.
  public let calibration: ColorCalibration
  /// Residual CIEDE2000 of each patch of the ColorChecker, in chart order.
  public let differences: [Double]
}

extension Session {
  /// Calibrates a camera and its flash.
  /// - Throws: `Refusal`, `CalibrationError`, or the error of a library; nothing is left behind.
  public func run(_ request: CalibrationRequest) throws -> CalibrationOutcome {
    try request.validate()
    return try running {
      guard let file = try OutputPath(request.output).file(reading: request.filesRead, overwrites: request.overwrites)
      else { throw Refusal.invalid(.fileNeeded(.output)) }
      removing { file.discard() }
      let outcome =
        switch request.source {
        case .chart(let flash, let ambient): try calibrate(request, flash: flash, ambient: ambient)
        case .spectra(let camera, let flash, let components):
          try calibrate(request, camera: camera, flash: flash, components: components)
        }
      let json = try outcome.calibration.json()
      try file.fill([[UInt8](json)])
      if isCancelled {
        file.discard()
        throw Cancellation()
      }
      try file.commit()
      return outcome
    }
  }

  private func calibrate(_ request: CalibrationRequest, flash: String, ambient: String?) throws -> CalibrationOutcome {
    let pool = WorkerPool(count: request.processing.threads)
    let light = try flashLight(request, flash: flash, ambient: ambient, pool)
    let even = try request.even.map { try evenField($0, request, camera: light.camera, pool) }
    let reading =
      switch request.chart {
      case .found: try ChartReading(findingIn: light.alone, exposed: light.exposed)
      case .corners(let corners): try ChartReading(of: light.alone, exposed: light.exposed, corners: corners)
      }
    let made = try ChartCalibration(
      reading, of: light.exposed.description, falloff: even?.turned(by: light.orientation),
      flash: request.flashName)
    var calibration = made.calibration
    // The falloff belongs to the camera, whatever its orientation.
    calibration.falloff = calibration.falloff?.turned(by: light.orientation.inverse)
    calibration.camera = request.cameraName ?? light.camera ?? calibration.camera
    return CalibrationOutcome(calibration: calibration, differences: made.differences)
  }

  /// Returns the falloff in a picture of an even surface, in camera orientation.
  private func evenField(
    _ name: String, _ request: CalibrationRequest, camera: String?, _ pool: WorkerPool
  ) throws -> FlatField {
    let still = try SceneStill(reading: name, pool: pool, threads: request.processing.threadCount)
    warn(still.warnings)
    if let camera, let other = still.camera, camera != other {
      throw Refusal.failed(.differentCameras(other, camera))
    }
    return try FlatField(of: still.image).turned(by: still.orientation.inverse)
  }

  /// Returns the light of the flash alone, and the picture that contains it.
  private func flashLight(
    _ request: CalibrationRequest, flash: String, ambient: String?, _ pool: WorkerPool
  ) throws -> (alone: SceneImage, exposed: SceneImage, camera: String?, orientation: Orientation) {
    guard let ambient else {
      let still = try SceneStill(reading: flash, pool: pool, threads: request.processing.threadCount)
      warn(still.warnings + (still.isDisplayReferred ? [.displayReferred(flash)] : []))
      return (still.image, still.image, still.camera, still.orientation)
    }
    let pair = try ScenePair(ambient: ambient, flash: flash, pool: pool, processing: request.processing)
    warn(pair.warnings)
    let stated = pair.ambient.exposure.flatMap { ambient in pair.flash.exposure.flatMap { ambient.ratio(to: $0) } }
    if request.exposureRatio ?? stated == nil { warn([.exposuresAssumedEqual]) }
    let exposed = pair.flash.image
    guard exposed.size == pair.ambient.image.size else {
      throw ConstantColorError.sizes(ambient: pair.ambient.image.size, flash: exposed.size)
    }
    guard ConstantColorProcessor.isConstantColorSupported(ambient: pair.ambient.image, flash: exposed) else {
      throw ConstantColorError.components
    }
    let ratio = request.exposureRatio ?? stated ?? 1
    return (
      exposed.subtracting(pair.ambient.image, gain: 1 / ratio, pool: pool), exposed, pair.flash.camera,
      pair.flash.orientation
    )
  }

  private func calibrate(
    _ request: CalibrationRequest, camera: String, flash: String, components: String
  ) throws -> CalibrationOutcome {
    func table(_ path: String, columns: Int) throws -> SpectralTable {
      try SpectralTable(csv: String(decoding: DescriptionFile.bytes(of: path), as: UTF8.self), columns: columns)
    }
    let made = try SpectralCalibration(
      camera: table(camera, columns: 3), flash: table(flash, columns: 1), name: components,
      flashName: request.flashName)
    return CalibrationOutcome(calibration: made.calibration, differences: made.differences)
  }
}
