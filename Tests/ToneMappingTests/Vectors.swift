import ColorScience
import Foundation
import ToneMapping

/// The rows of one of the files that `tools/reference-vectors.py` writes.
func vectors<Row: Decodable>(_ name: String, _ key: String, _ type: Row.Type) throws -> [Row] {
  let folder = Bundle.module.bundleURL.appendingPathComponent("Vectors")
  let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
  return try JSONDecoder().decode([String: [Row]].self, from: data)[key] ?? []
}

func conditions(
  _ contentPeak: Double, to peak: Double, sdrWhite: Double = 100, contentBlack: Double = 0, black: Double = 0
) -> ToneConditions {
  ToneConditions(
    contentPeak: contentPeak, contentBlack: contentBlack,
    display: Display(sdrWhite: sdrWhite, peak: peak, black: black, primaries: .bt2020))
}

/// Display cd/m² of a grey.
func grey(_ curve: ToneCurve, _ conditions: ToneConditions, _ nits: Double) -> Double {
  curve.mapper(conditions).map(SIMD3(repeating: nits)).x
}
