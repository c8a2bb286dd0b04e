internal import Files
internal import Foundation

extension DurableFile {
  /// Does something with a file of a work folder.
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

  /// Gives a complete file another name that nobody may have yet.
  /// - Returns: Whether the name was free.
  static func claim(_ path: String, for temporary: String, _ descriptor: Int32) throws(FarmError) -> Bool {
    if unsafe link(temporary.systemName, path.systemName) == 0 { return true }
    let code = errno
    // What counts is not what a network file system answers, but how many names the file has.
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
  /// Puts a file under a name that may exist, all of it or nothing.
  func replace(_ path: String, _ bytes: [UInt8]) throws(FarmError) {
    try DurableFile.at(path) { () throws(DurableFile.Failure) in try DurableFile.replace(path, bytes) }
  }
}
