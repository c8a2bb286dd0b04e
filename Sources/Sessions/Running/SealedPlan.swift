package import Foundation

/// A stored plan: with a checksum that detects changes, because parts of an edited plan might not fit together.
package struct SealedPlan<Plan: StoredPlan>: Codable, Sendable {
  private var format = 1
  /// Checksum of the plan.
  package let checksum: String
  package let plan: Plan

  package init(_ plan: Plan) throws {
    (self.plan, checksum) = (plan, try Checksum.of(plan))
  }

  /// Decodes the output of `json()`.
  /// - Throws: `DecodingError` for anything but an unchanged plan of this version.
  package init(json: Data) throws {
    self = try JSONDecoder().decode(Self.self, from: json)
    guard format == 1, try Checksum.of(plan) == checksum, plan.isSound else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "The plan was changed after it was made."))
    }
  }

  /// Returns JSON with sorted keys.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
