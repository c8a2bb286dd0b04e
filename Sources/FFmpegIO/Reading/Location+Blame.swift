internal import CFFmpeg
internal import Files
internal import Foundation

extension Location {
  /// Bytes at the start and at the end of a file that are read to see that its device works.
  private static let someBytes = 1 << 20

  /// FFmpeg's code for what a demuxer has met, without the blame that some put on the system: sizes in a damaged file
  /// that no memory could hold are "out of memory" to them, and a file that breaks off an "input/output error".
  /// - Returns: "Invalid data" where there is memory, or the file can be read; else `code`.
  func withoutBlame(_ code: Int32) -> Int32 {
    let isUnfounded =
      switch code {
      case hr_error_no_memory(): SystemMemory.isLeft
      case hr_error_of_system(EIO): isReadable
      default: false
      }
    return isUnfounded ? hr_error_invalid_data() : code
  }

  /// A regular file whose start and end come without an error.
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
