public import Sessions

/// A calibration of a camera and its flash.
public struct CalibrationRequest: Sendable, Hashable, Codable {
  /// What the calibration is made from.
  public enum Source: Sendable, Hashable, Codable {
    /// A picture of a ColorChecker with the flash, and one without it where the room is not dark.
    case chart(flash: String, ambient: String?)
    /// Tables of the camera's sensitivities and of the flash's spectrum, for a camera by the name of its pictures'
    /// components.
    case spectra(camera: String, flash: String, components: String)
  }

  /// Where the chart is.
  public enum Chart: Sendable, Hashable, Codable {
    /// It is looked for.
    case found
    /// The centres of its corner patches in pixels from the top left: dark skin, bluish green, black, white.
    case corners([SIMD2<Double>])
  }

  /// What it is made from.
  public var source: Source
  /// The file of the calibration.
  public var output: String
  /// Where the chart is in the picture.
  public var chart = Chart.found
  /// A picture of an even surface in the light of the flash; nil: the falloff is that of the chart.
  public var even: String?
  /// Exposure of the ambient picture over that of the flash picture; nil: what the pictures state.
  public var exposureRatio: Double?
  /// The camera, as reports call it; nil: what the pictures state.
  public var cameraName: String?
  /// The flash, as reports call it.
  public var flashName: String?
  /// An existing file is replaced.
  public var overwrites = false
  /// Threads.
  public var processing = ProcessingRequest()

  /// A calibration, with the defaults that the properties state.
  public init(_ source: Source, output: String) { (self.source, self.output) = (source, output) }

  /// What is read.
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

  /// - Throws: `Refusal` if it is no ratio of exposures.
  func checkExposureRatio() throws(Refusal) {
    guard Self.exposureRatios.contains(self) else {
      throw .invalid(.outOfRange(.exposureRatio, "\(self)", "0.000001", "1000000"))
    }
  }
}
