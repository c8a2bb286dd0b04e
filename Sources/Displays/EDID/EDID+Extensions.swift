extension EDID {
  /// Tags of extension blocks. Source: VESA E-EDID 1.4 (2006), 2.2.
  private enum Tag {
    static let cta = 0x02
    static let displayID = 0x70
    /// Timings, EDID 2.0, display information, localized strings, microdisplay interface, block map and
    /// manufacturer-defined blocks, none of which contain relevant data.
    static let ignored: Set = [0x10, 0x20, 0x40, 0x50, 0x60, 0xF0, 0xFF]
  }

  /// Reads the extension blocks.
  ///
  /// Source: VESA E-EDID 1.4 (2006), 2.2.
  mutating func readExtensions(of bytes: Span<UInt8>) {
    let present = bytes.count / Self.blockLength - 1
    var announced = bytes[at: 126]
    var number = 1
    while number <= min(announced, present) {
      let block = bytes.part(number * Self.blockLength..<(number + 1) * Self.blockLength)
      // A display with more blocks than HDMI 1.4 sources read announces one in the base block, and all of them in the
      // first extension.
      if let count = readExtension(block, number: number), number == 1 { announced = max(count, 1) }
      number += 1
    }
    if announced > present { problems.append(.missingExtensions(announced: announced, present: present)) }
    let end = Self.blockLength * (min(announced, present) + 1)
    if announced <= present, !bytes.part(end..<max(end, bytes.count)).isZero { problems.append(.trailingBytes) }
  }

  /// Reads an extension block.
  /// - Returns: The number of extension blocks, if the block overrides it.
  private mutating func readExtension(_ block: Span<UInt8>, number: Int) -> Int? {
    guard block.checksum == 0 else {
      problems.append(.wrongChecksum(block: number))
      return nil
    }
    switch block[at: 0] {
    case Tag.cta: return readCTA(block, number: number)
    case Tag.displayID: readDisplayID(block, number: number)
    case let tag where Tag.ignored.contains(tag): break
    case let tag: problems.append(.unknownExtension(block: number, tag: UInt8(tag)))
    }
    return nil
  }
}
