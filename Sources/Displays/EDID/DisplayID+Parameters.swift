extension DisplayID {
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
