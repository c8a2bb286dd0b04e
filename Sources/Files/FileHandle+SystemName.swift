public import Foundation

extension FileHandle {
  /// Opens a file, which is closed with this object.
  /// - Parameter name: As text of the system's bytes.
  /// - Returns: nil where it cannot be opened.
  public convenience init?(systemName name: String, forUpdating: Bool = false) {
    let descriptor = unsafe open(name.systemName, (forUpdating ? O_RDWR : O_RDONLY) | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.init(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
