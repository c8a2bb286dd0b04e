internal import Foundation
internal import Frames

/// Limits of values, so that computations with them are safe.
extension ConstantColorReport {
  /// Limit of L*, a*, b* and their uncertainties: bright light exceeds 100.
  static let largestColor = 10_000.0

  private enum Limit {
    /// Maximum bytes of a name or sentence.
    static let text = 4096
    static let warnings = 256
    static let regions = 1000
    /// Maximum pixels of a side.
    static let side = 1 << 20
    static let ratio = 1e-9...1e9
    /// Range of a light factor; the unit of light depends on the file.
    static let scale = 1e-30...1e30
    /// Pixels and degrees.
    static let movement = -1e7...1e7
    static let kelvins = 500.0...100_000
    static let lab = -largestColor...largestColor
    static let deltaE = 0...largestColor
    /// The years 1 to 9999.
    static let time = -62_135_596_800.0...253_402_300_799
  }

  /// Checks every value.
  func validate() throws(ReportError) {
    if let time { try Self.check(time.timeIntervalSince1970, Limit.time, "time") }
    try checkTexts()
    try checkFlash()
    try checkMeasurement()
    if let minimumConfidence { try Self.check(minimumConfidence, 0...1, "min_confidence") }
    guard regions.count <= Limit.regions else { throw .count(field: "regions", maximum: Limit.regions) }
    for (index, region) in regions.enumerated() { try check(region, "regions[\(index)]") }
  }

  private func checkTexts() throws(ReportError) {
    let texts: [(String?, String)] = [
      (program, "program"), (inputs.ambient, "inputs.ambient"), (inputs.flash, "inputs.flash"),
      (outputs.picture, "outputs.picture"), (outputs.fallback, "outputs.fallback"),
      (outputs.confidenceMap, "outputs.confidence_map"), (components, "components"),
    ]
    for (text, field) in texts { try Self.check(text, field) }
    guard warnings.count <= Limit.warnings else { throw .count(field: "warnings", maximum: Limit.warnings) }
    for (index, warning) in warnings.enumerated() { try Self.check(warning, "warnings[\(index)]") }
  }

  private func checkFlash() throws(ReportError) {
    switch flash {
    case .temperature(let kelvins): try Self.check(kelvins, Limit.kelvins, "flash.temperature")
    case .neutral(let color): try Self.check(color, Limit.ratio, "flash.neutral")
    case .calibration(let name, let mean, let largest):
      try Self.check(name, "flash.name")
      if let mean { try Self.check(mean, Limit.deltaE, "flash.mean_delta_e_2000") }
      if let largest { try Self.check(largest, Limit.deltaE, "flash.max_delta_e_2000") }
    }
  }

  private func checkMeasurement() throws(ReportError) {
    guard 1...Limit.side ~= measurement.size.width else { throw .range(field: "size.width") }
    guard 1...Limit.side ~= measurement.size.height else { throw .range(field: "size.height") }
    try Self.check(measurement.exposureRatio, Limit.ratio, "exposure_ratio")
    try Self.check(measurement.scale, Limit.scale, "scale")
    let movement = measurement.movement
    try Self.check(movement.x, Limit.movement, "movement.x")
    try Self.check(movement.y, Limit.movement, "movement.y")
    try Self.check(movement.rotation, Limit.movement, "movement.rotation")
    try Self.check(movement.scale, Limit.ratio, "movement.scale")
    try Self.check(measurement.centerWeightedMeanConfidence, 0...1, "center_weighted_mean_confidence")
    try Self.check(measurement.shareBelieved, 0...1, "share_believed")
  }

  private func check(_ region: Region, _ field: String) throws(ReportError) {
    guard region.area.isInside(measurement.size) else { throw .range(field: field + ".area") }
    try Self.check(region.name, field + ".name")
    if let lab = region.lab { try Self.check(lab, Limit.lab, field + ".lab") }
    if let uncertainty = region.uncertainty { try Self.check(uncertainty, Limit.deltaE, field + ".uncertainty") }
    try Self.check(region.confidence, 0...1, field + ".confidence")
  }

  private static func check(_ value: Double, _ range: ClosedRange<Double>, _ field: String) throws(ReportError) {
    guard range.contains(value) else { throw .range(field: field) }
  }

  private static func check(
    _ value: SIMD3<Double>, _ range: ClosedRange<Double>, _ field: String
  ) throws(ReportError) {
    for index in 0..<3 { try check(value[index], range, field) }
  }

  private static func check(_ text: String?, _ field: String) throws(ReportError) {
    guard (text ?? "").utf8.count <= Limit.text else { throw .range(field: field) }
  }
}
