public import Foundation

extension ColorCalibration {
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
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(CalibrationDocument(self))
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
