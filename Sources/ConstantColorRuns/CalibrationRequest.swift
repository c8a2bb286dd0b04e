public import Sessions

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
