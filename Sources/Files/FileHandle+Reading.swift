public import Foundation

extension FileHandle {
  /// Opens a file, which is closed when this object is released.
  /// - Parameter name: A name decoded from the system's bytes.
  /// - Returns: nil if it cannot be opened.
  public convenience init?(systemName name: String, forUpdating: Bool = false) {
    let descriptor = unsafe open(name.systemName, (forUpdating ? O_RDWR : O_RDONLY) | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.init(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Reads bytes at an offset: fewer at the end of the file, none if it cannot be read.
  package func bytes(at place: Int, _ count: Int) -> [UInt8] {
    guard (try? seek(toOffset: UInt64(place))) != nil, let data = try? read(upToCount: count) else { return [] }
    return [UInt8](data)
  }
}
