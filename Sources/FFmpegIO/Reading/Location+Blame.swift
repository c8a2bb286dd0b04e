internal import CFFmpeg
internal import Files
internal import Foundation

extension Location {
  /// Bytes at the start and end of a file that are read to check that its device works.
  private static let someBytes = 1 << 20

  /// FFmpeg's error code, corrected for demuxers that blame the system: they report impossible sizes in a damaged file
  /// as "out of memory", and truncation as "input/output error".
  /// - Returns: "Invalid data" if memory is available, or the file is readable; otherwise `code`.
  func withoutBlame(_ code: Int32) -> Int32 {
    let isUnfounded =
      switch code {
      case hr_error_no_memory(): SystemMemory.isLeft
      case hr_error_of_system(EIO): isReadable
      default: false
      }
    return isUnfounded ? hr_error_invalid_data() : code
  }

  /// Whether it is a regular file whose start and end can be read.
  private var isReadable: Bool {
    guard let path, let size = byteCount, let file = FileHandle(systemName: path) else { return false }
    do {
      _ = try file.read(upToCount: Self.someBytes)
      try file.seek(toOffset: UInt64(max(0, size - Self.someBytes)))
      return try file.read(upToCount: Self.someBytes) != nil
    } catch {
      return false
    }
  }
}
