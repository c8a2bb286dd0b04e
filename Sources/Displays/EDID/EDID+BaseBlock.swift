import ColorScience

extension EDID {
  static let header: [UInt8] = [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00]
  private static let descriptorOffsets = [54, 72, 90, 108]

  /// Checks and reads the base block.
  ///
  /// Source: VESA E-EDID 1.4 (2006), 3.
  init(baseBlock bytes: Span<UInt8>) throws(EDIDError) {
    guard bytes.count >= Self.blockLength else { throw .tooShort(count: bytes.count) }
    let block = bytes.part(0..<Self.blockLength)
    guard Self.header.indices.allSatisfy({ block[$0] == Self.header[$0] }) else { throw .noHeader }
    guard block.checksum == 0 else { throw .wrongChecksum(sum: block.checksum) }
    let version = Version(block[at: 18], block[at: 19])
    guard version.major == 1 else { throw .unsupportedVersion(major: version.major, minor: version.minor) }

    manufacturer = Self.manufacturer(of: block)
    product = UInt16(block.integer16(at: 10))
    let serial = block.integer32(at: 12)
    serialNumber = serial == 0 ? nil : serial
    isModelYear = version >= Version(1, 4) && block[at: 16] == 0xFF
    week = 1...54 ~= block[at: 16] ? block[at: 16] : nil
    year = 1990 + block[at: 17]
    self.version = version
    isDigital = block[at: 20] & 0x80 != 0
    bitsPerColor = isDigital && version >= Version(1, 4) ? Self.colorDepth(block[at: 20] >> 4 & 7) : nil
    size =
      block[at: 21] > 0 && block[at: 22] > 0
      ? ScreenSize(width: Double(block[at: 21]), height: Double(block[at: 22])) : nil
    gamma = Self.gamma(block[at: 23])
    isSRGB = version >= Version(1, 3) && block[at: 24] & 4 != 0
    chromaticities = Self.chromaticities(of: block)
    for offset in Self.descriptorOffsets {
      read(descriptor: block.part(offset..<offset + Mode.descriptorLength))
    }
  }

  private static func manufacturer(of block: Span<UInt8>) -> String {
    let code = block[at: 8] << 8 | block[at: 9]
    return String(
      [10, 5, 0].map { shift in Character(Unicode.Scalar(UInt8(ascii: "@") + UInt8(code >> shift & 0x1F))) })
  }

  /// Returns the bits per component of a code shared by EDID and DisplayID 2; nil for undefined and reserved codes.
  ///
  /// Source: VESA E-EDID 1.4 (2006), 3.6.1; VESA DisplayID 2.0, 4.2.
  static func colorDepth(_ code: Int) -> Int? { 1...6 ~= code ? 4 + 2 * code : nil }

  /// Returns the exponent of a code in hundredths above 1; nil if it is stated elsewhere.
  ///
  /// Source: VESA E-EDID 1.4 (2006), 3.6.3.
  static func gamma(_ code: Int) -> Double? { code == 0xFF ? nil : Double(code + 100) / 100 }

  /// Source: VESA E-EDID 1.4 (2006), 3.7.
  private static func chromaticities(of block: Span<UInt8>) -> RGBSpace? {
    // The two low bits of each coordinate are in two bytes, x of red on top; the eight high bits follow.
    let low = block[at: 25] << 8 | block[at: 26]
    func point(_ index: Int) -> Chromaticity {
      func coordinate(_ place: Int) -> Double {
        Double(block[at: 27 + place] << 2 | low >> (14 - 2 * place) & 3) / 1024
      }
      return Chromaticity(x: coordinate(2 * index), y: coordinate(2 * index + 1))
    }
    return RGBSpace(displayRed: point(0), green: point(1), blue: point(2), white: point(3))
  }

  /// Source: VESA E-EDID 1.4 (2006), 3.10.
  private mutating func read(descriptor: Span<UInt8>) {
    // A clock of 0 marks a descriptor that is not a timing.
    guard descriptor.integer16(at: 0) == 0 else {
      preferredMode = preferredMode ?? Mode(descriptor: descriptor)
      return
    }
    switch descriptor[at: 3] {
    case 0xFC: name = name ?? Self.text(of: descriptor)
    case 0xFF: serialText = serialText ?? Self.text(of: descriptor)
    default: break
    }
  }

  /// Returns the text up to the line feed, without padding; nil if it is empty.
  ///
  /// Only ASCII is in use: other characters become U+FFFD, or are removed as padding at the end.
  private static func text(of descriptor: Span<UInt8>) -> String? {
    var characters = (5..<Mode.descriptorLength).map { descriptor[at: $0] }.prefix { $0 != 0x0A && $0 != 0 }
    while let last = characters.last, !(0x21...0x7E ~= last) { characters.removeLast() }
    let scalars = characters.map { 0x20...0x7E ~= $0 ? Unicode.Scalar(UInt8($0)) : "\u{FFFD}" }
    return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
  }
}

extension RGBSpace {
  /// A display's RGB space; nil if the white is outside the triangle of the primaries, for example if they are 0 or
  /// were never filled in.
  init?(displayRed red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    func side(_ first: Chromaticity, _ second: Chromaticity) -> Double {
      (second.x - first.x) * (white.y - first.y) - (second.y - first.y) * (white.x - first.x)
    }
    let sides = [side(red, green), side(green, blue), side(blue, red)]
    let points = [red, green, blue, white]
    // All signs are equal if the white is on the same side of every edge, in either order of the primaries.
    guard points.allSatisfy({ 0...1 ~= $0.x && 0...1 ~= $0.y }), white.y > 0,
      sides.allSatisfy({ $0 > 0 }) || sides.allSatisfy({ $0 < 0 })
    else { return nil }
    self.init(red: red, green: green, blue: blue, white: white)
  }
}

/// Bounds-safe reading: missing bytes read as 0, as if padded.
extension Span<UInt8> {
  /// The byte at an offset; 0 outside the span.
  subscript(at offset: Int) -> Int { indices.contains(offset) ? Int(self[offset]) : 0 }

  /// A little-endian integer, 0...65535.
  func integer16(at offset: Int) -> Int { self[at: offset] | self[at: offset + 1] << 8 }

  /// A little-endian three-byte integer, such as an IEEE OUI.
  func integer24(at offset: Int) -> Int { integer16(at: offset) | self[at: offset + 2] << 16 }

  /// A little-endian four-byte integer.
  func integer32(at offset: Int) -> UInt32 { UInt32(integer16(at: offset)) | UInt32(integer16(at: offset + 2)) << 16 }

  /// The existing part of a range.
  @_lifetime(copy self)
  func part(_ range: Range<Int>) -> Span<UInt8> { extracting(range.clamped(to: indices)) }

  /// The sum modulo 256, 0 for a block with a correct checksum.
  var checksum: UInt8 {
    var sum: UInt8 = 0
    for index in indices { sum &+= self[index] }
    return sum
  }

  /// Whether every byte is 0.
  var isZero: Bool { indices.allSatisfy { self[$0] == 0 } }
}
