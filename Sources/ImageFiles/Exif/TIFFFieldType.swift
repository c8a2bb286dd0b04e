/// The type of the values of a TIFF entry.
///
/// Source: TIFF 6.0 (1992), section 2, "Types"; TIFF Technical Note 1 for `directory`.
enum TIFFFieldType: UInt16 {
  case byte = 1
  case ascii, short, long, rational, signedByte, undefined, signedShort, signedLong, signedRational, float, double
  case directory

  var byteCount: Int {
    switch self {
    case .byte, .ascii, .signedByte, .undefined: 1
    case .short, .signedShort: 2
    case .long, .signedLong, .float, .directory: 4
    case .rational, .signedRational, .double: 8
    }
  }

  /// Reads a value; nil for text and opaque bytes, and at the end.
  func number(_ reader: inout ByteReader) -> Double? {
    switch self {
    case .ascii, .undefined: nil
    case .byte: reader.next(UInt8.self).map { Double($0) }
    case .signedByte: reader.next(UInt8.self).map { Double(Int8(bitPattern: $0)) }
    case .short: reader.next(UInt16.self).map { Double($0) }
    case .signedShort: reader.next(UInt16.self).map { Double(Int16(bitPattern: $0)) }
    case .long, .directory: reader.next(UInt32.self).map { Double($0) }
    case .signedLong: reader.next(UInt32.self).map { Double(Int32(bitPattern: $0)) }
    case .float: reader.next(UInt32.self).map { Double(Float(bitPattern: $0)) }
    case .double: reader.next(UInt64.self).map { Double(bitPattern: $0) }
    case .rational: quotient(.long, &reader)
    case .signedRational: quotient(.signedLong, &reader)
    }
  }

  private func quotient(_ part: TIFFFieldType, _ reader: inout ByteReader) -> Double? {
    guard let numerator = part.number(&reader), let denominator = part.number(&reader) else { return nil }
    return numerator / denominator
  }
}
