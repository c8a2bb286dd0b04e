internal import Files
internal import Foundation

/// The bytes of a file that is taken apart in memory.
enum WholeFile {
  /// Bytes of the largest file that is read.
  private static let maxByteCount = 1 << 30

  /// Reads, and never maps: a mapped file that gets shorter meanwhile would end the program.
  /// - Throws: `ImageFileError.unreadable` where it cannot be read, `.unsupported` above 1 GiB.
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
