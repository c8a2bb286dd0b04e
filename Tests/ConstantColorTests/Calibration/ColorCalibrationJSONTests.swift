import ColorScience
import ConstantColor
import Foundation
import Frames
import Testing

@Suite struct ColorCalibrationJSONTests {
  private static let calibration = ColorCalibration(
    components: "Maker Model", toXYZ: Matrix3(SIMD3(0.9, 0.3, 0.1), SIMD3(0.4, 1.1, -0.2), SIMD3(0, -0.1, 1.7)),
    white: SIMD3(0.5, 1, 0.7), falloff: FlatField(columns: 2, rows: 3, light: [0.8, 0.9, 1.1, 0.9, 0.7, 0.6]),
    exposure: Exposure(seconds: 0.01, fNumber: 1.8, sensitivity: 100, flashFired: true), camera: "Maker Model",
    flash: "ring", source: .spectra, residuals: ColorCalibration.Residuals(mean: 1.2, max: 3.4))

  @Test func returnsAsItWas() throws {
    let json = try Self.calibration.json()
    #expect(try ColorCalibration(json: json) == Self.calibration)
    let text = String(decoding: json, as: UTF8.self)
    for key in ["\"format\" : 1", "\"to_xyz\"", "\"f_number\"", "\"flash_fired\"", "\"mean_de2000\""] {
      #expect(text.contains(key))
    }
    #expect(try Self.calibration.json() == json)
  }

  @Test func needsOnlyWhatMatters() throws {
    let plain = ColorCalibration(components: "c", toXYZ: .identity, white: SIMD3(1, 1, 1))
    #expect(try ColorCalibration(json: plain.json()) == plain)
  }

  /// The stored calibration with other text in one place.
  private static func changed(_ old: String, _ new: String) throws -> Data {
    let encoder = JSONSerialization.self
    let compact = try encoder.data(
      withJSONObject: encoder.jsonObject(with: calibration.json()), options: [.sortedKeys])
    let text = String(decoding: compact, as: UTF8.self)
    try #require(text.contains(old), "\(text)")
    return Data(text.replacingOccurrences(of: old, with: new).utf8)
  }

  @Test(arguments: [
    ("\"format\":1", "\"format\":2", CalibrationError.format(2)),
    ("\"format\":1", "\"version\":1", .field("format", .missing)),
    ("\"format\":1", "\"format\":\"1\"", .field("format", .type)),
    ("\"components\"", "\"component\"", .field("components", .missing)),
    ("\"white\":[0.5,", "\"white\":[-0.5,", .field("white", .range)),
    ("\"white\":[0.5,", "\"white\":[0,", .field("white", .range)),
    ("\"white\":[0.5,", "\"white\":[", .field("white", .count)),
    ("\"white\":[0.5,", "\"white\":[\"x\",", .field("white", .type)),
    ("\"columns\":2", "\"columns\":1", .field("falloff.columns", .range)),
    ("\"columns\":2", "\"columns\":1000000", .field("falloff.columns", .range)),
    ("\"columns\":2", "\"columns\":3", .field("falloff.light", .count)),
    ("\"rows\":3", "\"row\":3", .field("falloff.rows", .missing)),
    ("1.1,0.9,", "1.1,0.01,", .field("falloff.light", .range)),
    ("1.1,0.9,", "1.1,51,", .field("falloff.light", .range)),
    ("\"seconds\":0.01", "\"seconds\":0", .field("exposure.seconds", .range)),
    ("\"f_number\":1.8", "\"f_number\":-1", .field("exposure.f_number", .range)),
    ("\"sensitivity\":100", "\"sensitivity\":1e300", .field("exposure.sensitivity", .range)),
    ("\"source\":\"spectra\"", "\"source\":\"guess\"", .field("source", .type)),
    ("\"max_de2000\":3.4", "\"max_de2000\":1", .field("residuals.max_de2000", .range)),
    ("\"mean_de2000\":1.2", "\"mean_de2000\":-1", .field("residuals.mean_de2000", .range)),
    ("[0.4,1.1,-0.2]", "[0.4,1.1]", .field("to_xyz", .count)),
    ("[0.4,1.1,-0.2]", "[1.8,0.6,0.2]", .field("to_xyz", .singular)),
    ("[0.4,1.1,-0.2]", "[0.4,1.1,1e300]", .field("to_xyz", .range)),
    ("\"ring\"", "\"" + String(repeating: "x", count: 2000) + "\"", .field("flash", .range)),
  ])
  func namesTheWrongField(_ old: String, _ new: String, _ error: CalibrationError) throws {
    let json = try Self.changed(old, new)
    #expect(throws: error) { try ColorCalibration(json: json) }
  }

  @Test func refusesWhatIsNoCalibration() {
    for text in ["", "[]", "{", "12", String(repeating: "[", count: 100_000)] {
      #expect(throws: CalibrationError.notJSON) { try ColorCalibration(json: Data(text.utf8)) }
    }
    #expect(throws: CalibrationError.tooLarge(byteCount: 5 << 20)) {
      try ColorCalibration(json: Data(count: 5 << 20))
    }
  }
}
