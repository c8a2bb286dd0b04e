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
