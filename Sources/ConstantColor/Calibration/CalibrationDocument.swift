internal import ColorScience
internal import Frames

/// The stored form of a calibration.
struct CalibrationDocument: Codable {
  /// The format version that is read and written.
  static let currentFormat = 1
  /// Maximum size of a stored calibration in bytes: the largest flat field takes less.
  static let maximumByteCount = 4 << 20

  struct Falloff: Codable {
    var columns: Int
    var rows: Int
    var light: [Double]
  }

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

  struct Residuals: Codable {
    var mean: Double
    var max: Double

    enum CodingKeys: String, CodingKey {
      case mean = "mean_de2000"
      case max = "max_de2000"
    }
  }

  var format: Int
  var components: String
  var toXYZ: [[Double]]
  var white: [Double]
  var falloff: Falloff?
  var exposure: StoredExposure?
  var camera: String?
  var flash: String?
  var source: ColorCalibration.Source
  var residuals: Residuals?

  enum CodingKeys: String, CodingKey {
    case format, components, white, falloff, exposure, camera, flash, source, residuals
    case toXYZ = "to_xyz"
  }
}

extension CalibrationDocument {
  /// Creates the document of a calibration.
  init(_ calibration: ColorCalibration) {
    let (matrix, white) = (calibration.toXYZ, calibration.white)
    self.init(
      format: Self.currentFormat, components: calibration.components,
      toXYZ: [matrix.row0, matrix.row1, matrix.row2].map { [$0.x, $0.y, $0.z] }, white: [white.x, white.y, white.z],
      falloff: calibration.falloff.map { Falloff(columns: $0.columns, rows: $0.rows, light: $0.light) },
      exposure: calibration.exposure.map {
        StoredExposure(
          seconds: $0.seconds, fNumber: $0.fNumber, sensitivity: $0.sensitivity, flashFired: $0.flashFired)
      },
      camera: calibration.camera, flash: calibration.flash, source: calibration.source,
      residuals: calibration.residuals.map { Residuals(mean: $0.mean, max: $0.max) })
  }

  /// Returns the calibration if all of its values are valid.
  func calibration() throws(CalibrationError) -> ColorCalibration {
    guard format == Self.currentFormat else { throw .format(format) }
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
    return FlatField(columns: falloff.columns, rows: falloff.rows, light: falloff.light)
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
    return ColorCalibration.Residuals(mean: residuals.mean, max: residuals.max)
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
