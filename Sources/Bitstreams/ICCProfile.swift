internal import ColorScience
internal import Glibc
public import Media

/// The R'G'B' colour space of an ICC profile, in H.273 terms.
///
/// Source: ICC.1:2022 (profile version 4.4); version 2 differs only in its text type.
public struct ICCProfile: Sendable, Hashable {
  /// Primaries and transfer function; nil if H.273 does not define them.
  public let tags: ColorTags?
  /// The profile's description; nil if it has none.
  public let name: String?

  /// Reads a profile.
  /// - Parameter bytes: A whole profile from an untrusted source.
  /// - Returns: nil if the bytes are not an ICC profile.
  public init?(_ bytes: [UInt8]) {
    guard let elements = ICCElements(bytes) else { return nil }
    name = elements.text("desc")
    tags = Self.codes(elements) ?? Self.match(elements)
  }

  /// From code points. Source: ICC.1:2022, 9.2.17 and 10.3.
  private static func codes(_ elements: ICCElements) -> ColorTags? {
    guard let data = elements.data("cicp", type: "cicp"), data.count >= 4 else { return nil }
    let tags = ColorTags(primaryCode: Int(data[0]), transferCode: Int(data[1]), range: nil)
    return tags.primaries == nil || tags.transfer == nil ? nil : tags
  }

  /// From a matrix and curves that match a known space. Source: ICC.1:2022, 8.3.3 and annex F.3.
  private static func match(_ elements: ICCElements) -> ColorTags? {
    guard elements.colorSpace == "RGB ", elements.connectionSpace == "XYZ ",
      let red = elements.xyz("rXYZ"), let green = elements.xyz("gXYZ"), let blue = elements.xyz("bXYZ"),
      let primaries = primaries(Matrix3(red, green, blue).transposed)
    else { return nil }
    let transfers = ["rTRC", "gTRC", "bTRC"].map { elements.curve($0).flatMap(transfer) }
    guard let transfer = transfers[0], transfers.allSatisfy({ $0 == transfer }) else { return nil }
    return ColorTags(primaries: primaries, transfer: transfer)
  }

  /// The matrices of any two H.273 spaces differ by at least 0.019 in some element; profiles deviate by 0.0005 from
  /// their intent.
  private static let matrixTolerance = 0.004

  /// CIE XYZ as an RGB space, with the white of the profile connection space: X = 0.9642, Y = 1, Z = 0.8249. Source:
  /// ICC.1:2022, 7.2.16.
  private static let connection = RGBSpace(
    red: Chromaticity(x: 1, y: 0), green: Chromaticity(x: 0, y: 1), blue: Chromaticity(x: 0, y: 0),
    white: Chromaticity(x: 0.9642 / 2.7891, y: 1 / 2.7891))

  /// The primaries with this matrix, adapted to D50.
  private static func primaries(_ matrix: Matrix3) -> ColorPrimaries? {
    ColorPrimaries.allCases.first { primaries in
      guard let space = primaries.space else { return false }
      let known = connection.rgbToXYZ * RGBSpace.conversion(from: space, to: connection)
      return (0..<9).allSatisfy { abs(known[$0 / 3, $0 % 3] - matrix[$0 / 3, $0 % 3]) <= matrixTolerance }
    }
  }

  /// Signals at which curves are compared, and their tolerance: about half an 8-bit code value, in light raised to
  /// 1/2.2. Below the first signal, 16-bit tables are too coarse.
  private static let points = stride(from: 0.1, through: 1, by: 0.05)
  private static let curveTolerance = 0.003

  private static func transfer(_ curve: ICCCurve) -> TransferCharacteristics? {
    func root(_ light: Double) -> Double { pow(max(light, 0), 1 / 2.2) }
    return known.first { _, light in
      points.allSatisfy { abs(root(light($0)) - root(curve.light($0))) <= curveTolerance }
    }?.transfer
  }

  /// Signal to light, with 1 at 1.
  private static let known: [(transfer: TransferCharacteristics, light: @Sendable (Double) -> Double)] = [
    (.sRGB, { SRGB.eotf($0) }),
    (.gamma22, { pow($0, 2.2) }),
    (.bt709, { BT709Transfer.inverseOETF($0) }),
    (.linear, { $0 }),
    (.pq, { PQ.eotf($0) / PQ.peak }),
    (.hlg, { HLG.inverseOETF($0) }),
    (.gamma28, { pow($0, 2.8) }),
  ]
}

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

/// A tone curve of an ICC profile: signal to light, both 0...1.
enum ICCCurve {
  case gamma(Double)
  /// Light at equal steps of the signal from 0 to 1; at least two.
  case table([Double])
  /// Y = (aX + b)^g + e where X >= d, else cX + f.
  case pieces(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)

  /// From the data of a `curv` element; nil if it is truncated. Source: ICC.1:2022, 10.6, curveType.
  init?(table data: [UInt8]) {
    guard data.count >= 4 else { return nil }
    let count = Int(data.word(at: 0))
    guard count <= (data.count - 4) / 2 else { return nil }
    switch count {
    case 0: self = .gamma(1)
    // u8Fixed8Number.
    case 1: self = .gamma(Double(data.halfWord(at: 4)) / 256)
    default: self = .table((0..<count).map { Double(data.halfWord(at: 4 + 2 * $0)) / 65_535 })
    }
  }

  /// From the data of a `para` element; nil if it is truncated or of an unknown form. Source: ICC.1:2022, 10.18,
  /// parametricCurveType, table 68.
  init?(parametric data: [UInt8]) {
    let counts = [1, 3, 4, 5, 7]
    guard data.count >= 4, case let form = Int(data.halfWord(at: 0)), counts.indices.contains(form),
      data.count >= 4 + 4 * counts[form]
    else { return nil }
    let p = (0..<counts[form]).map { data.fixed(at: 4 + 4 * $0) }
    switch form {
    case 0: self = .gamma(p[0])
    case 1: self = .pieces(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: 0, f: 0)
    case 2: self = .pieces(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: p[3], f: p[3])
    case 3: self = .pieces(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
    default: self = .pieces(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
    }
  }

  /// Light of a signal; NaN if the curve is malformed.
  func light(_ signal: Double) -> Double {
    switch self {
    case .gamma(let gamma): return pow(signal, gamma)
    case .table(let values):
      let place = signal * Double(values.count - 1)
      let index = min(Int(place), values.count - 2)
      return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
    case .pieces(let g, let a, let b, let c, let d, let e, let f):
      return signal >= d ? pow(a * signal + b, g) + e : c * signal + f
    }
  }
}
