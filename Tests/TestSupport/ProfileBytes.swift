/// An ICC profile put together by ICC.1:2022, clause 7.
public struct ProfileBytes {
  public var elements: [(tag: String, data: [UInt8])] = []

  public static func word(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
  public static func fixed(_ value: Double) -> [UInt8] { word(UInt32(bitPattern: Int32((value * 65_536).rounded()))) }

  /// A matrix profile of the three columns, with one curve for all.
  public init(columns: [[Double]], curve: [UInt8], name: String = "made for a test") {
    elements = [("desc", "desc".utf8 + [0, 0, 0, 0] + Self.word(UInt32(name.utf8.count + 1)) + name.utf8 + [0])]
    for (tag, column) in zip(["rXYZ", "gXYZ", "bXYZ"], columns) {
      elements.append((tag, "XYZ ".utf8 + [0, 0, 0, 0] + column.flatMap(Self.fixed)))
    }
    for tag in ["rTRC", "gTRC", "bTRC"] { elements.append((tag, curve)) }
  }

  public static func parametric(_ form: UInt8, _ values: [Double]) -> [UInt8] {
    "para".utf8 + [0, 0, 0, 0, 0, form, 0, 0] + values.flatMap(fixed)
  }

  public static func table(_ values: [Double]) -> [UInt8] {
    Array("curv".utf8) + [0, 0, 0, 0] + word(UInt32(values.count))
      + values.flatMap { value -> [UInt8] in
        let code = UInt16((value * 65_535).rounded())
        return [UInt8(code >> 8), UInt8(code & 255)]
      }
  }

  public static func gamma(_ eightBitFraction: UInt16) -> [UInt8] {
    "curv".utf8 + [0, 0, 0, 0] + word(1) + [UInt8(eightBitFraction >> 8), UInt8(eightBitFraction & 255)]
  }

  public var bytes: [UInt8] {
    var offset = 132 + 12 * elements.count
    var table = Self.word(UInt32(elements.count))
    for (tag, data) in elements {
      table += tag.utf8 + Self.word(UInt32(offset)) + Self.word(UInt32(data.count))
      offset += data.count
    }
    var header = Self.word(UInt32(offset)) + Array("test".utf8) + [4, 64, 0, 0] + Array("mntrRGB XYZ ".utf8)
    header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 88)
    return header + table + elements.flatMap(\.data)
  }

  // Matrices as published, by others: sRGB by B. Lindbloom (Bradford-adapted to D50), the rest from profiles in use.
  public static let sRGB = [
    [0.4360747, 0.2225045, 0.0139322], [0.3850649, 0.7168786, 0.0971045], [0.1430804, 0.0606169, 0.7141733],
  ]
  public static let displayP3 = [
    [0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407],
  ]
  public static let bt2020 = [
    [0.673459, 0.279033, -0.00193139], [0.165661, 0.675338, 0.0299794], [0.1251, 0.0456288, 0.797162],
  ]
  public static let adobeRGB = [
    [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
  ]
  /// Source: IEC 61966-2-1, as form 3 of ICC.1:2022, table 68.
  public static let sRGBCurve = parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
}
