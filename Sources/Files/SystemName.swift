/// Names of files as text, and back to the same bytes.
///
/// The system's names are bytes, mostly UTF-8 and not always. A `String` holds nothing but Unicode, so in text each byte
/// that is no part of UTF-8 is one scalar of a private range. Names that hold such scalars themselves are taken apart
/// in the same way: whatever the bytes were, the text goes back to them. Text becomes bytes at the calls of the system,
/// of FFmpeg and of other libraries, and where messages are written, and nowhere else.
extension String {
  /// The scalar of byte 0; only bytes from 0x80 on are no part of ASCII.
  private static let firstScalar: UInt32 = 0x10_FE00
  /// How UTF-8 begins the scalars of the private range, and few others.
  private static let leadingByte: UInt8 = 0xF4

  public init(systemBytes bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    if !bytes.contains(Self.leadingByte), let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    var text = String.UnicodeScalarView()
    var index = 0
    while index < bytes.count {
      let (scalar, length) = Self.scalar(bytes[index...])
      text.append(scalar)
      index += length
    }
    self.init(text)
  }

  /// - Parameter name: Ended by a zero.
  public init(systemName name: UnsafePointer<CChar>) {
    var bytes: [UInt8] = []
    while unsafe name[bytes.count] != 0 { bytes.append(UInt8(bitPattern: unsafe name[bytes.count])) }
    self.init(systemBytes: bytes)
  }

  /// The scalar that bytes begin with, else that which stands for their first one.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, length: Int) {
    for length in 1...Swift.min(4, bytes.count) {
      if let text = String(validating: bytes.prefix(length), as: UTF8.self), let scalar = text.unicodeScalars.first,
        byte(of: scalar) == nil
      {
        return (scalar, length)
      }
    }
    return (Unicode.Scalar(firstScalar + UInt32(bytes[bytes.startIndex])) ?? "\u{FFFD}", 1)
  }

  /// The byte that a scalar of the private range stands for.
  private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    guard scalar.value >= firstScalar + 0x80, scalar.value <= firstScalar + 0xFF else { return nil }
    return UInt8(scalar.value - firstScalar)
  }

  /// The bytes of the name.
  public var systemBytes: [UInt8] {
    if !utf8.contains(Self.leadingByte) { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in Self.byte(of: scalar).map { [$0] } ?? Array(UTF8.encode(scalar)!) }
  }

  /// The bytes of the name and a zero, as the system's calls take it.
  public var systemName: [CChar] { systemBytes.map { CChar(bitPattern: $0) } + [0] }

  /// Bytes that are no UTF-8 as the replacement character, for what must be Unicode.
  public var printable: String {
    if !utf8.contains(Self.leadingByte) { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { Self.byte(of: $0) == nil ? $0 : "\u{FFFD}" }))
  }

  /// The same bytes: two spellings of one letter are two names.
  public func isSameName(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
