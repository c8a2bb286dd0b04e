internal import CFFmpeg
internal import Files
internal import Foundation

/// What the first chunk of a PNG file says of its pixels.
///
/// Source: PNG (Third Edition, W3C, 2025), 11.2.1, "IHDR".
struct PNGHeader {
  private let width: Int
  private let height: Int
  private let bitsPerPixel: Int

  /// Samples of a pixel by colour type. Source: 11.2.1, table 8.
  private static let samples: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
  /// Bytes that one byte of Deflate stands for at most: 258 for two bits. Source: RFC 1951, 3.2.5.
  static let maxRatio = 1032

  /// - Returns: nil where the bytes begin no PNG file, or a damaged one.
  init?(_ bytes: [UInt8]) {
    // Signature, length, type, and what comes of the content before the methods.
    guard bytes.count >= 26, bytes.starts(with: PNGChunk.signature), bytes[12..<16].elementsEqual("IHDR".utf8),
      let samples = Self.samples[bytes[25]]
    else { return nil }
    width = Int(bytes.word(at: 16))
    height = Int(bytes.word(at: 20))
    bitsPerPixel = samples * Int(bytes[24])
  }

  /// The pixels fit into what a file can hold. FFmpeg takes memory for all of them before it sees that they are missing.
  /// - Throws: `FFmpegError.failed` where the file at a location states a size that it cannot have.
  static func check(_ location: Location) throws(FFmpegError) {
    guard let count = location.byteCount, let path = location.path, let file = FileHandle(systemName: path),
      let data = try? file.read(upToCount: 26), let header = PNGHeader([UInt8](data))
    else { return }
    // The product of two 32-bit extents may overflow; pictures of more than 2^31 pixels are not read anyway.
    let (pixels, overflow) = header.width.multipliedReportingOverflow(by: header.height)
    guard !overflow, pixels <= Int(Int32.max), pixels * header.bitsPerPixel / 8 / maxRatio <= count else {
      throw .failure(
        .open, location.name, hr_error_invalid_data(),
        detail: ["it states \(header.width)x\(header.height) pixels, more than its \(count) bytes can hold"])
    }
  }
}
