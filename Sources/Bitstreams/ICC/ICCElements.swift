/// The tagged elements of an ICC profile: header, tag table, and the types that describe colours.
///
/// Reads stay within the bytes, whatever the table contains.
struct ICCElements {
  private let bytes: [UInt8]
  private let places: [String: Range<Int>]
  /// The colour space ("RGB ") and the connection space ("XYZ "). Source: ICC.1:2022, 7.2.6 and 7.2.7.
  let colorSpace: String
  let connectionSpace: String

  /// More tags than any profile has.
  private static let tagLimit = 256

  /// - Returns: nil if the bytes are not a profile.
  init?(_ bytes: [UInt8]) {
    // Source: ICC.1:2022, 7.2.9 (signature), 7.3.1 (tag table).
    guard bytes.count >= 132, Self.name(bytes, at: 36) == "acsp" else { return nil }
    self.bytes = bytes
    colorSpace = Self.name(bytes, at: 16)
    connectionSpace = Self.name(bytes, at: 20)
    var places: [String: Range<Int>] = [:]
    let count = min(Int(bytes.word(at: 128)), Self.tagLimit, (bytes.count - 132) / 12)
    for entry in 0..<count {
      let start = 132 + 12 * entry
      let offset = Int(bytes.word(at: start + 4))
      let size = Int(bytes.word(at: start + 8))
      guard offset <= bytes.count, size <= bytes.count - offset else { continue }
      places[Self.name(bytes, at: start)] = offset..<offset + size
    }
    self.places = places
  }

  private static func name(_ bytes: [UInt8], at offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  /// The data of the element with this tag, after its type and four reserved bytes.
  func data(_ tag: String, type: String) -> [UInt8]? {
    guard let place = places[tag], place.count >= 8, Self.name(bytes, at: place.lowerBound) == type else { return nil }
    return Array(bytes[place.dropFirst(8)])
  }

  /// Source: ICC.1:2022, 10.31, XYZType.
  func xyz(_ tag: String) -> SIMD3<Double>? {
    guard let data = data(tag, type: "XYZ "), data.count >= 12 else { return nil }
    return SIMD3(data.fixed(at: 0), data.fixed(at: 4), data.fixed(at: 8))
  }

  func curve(_ tag: String) -> ICCCurve? {
    data(tag, type: "curv").flatMap(ICCCurve.init(table:))
      ?? data(tag, type: "para").flatMap(ICCCurve.init(parametric:))
  }

  /// The text of the element, in the first of several languages.
  func text(_ tag: String) -> String? {
    // Source: ICC.1:2001-04 (version 2), 6.5.17, textDescriptionType.
    if let data = data(tag, type: "desc"), data.count >= 4 {
      return Self.shown(String(decoding: data[4...].prefix(Int(data.word(at: 0))).prefix { $0 != 0 }, as: UTF8.self))
    }
    // Source: ICC.1:2022, 10.15, multiLocalizedUnicodeType; its offsets are relative to the start of the type.
    guard let data = data(tag, type: "mluc"), data.count >= 20, data.word(at: 0) >= 1 else { return nil }
    let length = Int(data.word(at: 12))
    let offset = Int(data.word(at: 16)) - 8
    guard offset >= 0, offset <= data.count, length <= data.count - offset else { return nil }
    let units = stride(from: offset, to: offset + length - 1, by: 2).map { data.halfWord(at: $0) }
    return Self.shown(String(decoding: units, as: UTF16.self))
  }

  /// The printable part of a text; nil if it is empty.
  private static func shown(_ text: String) -> String? {
    let characters = text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(80)
    return characters.isEmpty ? nil : String(String.UnicodeScalarView(characters))
  }
}

extension [UInt8] {
  /// The s15Fixed16Number at `offset`, which must be inside. Source: ICC.1:2022, 4.6.
  func fixed(at offset: Int) -> Double { Double(Int32(bitPattern: word(at: offset))) / 65_536 }
}
