import Foundation
import Testing

/// The EDIDs of real displays with what edid-decode says of them; tools/make-edid-index writes the expected columns.
struct EDIDIndex {
  struct Entry: Sendable, CustomTestStringConvertible {
    let fields: [String: String]

    /// A column's text; nil for `-`, which stands for nothing.
    subscript(column: String) -> String? { fields[column] == "-" ? nil : fields[column] }

    /// A column's numbers.
    func numbers(_ column: String) -> [Double] { self[column]?.split(separator: " ").compactMap { Double($0) } ?? [] }

    var testDescription: String { self["file"] ?? "" }

    func bytes() throws -> [UInt8] {
      [UInt8](try Data(contentsOf: EDIDIndex.folder.appendingPathComponent(self["file"] ?? "")))
    }
  }

  static let folder = Bundle.module.bundleURL.appendingPathComponent("EDIDs")

  static let entries: [Entry] = {
    let text = (try? String(contentsOf: folder.appendingPathComponent("index.tsv"), encoding: .utf8)) ?? ""
    let rows = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    guard let columns = rows.first?.map(String.init) else { return [] }
    return rows.dropFirst().map { row in
      Entry(fields: Dictionary(uniqueKeysWithValues: zip(columns, row.map(String.init))))
    }
  }()
}
