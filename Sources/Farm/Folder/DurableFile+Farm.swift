internal import Files
internal import Foundation

extension DurableFile {
  /// Runs a file operation in a work folder.
  static func at<Value>(_ path: String, _ work: () throws(Failure) -> Value) throws(FarmError) -> Value {
    do throws(Failure) { return try work() } catch {
      let action: FarmError.Action =
        switch error.step {
        case .create: .create
        case .write: .write
        case .rename: .rename
        }
      throw .failed(action, path: path, code: error.code)
    }
  }

  /// Links a complete file to a name, if that is free.
  /// - Returns: Whether the name was free.
  static func claim(_ path: String, for temporary: String, _ descriptor: Int32) throws(FarmError) -> Bool {
    if unsafe link(temporary.systemName, path.systemName) == 0 { return true }
    let code = errno
    // A network file system's reply is unreliable; the link count decides.
    if let facts = FileFacts(descriptor), facts.links == 2 { return true }
    if code == EEXIST { return false }
    guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(code) else { throw .failed(.link, path: path, code: code) }
    let second = FileRenaming.rename(temporary, to: path, replaces: false)
    if second == EEXIST { return false }
    guard second == 0 else { throw .failed(.link, path: path, code: second) }
    return true
  }
}

extension WorkFolder {
  /// Atomically writes a file, replacing an existing one.
  func replace(_ path: String, _ bytes: [UInt8]) throws(FarmError) {
    try DurableFile.at(path) { () throws(DurableFile.Failure) in try DurableFile.replace(path, bytes) }
  }
}
