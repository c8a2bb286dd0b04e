import ConstantColor
import Foundation
import Frames

/// Reports to be written, read and compared.
enum SampleReport {
  static let attack = "<script>alert(\"1\")</script>&'\u{1B}[2J\u{202E}vom\u{0}"

  static func region(
    _ name: String?, lab: SIMD3<Double> = [50, 10, -20], uncertainty: SIMD3<Double> = [0.3, 0.2, 0.4],
    confidence: Double = 0.9, area: PictureArea = PictureArea(x: 10, y: 20, width: 30, height: 40)
  ) -> ConstantColorReport.Region {
    ConstantColorReport.Region(
      name: name, RegionColor(area: area, lab: lab, uncertainty: uncertainty, confidence: confidence))
  }

  static func make(
    regions: [ConstantColorReport.Region] = [region("cheek"), region(nil, confidence: 0.5)], text: String = "a.dng",
    flash: FlashBasis = .temperature(5500), components: String = "Camera", scale: Double = 1.5,
    isBelieved: Bool = true
  ) -> ConstantColorReport {
    ConstantColorReport(
      program: "headroom 1", time: Date(timeIntervalSince1970: 1_770_000_000.75),
      inputs: .init(ambient: text, flash: text), outputs: .init(picture: text), components: components, flash: flash,
      measurement: .init(
        size: Size(width: 640, height: 480), exposureRatio: 0.5, exposureSource: .assumedEqual,
        movement: Movement(x: 1.25, y: -2, rotation: 0.1, scale: 1.001), scale: scale,
        centerWeightedMeanConfidence: 0.875, shareBelieved: 0.75),
      isBelieved: isBelieved, minimumConfidence: 0.8, warnings: [text], regions: regions)
  }

  /// The JSON of a report, with one value replaced.
  static func json(
    _ path: [String], _ value: Any?, of report: ConstantColorReport = make()
  ) throws -> Data {
    let object = try JSONSerialization.jsonObject(with: report.json())
    return try JSONSerialization.data(withJSONObject: replacing(path[...], in: object, by: value))
  }

  private static func replacing(_ path: ArraySlice<String>, in object: Any, by value: Any?) -> Any {
    guard let key = path.first else { return value ?? NSNull() }
    if var list = object as? [Any], let index = Int(key) {
      list[index] = replacing(path.dropFirst(), in: list[index], by: value)
      return list
    }
    guard var values = object as? [String: Any] else { return object }
    values[key] = path.count == 1 ? value : replacing(path.dropFirst(), in: values[key] ?? NSNull(), by: value)
    return values
  }
}
