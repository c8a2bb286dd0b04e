/// A directory of a TIFF structure in memory, such as an Exif segment; offsets are relative to the structure's start.
/// Source: TIFF 6.0 (1992), section 2.
struct TIFFDirectory {
  /// Reader of the whole structure.
  private(set) var reader: ByteReader
  private let start: Int
  private let count: Int

  /// The first directory; nil if the bytes end before it.
  init?(_ content: ArraySlice<UInt8>) {
    var reader = ByteReader(content, isBigEndian: !content.starts(with: [0x49, 0x49]))
    reader.seek(4)
    guard let offset = reader.next(UInt32.self) else { return nil }
    self.init(reader, at: Int(offset))
  }

  /// The directory at an offset.
  init?(_ content: ArraySlice<UInt8>, at offset: Int, isBigEndian: Bool) {
    self.init(ByteReader(content, isBigEndian: isBigEndian), at: offset)
  }

  private init?(_ reader: ByteReader, at offset: Int) {
    self.reader = reader
    self.reader.seek(offset)
    guard let count = self.reader.next(UInt16.self) else { return nil }
    (start, self.count) = (offset + 2, Int(count))
  }

  /// Directories that an entry refers to.
  func directories(_ tag: UInt16, limit: Int) -> [TIFFDirectory] {
    (numbers(tag, limit: limit) ?? []).compactMap { offset in
      Int(exactly: offset).flatMap { TIFFDirectory(reader, at: $0) }
    }
  }

  /// A reader at the value count of the first entry with a tag; the value or its offset follows.
  func entry(_ tag: UInt16) -> ByteReader? { field(tag)?.rest }

  private func field(_ tag: UInt16) -> (type: TIFFFieldType?, rest: ByteReader)? {
    var reader = reader
    for index in 0..<count {
      // Twelve bytes: tag, type, number of values, value or offset.
      reader.seek(start + 12 * index)
      guard let found = reader.next(UInt16.self), let type = reader.next(UInt16.self) else { return nil }
      if found == tag { return (TIFFFieldType(rawValue: type), reader) }
    }
    return nil
  }

  /// The numbers of an entry; fractions of zero are infinite or not a number.
  /// - Returns: nil if it is missing, has another type, or ends after the structure.
  func numbers(_ tag: UInt16, limit: Int = 1) -> [Double]? {
    guard let (type, values, count) = values(tag, limit: limit), count > 0 else { return nil }
    var reader = values
    let numbers = (0..<count).compactMap { _ in type.number(&reader) }
    return numbers.count == count ? numbers : nil
  }

  /// The ASCII text of an entry up to its first zero, at most 64 bytes, without control characters and outer spaces.
  /// - Returns: nil if it is missing or empty.
  func text(_ tag: UInt16) -> String? {
    guard let (type, values, count) = values(tag, limit: 64), type == .ascii else { return nil }
    var reader = values
    let bytes = (0..<count).compactMap { _ in reader.next(UInt8.self) }.prefix { $0 != 0 }
    let words = bytes.filter { 0x20..<0x7F ~= $0 }.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The bytes of an entry without a type; nil if it is missing, or ends after the structure.
  func bytes(_ tag: UInt16) -> ArraySlice<UInt8>? {
    guard let (type, reader, count) = values(tag, limit: .max), type == .undefined else { return nil }
    return reader.rest(count)
  }

  /// A reader at the first value of an entry.
  private func values(_ tag: UInt16, limit: Int) -> (type: TIFFFieldType, reader: ByteReader, count: Int)? {
    guard let (type, rest) = field(tag), let type else { return nil }
    var reader = rest
    guard let stated = reader.next(UInt32.self) else { return nil }
    if Int(stated) * type.byteCount > 4 {
      guard let offset = reader.next(UInt32.self) else { return nil }
      reader.seek(Int(offset))
    }
    return (type, reader, min(Int(stated), limit))
  }
}

/// The type of the values of a TIFF entry. Source: TIFF 6.0 (1992), section 2, "Types"; TIFF Technical Note 1 for
/// `directory`.
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

/// Reads integers of either byte order, with bounds checks.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  let isBigEndian: Bool

  init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool = true) {
    self.bytes = bytes
    position = bytes.startIndex
    self.isBigEndian = isBigEndian
  }

  /// - Parameter offset: From the start of the bytes.
  mutating func seek(_ offset: Int) { position = bytes.startIndex + min(max(offset, 0), bytes.count) }

  /// The next bytes; nil if there are fewer.
  func rest(_ count: Int) -> ArraySlice<UInt8>? {
    count <= bytes.endIndex - position ? bytes[position..<position + count] : nil
  }

  /// - Returns: nil at the end of the bytes.
  mutating func next<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let count = Value.bitWidth / 8
    guard bytes.endIndex - position >= count else { return nil }
    let value = bytes[position..<position + count]
    position += count
    return (isBigEndian ? Array(value) : value.reversed()).reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }
}
