import Foundation

/// Vectors of colour-science, which tools/reference-vectors.py writes.
enum Vectors {
  /// The colours of a file; none if it cannot be read, which tests notice.
  static func colors<Row: Decodable>(_ name: String) -> [Row] {
    let file = Bundle.module.bundleURL.appendingPathComponent("Vectors/\(name).json")
    let all = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([String: [Row]].self, from: $0) }
    return all?["colors"] ?? []
  }
}
