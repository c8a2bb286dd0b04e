/// File names as text that converts back to the same bytes.
///
/// System names are bytes that are mostly, but not always, UTF-8. A `String` is Unicode, so each byte that is not part
/// of valid UTF-8 is represented by a scalar of a private range. Such scalars in a name are themselves escaped in this
/// way, so that any bytes survive the round trip. Text is converted to bytes only in calls of the system, FFmpeg and
/// other libraries, and when messages are written.
extension String {
  /// The scalar of byte 0; only bytes from 0x80 up occur.
  private static let firstScalar: UInt32 = 0x10_FE00
  /// The lead byte of the private range in UTF-8, which few other scalars share.
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

  /// - Parameter name: NUL-terminated.
  public init(systemName name: UnsafePointer<CChar>) {
    var bytes: [UInt8] = []
    while unsafe name[bytes.count] != 0 { bytes.append(UInt8(bitPattern: unsafe name[bytes.count])) }
    self.init(systemBytes: bytes)
  }

  /// The scalar at the start of the bytes, or the one that represents their first byte.
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

  /// The byte that a scalar of the private range represents.
  static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    guard scalar.value >= firstScalar + 0x80, scalar.value <= firstScalar + 0xFF else { return nil }
    return UInt8(scalar.value - firstScalar)
  }

  /// The bytes of the name.
  public var systemBytes: [UInt8] {
    if !utf8.contains(Self.leadingByte) { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in Self.byte(of: scalar).map { [$0] } ?? Array(UTF8.encode(scalar)!) }
  }

  /// The bytes of the name and a terminating NUL, for system calls.
  public var systemName: [CChar] { systemBytes.map { CChar(bitPattern: $0) } + [0] }

  /// Bytes that are not UTF-8 become replacement characters, where text must be Unicode.
  public var printable: String {
    if !utf8.contains(Self.leadingByte) { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { Self.byte(of: $0) == nil ? $0 : "\u{FFFD}" }))
  }

  /// Compares bytes: two spellings of the same letter are different names.
  public func isSameName(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
