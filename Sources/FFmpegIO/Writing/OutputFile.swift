internal import Foundation
internal import Synchronization

/// The file that an output is written to: under another name beside the target until it is complete.
package struct OutputFile {
  /// Files of this process so far: long names are cut, and must not become one.
  private static let count = Atomic(0)

  let target: Location
  /// The file that is replaced as a whole, links followed; nil for streams.
  let path: String?
  /// The name written to meanwhile; nil where there is nothing to rename (streams, devices, image sequences).
  package let temporaryPath: String?

  /// - Throws: `FFmpegError.missingFolder` when the folder of the target does not exist.
  init(_ target: Location, opensFile: Bool) throws(FFmpegError) {
    self.target = target
    path = target.file
    guard opensFile, let path else {
      temporaryPath = nil
      return
    }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw .missingFolder(path: folder.relativePath)
    }
    // A pipe or device stays what it is.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes == nil || attributes?[.type] as? FileAttributeType == .typeRegular else {
      temporaryPath = nil
      return
    }
    guard unsafe access(folder.path, W_OK | X_OK) == 0 else {
      throw .failed(.create, path: target.name, code: EACCES, message: "its folder cannot be written to")
    }
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let mark = ".headroom-\(ProcessInfo.processInfo.processIdentifier)-\(number).part"
    // A name of the system's 255 bytes at most, cut between characters.
    var stem = ".\(url.lastPathComponent)"
    while stem.utf8.count + mark.utf8.count > Int(NAME_MAX) { stem.removeLast() }
    let name = stem + mark
    temporaryPath = folder.appendingPathComponent(name).path
  }

  /// What FFmpeg opens.
  var url: String { temporaryPath.map { "file:" + $0 } ?? target.url }

  /// Gives the complete file its name.
  package func commit() throws(FFmpegError) {
    guard let temporaryPath, let path else { return }
    guard unsafe rename(temporaryPath, path) != 0 else { return }
    let code = errno
    discard()
    throw .failed(.rename, path: target.name, code: code, message: unsafe String(cString: strerror(code)))
  }

  /// Removes what was written.
  package func discard() {
    if let temporaryPath { try? FileManager.default.removeItem(atPath: temporaryPath) }
  }
}
