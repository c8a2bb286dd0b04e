/// An SEI payload of the wrong length.
public enum SEIPayloadError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The length that the syntax requires, and the actual one.
  case wrongLength(expected: Int, actual: Int)

  public var description: String {
    switch self {
    case .wrongLength(let expected, let actual): "the payload has \(actual) bytes and must have \(expected)"
    }
  }
}

extension MasteringDisplay {
  /// Length of the payload in bytes.
  public static let seiPayloadLength = 24

  /// Reads the payload of an SEI message.
  /// - Parameter seiPayload: 24 bytes, big-endian: chromaticities x, y of green, blue, red and white, then the maximum
  ///   and the minimum luminance.
  /// - Throws: `SEIPayloadError.wrongLength`.
  /// Source: ISO/IEC 23008-2 (HEVC), D.2.28; the order of primaries is the one its semantics suggest.
  public init(seiPayload: [UInt8]) throws(SEIPayloadError) {
    var reader = try BigEndianReader(seiPayload, length: Self.seiPayloadLength)
    let green = Chromaticity(x: reader.next(), y: reader.next())
    let blue = Chromaticity(x: reader.next(), y: reader.next())
    let red = Chromaticity(x: reader.next(), y: reader.next())
    let white = Chromaticity(x: reader.next(), y: reader.next())
    self.init(
      red: red, green: green, blue: blue, white: white, maxLuminance: reader.next(), minLuminance: reader.next())
  }

  /// The 24 bytes that `init(seiPayload:)` reads.
  public var seiPayload: [UInt8] {
    [green, blue, red, white].flatMap { bigEndian($0.x) + bigEndian($0.y) } + bigEndian(maxLuminance)
      + bigEndian(minLuminance)
  }
}

extension ContentLight {
  /// Length of the payload in bytes.
  public static let seiPayloadLength = 4

  /// Reads the payload of an SEI message.
  /// - Parameter seiPayload: 4 bytes, big-endian: MaxCLL and MaxFALL.
  /// - Throws: `SEIPayloadError.wrongLength`.
  /// Source: ISO/IEC 23008-2 (HEVC), D.2.35.
  public init(seiPayload: [UInt8]) throws(SEIPayloadError) {
    var reader = try BigEndianReader(seiPayload, length: Self.seiPayloadLength)
    self.init(maxCLL: reader.next(), maxFALL: reader.next())
  }

  /// The 4 bytes that `init(seiPayload:)` reads.
  public var seiPayload: [UInt8] { bigEndian(maxCLL) + bigEndian(maxFALL) }
}

extension AmbientViewing {
  /// Length of the payload in bytes.
  public static let seiPayloadLength = 8

  /// Reads the payload of an SEI message.
  /// - Parameter seiPayload: 8 bytes, big-endian: illuminance, then x and y of the ambient light.
  /// - Throws: `SEIPayloadError.wrongLength`.
  /// Source: ISO/IEC 23002-7 (VSEI), D.3.39.
  public init(seiPayload: [UInt8]) throws(SEIPayloadError) {
    var reader = try BigEndianReader(seiPayload, length: Self.seiPayloadLength)
    self.init(illuminance: reader.next(), lightX: reader.next(), lightY: reader.next())
  }

  /// The 8 bytes that `init(seiPayload:)` reads.
  public var seiPayload: [UInt8] { bigEndian(illuminance) + bigEndian(lightX) + bigEndian(lightY) }
}

/// Reads big-endian integers from bytes whose count was checked before.
private struct BigEndianReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8], length: Int) throws(SEIPayloadError) {
    guard bytes.count == length else { throw .wrongLength(expected: length, actual: bytes.count) }
    rest = bytes[...]
  }

  mutating func next<Value: FixedWidthInteger>() -> Value {
    let bytes = rest.prefix(Value.bitWidth / 8)
    rest = rest.dropFirst(bytes.count)
    return bytes.reduce(0) { $0 << 8 | Value($1) }
  }
}

private func bigEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
  stride(from: Value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
}
