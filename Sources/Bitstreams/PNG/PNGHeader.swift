/// The pixel format in the first chunk of a PNG file.
///
/// Source: PNG (Third Edition, W3C, 2025), 11.2.1, "IHDR".
package struct PNGHeader {
  package let width: Int
  package let height: Int
  private let bitsPerPixel: Int

  /// Bytes of a file up to the methods of its header: signature, length, type and content.
  package static let byteCount = 26
  /// Samples of a pixel by colour type. Source: 11.2.1, table 8.
  private static let samples: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
  /// Maximum compression ratio of Deflate: 258 bytes for two bits. Source: RFC 1951, 3.2.5.
  package static let maxRatio = 1032

  /// - Returns: nil if the bytes are not the start of a PNG file, or are damaged.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: PNGChunk.signature),
      bytes[12..<16].elementsEqual("IHDR".utf8), let samples = Self.samples[bytes[25]]
    else { return nil }
    width = Int(bytes.word(at: 16))
    height = Int(bytes.word(at: 20))
    bitsPerPixel = samples * Int(bytes[24])
  }

  /// Whether a file of a size can hold the pixels.
  package func fits(in byteCount: Int) -> Bool {
    // The product of two 32-bit extents may overflow; pictures of more than 2^31 pixels are not read anyway.
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    return !overflow && pixels <= Int(Int32.max) && pixels * bitsPerPixel / 8 / Self.maxRatio <= byteCount
  }
}
