extension EDID {
  /// Extended tags of data blocks. Source: CTA-861-H, 7.5.
  private enum ExtendedTag {
    static let vendorVideo = 0x01
    static let colorimetry = 0x05
    static let hdrStaticMetadata = 0x06
    /// Source: HDMI 2.1, 10.3.6.
    static let extensionOverride = 0x78
  }

  /// Vendor identifiers in data blocks.
  private enum OUI {
    static let dolby = 0x00D046
    static let hdr10Plus = 0x90848B
  }

  /// The tag that introduces an extended tag. Source: CTA-861-H, 7.5.
  private static let extendedTag = 7

  /// Reads a CTA extension block.
  /// - Returns: The number of extension blocks, if a data block overrides it.
  /// Source: CTA-861-H, 7.5.
  mutating func readCTA(_ block: Span<UInt8>, number: Int) -> Int? {
    let revision = block[at: 1]
    let timings = block[at: 2]
    let end = Self.blockLength - 1
    // Offset 0: neither timings nor data blocks.
    guard timings > 0 else { return nil }
    guard 4...end ~= timings else {
      problems.append(.wrongTimingOffset(block: number, offset: timings))
      return nil
    }
    // Bytes before the timings were reserved until revision 3.
    let count = revision >= 3 ? readDataBlocks(of: block, in: 4..<timings, number: number) : nil
    var padding = timings
    while padding + Mode.descriptorLength <= end, !block.part(padding..<padding + Mode.descriptorLength).isZero {
      padding += Mode.descriptorLength
    }
    if !block.part(padding..<end).isZero { problems.append(.nonZeroPadding(block: number)) }
    return count
  }

  /// Reads a collection of CTA data blocks.
  /// - Parameter range: The position of the collection in the block.
  /// - Returns: The number of extension blocks, if a data block overrides it.
  /// Source: CTA-861-H, 7.5.
  @discardableResult
  mutating func readDataBlocks(of block: Span<UInt8>, in range: Range<Int>, number: Int) -> Int? {
    var override: Int?
    var offset = range.lowerBound
    while offset < range.upperBound {
      let next = offset + 1 + block[at: offset] & 0x1F
      if next > range.upperBound { problems.append(.overlongDataBlock(block: number, offset: offset)) }
      if block[at: offset] >> 5 == Self.extendedTag {
        // Some displays place their timings a byte too early: the HDR data before them are still valid.
        switch readExtended(block.part(offset + 1..<min(next, range.upperBound))) {
        case .read: break
        case .extensionCount(let count): override = count
        case .short: problems.append(.shortDataBlock(block: number, offset: offset))
        case .repeated: problems.append(.repeatedDataBlock(block: number, offset: offset))
        }
      }
      offset = next
    }
    return override
  }

  private enum Outcome {
    case read
    case extensionCount(Int)
    case short
    case repeated
  }

  /// Reads a data block from its extended tag.
  private mutating func readExtended(_ bytes: Span<UInt8>) -> Outcome {
    guard !bytes.isEmpty else { return .short }
    let payload = bytes.part(1..<max(1, bytes.count))
    switch bytes[at: 0] {
    case ExtendedTag.vendorVideo:
      guard payload.count >= 3 else { return .short }
      let vendor = payload.integer24(at: 0)
      supportsHDR10Plus = supportsHDR10Plus || vendor == OUI.hdr10Plus
      supportsDolbyVision = supportsDolbyVision || vendor == OUI.dolby
    case ExtendedTag.colorimetry:
      guard let stated = Colorimetry(payload: payload) else { return .short }
      colorimetry.formUnion(stated)
    case ExtendedTag.hdrStaticMetadata:
      guard let stated = HDRStaticMetadata(payload: payload) else { return .short }
      guard hdr == nil else { return .repeated }
      hdr = stated
    case ExtendedTag.extensionOverride:
      return payload.isEmpty ? .short : .extensionCount(payload[at: 0])
    default: break
    }
    return .read
  }

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
