import Foundation

/// One of the files that `tools/reference-vectors.py` writes.
func vectors<Value: Decodable>(_ name: String, _ type: Value.Type = Value.self) throws -> Value {
  let folder = Bundle.module.bundleURL.appendingPathComponent("Vectors")
  return try JSONDecoder().decode(
    Value.self, from: Data(contentsOf: folder.appendingPathComponent("\(name).json")))
}

/// Both agree within `tolerance` of the larger of them and 1.
func close(_ a: Double, _ b: Double, _ tolerance: Double) -> Bool {
  abs(a - b) <= tolerance * max(1, abs(a), abs(b))
}

func close(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ tolerance: Double) -> Bool {
  (0..<3).allSatisfy { close(a[$0], b[$0], tolerance) }
}
