public import ColorScience
public import Foundation
public import Frames

/// A colour calibration of a camera and its flash.
public struct ColorCalibration: Sendable, Hashable {
  /// The basis of a calibration.
  public enum Source: String, Sendable, Hashable, Codable {
    /// A picture of a ColorChecker.
    case chart
    /// Spectral sensitivities of the camera and the spectrum of the flash.
    case spectra
  }

  /// Distance of the calibrated ColorChecker colours from their references, in CIEDE2000.
  public struct Residuals: Sendable, Hashable, Codable {
    /// Mean over the patches.
    public var mean: Double
    /// The maximum over the patches.
    public var max: Double

    private enum CodingKeys: String, CodingKey {
      case mean = "mean_de2000"
      case max = "max_de2000"
    }

    /// Creates residuals; both are at least 0.
    public init(mean: Double, max: Double) {
      self.mean = mean
      self.max = max
    }
  }

  /// Name of the calibrated components: the camera, or the colour space.
  public var components: String
  /// From the flash-only picture, divided by `falloff`, to CIE XYZ of the surfaces in D65. A perfect white has Y = 1 at
  /// the chart's position and `exposure`; for calibrations from spectra, a white of G = 1 has Y = 1.
  public var toXYZ: Matrix3
  /// R, G and B of a neutral surface in the light of the flash, green 1.
  public var white: SIMD3<Double>
  /// Relative light of the flash over the frame, 1 at the centre; nil: uniform.
  public var falloff: FlatField?
  /// Exposure of the chart picture; nil: unknown or no picture.
  public var exposure: Exposure?
  /// Maker and model of the camera.
  public var camera: String?
  /// The flash, in the user's words.
  public var flash: String?
  /// The basis of the calibration.
  public var source: Source
  /// Fit residuals; nil: unknown.
  public var residuals: Residuals?

  /// Creates a calibration from its values.
  public init(
    components: String, toXYZ: Matrix3, white: SIMD3<Double>, falloff: FlatField? = nil, exposure: Exposure? = nil,
    camera: String? = nil, flash: String? = nil, source: Source = .chart, residuals: Residuals? = nil
  ) {
    self.components = components
    self.toXYZ = toXYZ
    self.white = white
    self.falloff = falloff
    self.exposure = exposure
    self.camera = camera
    self.flash = flash
    self.source = source
    self.residuals = residuals
  }

  /// Reads the output of `json()`.
  /// - Throws: `CalibrationError`, which names the invalid field.
  public init(json: Data) throws(CalibrationError) {
    guard json.count <= CalibrationDocument.maximumByteCount else { throw .tooLarge(byteCount: json.count) }
    let document: CalibrationDocument
    do {
      document = try Self.document(json)
    } catch let error as CalibrationError {
      throw error
    } catch {
      throw Self.fault(error)
    }
    self = try document.calibration()
  }

  /// Returns the calibration as JSON with sorted keys.
  /// - Throws: `EncodingError` for values that are not finite.
  public func json() throws -> Data {
    try JSONEncoder.report.encode(CalibrationDocument(self))
  }

  private struct Version: Decodable { var format: Int }

  private static func document(_ json: Data) throws -> CalibrationDocument {
    let decoder = JSONDecoder()
    // Other versions may have other fields.
    let version = try decoder.decode(Version.self, from: json).format
    guard version == CalibrationDocument.currentFormat else { throw CalibrationError.format(version) }
    return try decoder.decode(CalibrationDocument.self, from: json)
  }

  private static func fault(_ error: any Error) -> CalibrationError {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.prefix { $0.intValue == nil }.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return .field((path(context).isEmpty ? "" : path(context) + ".") + key.stringValue, .missing)
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      return context.codingPath.isEmpty ? .notJSON : .field(path(context), .type)
    default: return .notJSON
    }
  }
}

/// The stored form of a calibration.
struct CalibrationDocument: Codable {
  /// The format version that is read and written.
  static let currentFormat = 1
  /// Maximum size of a stored calibration in bytes: the largest flat field takes less.
  static let maximumByteCount = 4 << 20

  struct StoredExposure: Codable {
    var seconds: Double?
    var fNumber: Double?
    var sensitivity: Double?
    var flashFired: Bool?

    enum CodingKeys: String, CodingKey {
      case seconds, sensitivity
      case fNumber = "f_number"
      case flashFired = "flash_fired"
    }
  }

  var format: Int
  var components: String
  var toXYZ: [[Double]]
  var white: [Double]
  var falloff: FlatField?
  var exposure: StoredExposure?
  var camera: String?
  var flash: String?
  var source: ColorCalibration.Source
  var residuals: ColorCalibration.Residuals?

  enum CodingKeys: String, CodingKey {
    case format, components, white, falloff, exposure, camera, flash, source, residuals
    case toXYZ = "to_xyz"
  }
}

extension CalibrationDocument {
  init(_ calibration: ColorCalibration) {
    let (matrix, white) = (calibration.toXYZ, calibration.white)
    self.init(
      format: Self.currentFormat, components: calibration.components,
      toXYZ: [matrix.row0, matrix.row1, matrix.row2].map { [$0.x, $0.y, $0.z] }, white: [white.x, white.y, white.z],
      falloff: calibration.falloff,
      exposure: calibration.exposure.map {
        StoredExposure(
          seconds: $0.seconds, fNumber: $0.fNumber, sensitivity: $0.sensitivity, flashFired: $0.flashFired)
      },
      camera: calibration.camera, flash: calibration.flash, source: calibration.source,
      residuals: calibration.residuals)
  }

  /// Returns the calibration if all of its values are valid.
  func calibration() throws(CalibrationError) -> ColorCalibration {
    for (name, text) in [("components", components), ("camera", camera ?? ""), ("flash", flash ?? "")] {
      try check(name, text.utf8.count <= 1000)
    }
    return ColorCalibration(
      components: components, toXYZ: try matrix(), white: try neutral(), falloff: try flatField(),
      exposure: try checkedExposure(), camera: camera, flash: flash, source: source, residuals: try checkedResiduals())
  }

  private func check(
    _ field: String, _ isRight: Bool, _ fault: CalibrationError.FieldFault = .range
  ) throws(CalibrationError) {
    if !isRight { throw .field(field, fault) }
  }

  private func matrix() throws(CalibrationError) -> Matrix3 {
    try check("to_xyz", toXYZ.count == 3 && toXYZ.allSatisfy { $0.count == 3 }, .count)
    try check("to_xyz", toXYZ.joined().allSatisfy { $0.isFinite && $0.magnitude < 1e12 })
    let rows = toXYZ.map { SIMD3($0[0], $0[1], $0[2]) }
    let matrix = Matrix3(rows[0], rows[1], rows[2])
    try check("to_xyz", matrix.isWellConditioned, .singular)
    return matrix
  }

  private func neutral() throws(CalibrationError) -> SIMD3<Double> {
    try check("white", white.count == 3, .count)
    try check("white", white.allSatisfy { (1e-3...1e3).contains($0) })
    return SIMD3(white[0], white[1], white[2])
  }

  private func flatField() throws(CalibrationError) -> FlatField? {
    guard let falloff else { return nil }
    try check("falloff.columns", FlatField.possibleCounts.contains(falloff.columns))
    try check("falloff.rows", FlatField.possibleCounts.contains(falloff.rows))
    try check("falloff.light", falloff.light.count == falloff.columns * falloff.rows, .count)
    try check("falloff.light", falloff.light.allSatisfy { FlatField.possibleLight.contains($0) })
    return falloff
  }

  private func checkedExposure() throws(CalibrationError) -> Exposure? {
    guard let exposure else { return nil }
    let values = [
      ("seconds", exposure.seconds), ("f_number", exposure.fNumber), ("sensitivity", exposure.sensitivity),
    ]
    for case (let name, let value?) in values {
      try check("exposure.\(name)", value > 0 && value < 1e9)
    }
    return Exposure(
      seconds: exposure.seconds, fNumber: exposure.fNumber, sensitivity: exposure.sensitivity,
      flashFired: exposure.flashFired)
  }

  private func checkedResiduals() throws(CalibrationError) -> ColorCalibration.Residuals? {
    guard let residuals else { return nil }
    try check("residuals.mean_de2000", (0...1000).contains(residuals.mean))
    try check("residuals.max_de2000", (residuals.mean...1000).contains(residuals.max))
    return residuals
  }
}

extension Matrix3 {
  /// Whether the rows are finite and clearly independent: the condition number is below 10 000.
  var isWellConditioned: Bool {
    func size(_ matrix: Matrix3) -> Double {
      let squares = matrix.row0 * matrix.row0 + matrix.row1 * matrix.row1 + matrix.row2 * matrix.row2
      return squares.sum().squareRoot()
    }
    return size(self) * size(inverse) < 1e4
  }
}
