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

/// A calibration of a camera and its flash.
public struct CalibrationRequest: Sendable, Hashable, Codable {
  /// The basis of the calibration.
  public enum Source: Sendable, Hashable, Codable {
    /// A picture of a ColorChecker with the flash, and one without it unless the room is dark.
    case chart(flash: String, ambient: String?)
    /// Tables of the camera's sensitivities and the flash's spectrum, with the name of the camera's picture components.
    case spectra(camera: String, flash: String, components: String)
  }

  /// Position of the chart.
  public enum Chart: Sendable, Hashable, Codable {
    /// Detects the chart.
    case found
    /// Centres of its corner patches in pixels from the top left: dark skin, bluish green, black, white.
    case corners([SIMD2<Double>])
  }

  /// The basis of the calibration.
  public var source: Source
  /// Output file of the calibration.
  public var output: String
  /// Position of the chart in the picture.
  public var chart = Chart.found
  /// A picture of an even surface lit by the flash; nil: takes the falloff from the chart.
  public var even: String?
  /// Exposure of the ambient picture relative to the flash picture; nil: from the pictures' metadata.
  public var exposureRatio: Double?
  /// Camera name for reports; nil: from the pictures' metadata.
  public var cameraName: String?
  /// Flash name for reports.
  public var flashName: String?
  /// Replaces an existing file.
  public var overwrites = false
  /// Threads.
  public var processing = ProcessingRequest()

  /// A calibration with the default values.
  public init(_ source: Source, output: String) { (self.source, self.output) = (source, output) }

  /// Input files.
  var filesRead: [String] {
    switch source {
    case .chart(let flash, let ambient): [flash, ambient, even].compactMap(\.self)
    case .spectra(let camera, let flash, _): [camera, flash]
    }
  }

  /// Checks the values.
  /// - Throws: `Refusal`
  public func validate() throws(Refusal) {
    try processing.validate()
    try exposureRatio?.checkExposureRatio()
    if case .corners(let places) = chart, places.count != 4 || !places.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) {
      throw .invalid("chart-corners", "\(.chart) takes auto, or four places as x,y,x,y,x,y,x,y.")
    }
  }
}

extension Double {
  private static let exposureRatios = 1e-6...1e6

  /// - Throws: `Refusal` if it is not a valid exposure ratio.
  func checkExposureRatio() throws(Refusal) {
    guard Self.exposureRatios.contains(self) else {
      throw .invalid(.outOfRange(.exposureRatio, "\(self)", "0.000001", "1000000"))
    }
  }
}
