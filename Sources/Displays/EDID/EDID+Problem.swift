extension EDID {
  /// A fault outside the base block. What it concerns is left out, the rest is used.
  ///
  /// Blocks are numbered from the base block, 0; offsets are bytes from the start of the block.
  public enum Problem: Sendable, Hashable, Codable {
    /// The EDID announces more extension blocks than its bytes hold.
    case missingExtensions(announced: Int, present: Int)
    /// Bytes other than 0 after the last announced block.
    case trailingBytes
    /// An extension block whose 128 bytes do not sum to 0 modulo 256.
    case wrongChecksum(block: Int)
    /// An extension block with a tag that E-EDID does not assign.
    case unknownExtension(block: Int, tag: UInt8)
    /// A CTA extension that claims to start its detailed timings inside its header or beyond its end.
    case wrongTimingOffset(block: Int, offset: Int)
    /// A data block longer than what is left of its collection. Of a CTA data block what is left is read, of a DisplayID
    /// data block nothing.
    case overlongDataBlock(block: Int, offset: Int)
    /// A data block too short for the fields that it must have.
    case shortDataBlock(block: Int, offset: Int)
    /// A second data block of a kind that a display may have once; the first one counts.
    case repeatedDataBlock(block: Int, offset: Int)
    /// Bytes other than 0 where a block must be padded with 0.
    case nonZeroPadding(block: Int)
    /// A DisplayID section of a structure version other than 1 and 2.
    case unsupportedDisplayID(block: Int, version: UInt8)
    /// A DisplayID section that is longer than its extension block.
    case overlongDisplayID(block: Int, length: Int)
    /// A DisplayID section whose own bytes do not sum to 0 modulo 256.
    case wrongDisplayIDChecksum(block: Int)
  }
}
