public import ColorScience

/// The panel data from the DisplayID sections of an EDID.
///
/// Source: VESA DisplayID 1.3, 4.2 and 4.3; VESA DisplayID 2.0, 4.2.
public struct DisplayID: Sendable, Hashable, Codable {
  /// The meaning of stated luminances. Source: VESA DisplayID 2.0, 4.2.
  public enum LuminanceMeaning: Sendable, Hashable, Codable {
    /// The display reaches at least these luminances.
    case guaranteed
    /// Hints for the source, such as for tone mapping.
    case guidance
  }

  /// Version and revision of the first section's structure, such as 1.2 or 2.0.
  public let version: EDID.Version
  /// Picture size, in steps of 0.01 or 0.1 cm; nil if not stated.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var size: EDID.ScreenSize?
  /// Pixels per line of the panel, 1...65535; nil if not stated.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var nativeWidth: Int?
  /// Lines of the panel, 1...65535; nil if not stated.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var nativeHeight: Int?
  /// Exponent of the native transfer characteristic, 1...3.54; nil if not stated.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var gamma: Double?
  /// Native bits per colour component, 1...16; nil if undefined.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var bitsPerColor: Int?
  /// Native primaries and white, in steps of 1/4096; nil if not stated, or if the white is outside their triangle.
  /// Source: VESA DisplayID 1.3, 4.3; VESA DisplayID 2.0, 4.2.
  public internal(set) var primaries: RGBSpace?
  /// Native maximum luminance of a white screen in cd/m²; nil if not stated. Source: VESA DisplayID 2.0, 4.2.
  public internal(set) var maxFullScreenLuminance: Double?
  /// Native maximum luminance of a white rectangle covering 10 % of the screen, in cd/m²; nil if not stated.
  /// Source: VESA DisplayID 2.0, 4.2.
  public internal(set) var maxLuminance: Double?
  /// Native minimum luminance in cd/m²; nil if not stated. Source: VESA DisplayID 2.0, 4.2.
  public internal(set) var minLuminance: Double?
  /// The meaning of the luminances; nil if it cannot be stated or the code is reserved.
  public internal(set) var luminanceMeaning: LuminanceMeaning?

  init(version: EDID.Version) {
    self.version = version
  }

  /// Tags of supported data blocks.
  enum Tag {
    /// Version 1 display parameters. Source: VESA DisplayID 1.3, 4.2.
    static let parameters1 = 0x01
    /// Version 1 colour characteristics. Source: VESA DisplayID 1.3, 4.3.
    static let color = 0x02
    /// Version 2 display parameters. Source: VESA DisplayID 2.0, 4.2.
    static let parameters2 = 0x21
    /// CTA-861 data blocks. Source: VESA DisplayID 2.0, 4.
    static let cta = 0x81
  }

  /// Reads version 1 display parameters, after the three-byte header.
  /// - Returns: Whether the payload is long enough.
  /// Source: VESA DisplayID 1.3, 4.2.
  mutating func readParameters1(_ payload: Span<UInt8>) -> Bool {
    guard payload.count >= 12 else { return false }
    readPanel(payload, centimetre: 100)
    gamma = EDID.gamma(payload[at: 9])
    bitsPerColor = payload[at: 11] & 0x0F + 1
    return true
  }

  /// Reads version 2 display parameters, after the three-byte header.
  /// - Parameter revision: The second byte of the header; its top bit selects the unit of the size.
  /// - Returns: Whether the payload is long enough.
  /// Source: VESA DisplayID 2.0, 4.2.
  mutating func readParameters2(_ payload: Span<UInt8>, revision: Int) -> Bool {
    guard payload.count >= 29 else { return false }
    readPanel(payload, centimetre: revision & 0x80 == 0 ? 100 : 10)
    let features = payload[at: 8]
    primaries = Self.space(of: payload, primariesAt: 9, whiteAt: 18, isUniform: features & 0x40 != 0)
    maxFullScreenLuminance = Self.luminance(payload.integer16(at: 21), zeroCounts: false)
    maxLuminance = Self.luminance(payload.integer16(at: 23), zeroCounts: false)
    minLuminance = Self.luminance(payload.integer16(at: 25), zeroCounts: true)
    switch features >> 3 & 3 {
    case 0: luminanceMeaning = .guaranteed
    case 1: luminanceMeaning = .guidance
    default: luminanceMeaning = nil
    }
    bitsPerColor = EDID.colorDepth(payload[at: 27] & 7)
    gamma = EDID.gamma(payload[at: 28])
    return true
  }

  /// Reads the fields common to both versions: size, then pixels.
  private mutating func readPanel(_ payload: Span<UInt8>, centimetre: Double) {
    let width = payload.integer16(at: 0)
    let height = payload.integer16(at: 2)
    if width > 0, height > 0 {
      size = EDID.ScreenSize(width: Double(width) / centimetre, height: Double(height) / centimetre)
    }
    let columns = payload.integer16(at: 4)
    let lines = payload.integer16(at: 6)
    if columns > 0, lines > 0 {
      nativeWidth = columns
      nativeHeight = lines
    }
  }

  /// Returns a half float in cd/m²; nil for 8000h, which means none, and for other negative or non-finite values.
  private static func luminance(_ bits: Int, zeroCounts: Bool) -> Double? {
    let value = Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
    guard value.sign == .plus, value.isFinite, zeroCounts || value > 0 else { return nil }
    return value
  }
}

extension DisplayID {
  /// Reads version 1 colour characteristics, after the three-byte header.
  ///
  /// - Parameter revision: The second byte of the header; its top bit selects the kind of coordinates.
  /// - Returns: Whether the payload is long enough.
  /// Source: VESA DisplayID 1.3, 4.3.
  mutating func readColor(_ payload: Span<UInt8>, revision: Int) -> Bool {
    guard payload.count >= 2 else { return false }
    let whiteCount = payload[at: 0] & 0x0F
    let primaryCount = payload[at: 0] >> 4 & 7
    if primaryCount == 0 {
      primaries = primaries ?? Self.standardSpace(payload[at: 1])
      return true
    }
    guard payload.count >= 1 + 3 * (primaryCount + whiteCount) else { return false }
    // More than three primaries do not form an RGB space; the first of several whites is the default.
    guard primaryCount == 3, whiteCount > 0 else { return true }
    primaries =
      primaries ?? Self.space(of: payload, primariesAt: 1, whiteAt: 10, isUniform: revision & 0x80 != 0)
    return true
  }

  /// Returns the space of a code; nil if the name does not define primaries and white.
  private static func standardSpace(_ code: Int) -> RGBSpace? {
    switch code {
    case 0, 2: .bt709
    case 4: .dciP3
    default: nil
    }
  }

  /// Returns a space from three primaries and a white of three bytes each.
  /// - Parameter isUniform: Whether coordinates are u′, v′ instead of x, y.
  static func space(of payload: Span<UInt8>, primariesAt start: Int, whiteAt white: Int, isUniform: Bool) -> RGBSpace? {
    func point(_ offset: Int) -> Chromaticity {
      let bits = payload.integer24(at: offset)
      let first = Double(bits & 0xFFF) / 4096
      let second = Double(bits >> 12) / 4096
      return isUniform ? Chromaticity(u: first, v: second) : Chromaticity(x: first, y: second)
    }
    return RGBSpace(displayRed: point(start), green: point(start + 3), blue: point(start + 6), white: point(white))
  }
}

extension Chromaticity {
  /// The chromaticity of CIE 1976 u′, v′; not finite or negative if invalid.
  ///
  /// Source: ISO/CIE 11664-5, 4.2.
  fileprivate init(u: Double, v: Double) {
    let scale = 6 * u - 16 * v + 12
    self.init(x: 9 * u / scale, y: 4 * v / scale)
  }
}

extension EDID {
  /// Length of a section's header: version, length, product type, number of further sections.
  private static let sectionHeaderLength = 4
  /// Length of a data block's header: tag, revision, length.
  private static let dataBlockHeaderLength = 3

  /// Reads a DisplayID extension block: a section with a separate checksum, after the tag.
  ///
  /// Source: VESA DisplayID 1.3, 2; VESA DisplayID 2.0, 2.
  mutating func readDisplayID(_ block: Span<UInt8>, number: Int) {
    let version = block[at: 1]
    let length = block[at: 2]
    let start = 1 + Self.sectionHeaderLength
    // The section's checksum follows its data; the block's is the last byte.
    let end = start + length
    guard end < Self.blockLength - 1 else {
      problems.append(.overlongDisplayID(block: number, length: length))
      return
    }
    guard block.part(1..<end + 1).checksum == 0 else {
      problems.append(.wrongDisplayIDChecksum(block: number))
      return
    }
    guard 1...2 ~= version >> 4 else {
      problems.append(.unsupportedDisplayID(block: number, version: UInt8(version)))
      return
    }
    if displayID == nil { displayID = DisplayID(version: Version(version >> 4, version & 0x0F)) }
    readSection(of: block, in: start..<end, number: number)
    if !block.part(end + 1..<Self.blockLength - 1).isZero { problems.append(.nonZeroPadding(block: number)) }
  }

  private mutating func readSection(of block: Span<UInt8>, in range: Range<Int>, number: Int) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let payload = offset + Self.dataBlockHeaderLength
      let next = payload + block[at: offset + 2]
      // An empty product identification, or less than a header, is padding after the last data block.
      if payload > range.upperBound || block[at: offset] == 0 && next == payload {
        if !block.part(offset..<range.upperBound).isZero { problems.append(.nonZeroPadding(block: number)) }
        return
      }
      guard next <= range.upperBound else {
        problems.append(.overlongDataBlock(block: number, offset: offset))
        return
      }
      readDataBlock(of: block, at: offset, payload: payload..<next, number: number)
      offset = next
    }
  }

  private mutating func readDataBlock(of block: Span<UInt8>, at offset: Int, payload: Range<Int>, number: Int) {
    let revision = block[at: offset + 1]
    let bytes = block.part(payload)
    var isLongEnough = true
    switch block[at: offset] {
    case DisplayID.Tag.parameters1, DisplayID.Tag.parameters2:
      guard displayID?.nativeWidth == nil, displayID?.size == nil else {
        problems.append(.repeatedDataBlock(block: number, offset: offset))
        return
      }
      isLongEnough =
        (block[at: offset] == DisplayID.Tag.parameters1
          ? displayID?.readParameters1(bytes) : displayID?.readParameters2(bytes, revision: revision)) ?? true
    case DisplayID.Tag.color: isLongEnough = displayID?.readColor(bytes, revision: revision) ?? true
    case DisplayID.Tag.cta: readDataBlocks(of: block, in: payload, number: number)
    default: break
    }
    if !isLongEnough { problems.append(.shortDataBlock(block: number, offset: offset)) }
  }
}
