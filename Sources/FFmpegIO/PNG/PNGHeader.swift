internal import CFFmpeg
internal import Files
internal import Foundation

/// The pixel format in the first chunk of a PNG file.
///
/// Source: PNG (Third Edition, W3C, 2025), 11.2.1, "IHDR".
struct PNGHeader {
  private let width: Int
  private let height: Int
  private let bitsPerPixel: Int

  /// Samples of a pixel by colour type. Source: 11.2.1, table 8.
  private static let samples: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
  /// Maximum compression ratio of Deflate: 258 bytes for two bits. Source: RFC 1951, 3.2.5.
  static let maxRatio = 1032

  /// - Returns: nil if the bytes are not the start of a PNG file, or are damaged.
  init?(_ bytes: [UInt8]) {
    // Signature, length, type, and the content up to the methods.
    guard bytes.count >= 26, bytes.starts(with: PNGChunk.signature), bytes[12..<16].elementsEqual("IHDR".utf8),
      let samples = Self.samples[bytes[25]]
    else { return nil }
    width = Int(bytes.word(at: 16))
    height = Int(bytes.word(at: 20))
    bitsPerPixel = samples * Int(bytes[24])
  }

  /// Checks that the file can hold the pixels: FFmpeg allocates memory for all of them before it notices that they are
  /// missing.
  /// - Throws: `FFmpegError.failed` if the file at a location states an impossible size.
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

extension AVCodecID {
  /// PNG, also of several pictures.
  var isPNG: Bool { self == AV_CODEC_ID_PNG || self == AV_CODEC_ID_APNG }
}
