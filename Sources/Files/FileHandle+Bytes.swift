package import Foundation

extension FileHandle {
  /// Bytes at a place of the file: fewer where it ends, none where it cannot be read.
  package func bytes(at place: Int, _ count: Int) -> [UInt8] {
    guard (try? seek(toOffset: UInt64(place))) != nil, let data = try? read(upToCount: count) else { return [] }
    return [UInt8](data)
  }
}
