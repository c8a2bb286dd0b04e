internal import Files
internal import Foundation

/// Reads a whole file to be parsed in memory.
enum WholeFile {
  /// Maximum file size in bytes.
  private static let maxByteCount = 1 << 30

  /// Reads without memory-mapping: truncating a mapped file meanwhile would crash the program.
  /// - Throws: `ImageFileError.unreadable` if it cannot be read, `.unsupported` above 1 GiB.
  static func bytes(of path: String) throws(ImageFileError) -> [UInt8] {
    let data: Data?
    guard let file = FileHandle(systemName: path) else {
      throw .unreadable(path: path, reason: unsafe String(cString: strerror(errno)))
    }
    do { data = try file.read(upToCount: maxByteCount + 1) } catch {
      throw .unreadable(path: path, reason: (error as NSError).localizedDescription)
    }
    let bytes = [UInt8](data ?? Data())
    guard bytes.count <= maxByteCount else {
      throw .unsupported(path: path, reason: "it is larger than 1 GiB, which no picture should be")
    }
    return bytes
  }
}
