extension EDID {
  /// A fault outside the base block. The affected data is ignored, the rest is used.
  ///
  /// Blocks are numbered from the base block (0); offsets are bytes from the start of the block.
  public enum Problem: Sendable, Hashable, Codable {
    /// The EDID announces more extension blocks than it contains.
    case missingExtensions(announced: Int, present: Int)
    /// Bytes other than 0 after the last announced block.
    case trailingBytes
    /// An extension block whose 128 bytes do not sum to 0 modulo 256.
    case wrongChecksum(block: Int)
    /// An extension block with a tag that E-EDID does not assign.
    case unknownExtension(block: Int, tag: UInt8)
    /// A CTA extension that claims to start its detailed timings inside its header or beyond its end.
    case wrongTimingOffset(block: Int, offset: Int)
    /// A data block longer than the rest of its collection. For a CTA data block the rest is read, for a DisplayID data
    /// block nothing.
    case overlongDataBlock(block: Int, offset: Int)
    /// A data block too short for its required fields.
    case shortDataBlock(block: Int, offset: Int)
    /// A second data block of a kind that is allowed once; the first one is used.
    case repeatedDataBlock(block: Int, offset: Int)
    /// Bytes other than 0 in padding.
    case nonZeroPadding(block: Int)
    /// A DisplayID section with a structure version other than 1 or 2.
    case unsupportedDisplayID(block: Int, version: UInt8)
    /// A DisplayID section that is longer than its extension block.
    case overlongDisplayID(block: Int, length: Int)
    /// A DisplayID section whose bytes do not sum to 0 modulo 256.
    case wrongDisplayIDChecksum(block: Int)
  }
}

extension EDID.Problem {
  /// Whether the fault may hide properties of the display.
  public var losesStatements: Bool {
    switch self {
    case .trailingBytes, .repeatedDataBlock, .nonZeroPadding: false
    default: true
    }
  }
}

extension EDID.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missingExtensions(let announced, let present): "it announces \(announced) extension blocks and has \(present)"
    case .trailingBytes: "bytes follow its last block"
    case .wrongChecksum(let block): "block \(block) has a wrong checksum"
    case .unknownExtension(let block, let tag): "block \(block) is an extension of unknown kind \(tag)"
    case .wrongTimingOffset(let block, let offset): "block \(block) has no timings at offset \(offset), where it says"
    case .overlongDataBlock(let block, let offset): "the data block at \(offset) of block \(block) is too long"
    case .shortDataBlock(let block, let offset): "the data block at \(offset) of block \(block) is too short"
    case .repeatedDataBlock(let block, let offset):
      "the data block at \(offset) of block \(block) is a second one of its kind"
    case .nonZeroPadding(let block): "block \(block) has bytes in its padding"
    case .unsupportedDisplayID(let block, let version): "block \(block) is DisplayID of unknown version \(version)"
    case .overlongDisplayID(let block, let length): "block \(block) is DisplayID of \(length) bytes, more than fit"
    case .wrongDisplayIDChecksum(let block): "the DisplayID of block \(block) has a wrong checksum"
    }
  }
}
