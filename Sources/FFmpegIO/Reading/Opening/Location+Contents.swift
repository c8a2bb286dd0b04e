internal import Bitstreams
internal import CFFmpeg
internal import Files
internal import Foundation

/// Information in the bytes of a local file that FFmpeg does not report.
extension Location {
  /// Checks that a PNG file can hold its pixels: FFmpeg allocates memory for all of them before it notices that they
  /// are missing.
  /// - Throws: `FFmpegError.failed` if it states an impossible size.
  func checkPNGHeader() throws(FFmpegError) {
    guard let byteCount, let path, let file = FileHandle(systemName: path),
      let header = PNGHeader(file.bytes(at: 0, PNGHeader.byteCount)), !header.fits(in: byteCount)
    else { return }
    throw .failure(
      .open, name, hr_error_invalid_data(),
      detail: ["it states \(header.width)x\(header.height) pixels, more than its \(byteCount) bytes can hold"])
  }

  /// The tables of an MP4 or QuickTime file; nil for other inputs.
  /// - Throws: `FFmpegError.failed` if they state more samples than the file can hold.
  func isoTables() throws(FFmpegError) -> ISOTables? {
    guard let byteCount, let path else { return nil }
    do { return try ISOTables(path: path, byteCount: byteCount) } catch {
      throw .failure(
        .open, name, hr_error_invalid_data(),
        detail: ["its tables announce \(error.count) samples, more than its \(byteCount) bytes can hold"])
    }
  }

  /// The areas of pictures that a Matroska file shows; nil for other inputs.
  var matroskaApertures: MatroskaApertures? {
    guard let byteCount, let path else { return nil }
    return MatroskaApertures(path: path, byteCount: byteCount)
  }

  /// The colour of a PNG file; nil for other inputs.
  var pngColor: PNGColor? {
    guard byteCount != nil, let path else { return nil }
    return PNGColor(path: path)
  }

  /// The stated end of a whole file's container; nil for other inputs.
  var statedEnd: StatedEnd? {
    guard !isPart, let byteCount, let path else { return nil }
    return StatedEnd(path: path, byteCount: byteCount)
  }
}
