internal import ColorScience
internal import Files
internal import Foundation

extension DisplayModel: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, peak, black, sdrWhite, minimumSDRWhite, primaries, transfer, bitDepth, format, referenceMode, whitePoint
  }

  /// Decodes a display: `peak` is required. Defaults: SDR white 100 cd/m² or the peak if lower, black 0, P3 with D65,
  /// PQ, ten bits.
  /// - Throws: `DecodingError` for values of the wrong type or out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func invalid(_ key: CodingKeys, _ allowed: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: values, debugDescription: allowed)
    }
    func luminance(_ key: CodingKeys, upTo maximum: Double) throws -> Double? {
      guard let nits = try values.decodeIfPresent(Double.self, forKey: key) else { return nil }
      guard nits >= Self.luminances.lowerBound, nits <= maximum else {
        throw invalid(key, "\(Self.luminances.lowerBound) to \(maximum) cd/m²")
      }
      return nits
    }
    guard let peak = try luminance(.peak, upTo: Self.luminances.upperBound) else {
      throw invalid(.peak, "it has to be stated, in cd/m²")
    }
    let white = try luminance(.sdrWhite, upTo: peak) ?? min(ReferenceMode.sdrWhite, peak)
    let name = try values.decodeIfPresent(String.self, forKey: .name) ?? "display"
    guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw invalid(.name, "a line of text")
    }
    let transferName = try values.decodeIfPresent(String.self, forKey: .transfer) ?? DisplayTransfer.pq.name
    guard let transfer = DisplayTransfer(named: transferName) else {
      throw invalid(.transfer, "pq, srgb, bt1886, or a gamma from gamma1 to gamma4, such as gamma2.2")
    }
    self.init(
      name, peak: peak, sdrWhite: white, minimumSDRWhite: try luminance(.minimumSDRWhite, upTo: white),
      primaries: try values.decodeIfPresent(NamedPrimaries.self, forKey: .primaries)?.space ?? .displayP3,
      transfer: transfer)
    black = try values.decodeIfPresent(Double.self, forKey: .black) ?? 0
    guard (0...min(10, peak / 2)).contains(black) else { throw invalid(.black, "0 to \(min(10, peak / 2)) cd/m²") }
    bitDepth = try values.decodeIfPresent(Int.self, forKey: .bitDepth) ?? 10
    guard (6...16).contains(bitDepth) else { throw invalid(.bitDepth, "6 to 16 bits") }
    if let name = try values.decodeIfPresent(String.self, forKey: .format) {
      format = ReferenceFormat(rawValue: name)
      if format == nil { throw invalid(.format, ReferenceFormat.allCases.map(\.rawValue).joined(separator: ", ")) }
    }
    isReferenceModeEnabled = try values.decodeIfPresent(Bool.self, forKey: .referenceMode) ?? false
    whitePoint = try values.decodeIfPresent(WhitePointAdaptation.self, forKey: .whitePoint)
    if let whitePoint, whitePoint.gains(primaries) == nil {
      throw invalid(.whitePoint, WhitePointAdaptation.allowed)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(peak, forKey: .peak)
    try values.encode(black, forKey: .black)
    try values.encode(sdrWhite, forKey: .sdrWhite)
    try values.encode(minimumSDRWhite, forKey: .minimumSDRWhite)
    try values.encode(NamedPrimaries(space: primaries), forKey: .primaries)
    try values.encode(transfer.name, forKey: .transfer)
    try values.encode(bitDepth, forKey: .bitDepth)
    try values.encodeIfPresent(format, forKey: .format)
    try values.encode(isReferenceModeEnabled, forKey: .referenceMode)
    try values.encodeIfPresent(whitePoint, forKey: .whitePoint)
  }
}

extension DisplayModel {
  /// Maximum size of a display description.
  private static let largestFile = 65_536

  /// Reads a file: JSON, or an EDID.
  /// - Throws: If the file does not exist, or does not describe a display.
  public init(contentsOf path: String) throws(DisplayError) {
    let bytes = try Self.bytes(of: path)
    if Self.isText(bytes) {
      try self.init(json: Data(bytes), path: path)
      return
    }
    do {
      self.init(try EDID(bytes), name: FileLocation(path).name)
    } catch {
      throw .invalidEDID(path: path, error)
    }
  }

  /// Returns the EDID in a file; nil if the file is not an EDID.
  static func edid(in path: String) -> EDID? {
    guard let bytes = try? bytes(of: path), !isText(bytes) else { return nil }
    return try? EDID(bytes)
  }

  private static func bytes(of path: String) throws(DisplayError) -> [UInt8] {
    do { return try SmallFile.bytes(of: path, upTo: largestFile) } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }

  /// Returns whether the bytes are text. An EDID never is: its header alone has non-text bytes.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
  }

  init(json data: Data, path: String) throws(DisplayError) {
    do {
      guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
        throw DisplayError.malformed(path: path, reason: "it is not an object")
      }
      try Self.checkKeys(of: object, path: path)
      self = try JSONDecoder().decode(DisplayModel.self, from: data)
    } catch let error as DisplayError {
      throw error
    } catch let DecodingError.dataCorrupted(context) where !context.codingPath.isEmpty {
      throw .invalidValue(path: path, key: Self.key(context), allowed: context.debugDescription)
    } catch let DecodingError.typeMismatch(type, context) {
      throw .invalidValue(path: path, key: Self.key(context), allowed: "it has to be \(Self.words(for: type))")
    } catch let DecodingError.valueNotFound(_, context) {
      throw .invalidValue(path: path, key: Self.key(context), allowed: "a value, or no key")
    } catch let DecodingError.keyNotFound(key, context) {
      throw .invalidValue(path: path, key: Self.key(context), allowed: "an object with \(key.stringValue)")
    } catch {
      let place = (error as NSError).userInfo["NSDebugDescription"] as? String
      throw .malformed(path: path, reason: "it is neither an EDID nor JSON" + (place.map { ": \($0.trimmed)" } ?? ""))
    }
  }

  private static func words(for type: any Any.Type) -> String {
    switch type {
    case is Double.Type, is Int.Type: "a number"
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    default: "an object"
    }
  }

  /// Rejects unknown keys: a misspelt one would silently change colours.
  private static func checkKeys(
    of object: [String: Any], _ known: [String] = CodingKeys.allCases.map(\.rawValue), under prefix: String = "",
    path: String
  ) throws(DisplayError) {
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      guard known.contains(key) else { throw .unknownKey(path: path, key: prefix + key, known: known) }
      guard let inner = value as? [String: Any], let known = innerKeys[key] else { continue }
      try checkKeys(of: inner, known, under: "\(prefix)\(key).", path: path)
    }
  }

  /// The keys of nested objects.
  private static let innerKeys: [String: [String]] = {
    let points = ["red", "green", "blue", "white", "chromaticity"].map { ($0, ["x", "y"]) }
    let whites = ["measured", "target"].map { ($0, ["chromaticity", "luminance"]) }
    return Dictionary(
      uniqueKeysWithValues: points + whites + [
        ("primaries", ["red", "green", "blue", "white"]), ("whitePoint", ["measured", "target"]),
      ])
  }()

  private static func key(_ context: DecodingError.Context) -> String {
    context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}

/// Primaries in a file: a name or four chromaticities.
private struct NamedPrimaries: Codable {
  let space: RGBSpace

  private static let names: [(name: String, space: RGBSpace)] = [
    ("bt709", .bt709), ("p3-d65", .displayP3), ("p3-dci", .dciP3), ("p3-d50", .p3D50), ("bt2020", .bt2020),
    ("smpte-c", .smpte170M), ("ebu", .bt470BG),
  ]

  init(space: RGBSpace) { self.space = space }

  init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      guard let known = Self.names.first(where: { $0.name == name }) else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath,
            debugDescription: Self.names.map(\.name).joined(separator: ", ") + ", or red, green, blue and white"))
      }
      space = known.space
      return
    }
    let stated = try RGBSpace(from: decoder)
    guard
      let space = RGBSpace(displayRed: stated.red, green: stated.green, blue: stated.blue, white: stated.white)
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "a triangle of primaries around the white"))
    }
    self.space = space
  }

  func encode(to encoder: any Encoder) throws {
    if let known = Self.names.first(where: { $0.space == space }) {
      var container = encoder.singleValueContainer()
      try container.encode(known.name)
    } else {
      try space.encode(to: encoder)
    }
  }
}

extension String {
  /// The text without its full stop.
  fileprivate var trimmed: String { hasSuffix(".") ? String(dropLast()) : self }
}
