internal import Foundation

/// The file that an output is written to: under another name beside the target until it is complete.
struct OutputFile {
  let target: Location
  /// The name written to meanwhile; nil where there is nothing to rename (streams, devices, image sequences).
  let temporaryPath: String?

  /// - Throws: `FFmpegError.missingFolder` when the folder of the target does not exist.
  init(_ target: Location, opensFile: Bool) throws(FFmpegError) {
    self.target = target
    guard opensFile, let path = target.path else {
      temporaryPath = nil
      return
    }
    // A link is followed: the file that it names is replaced as a whole, like any other.
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let folder = url.deletingLastPathComponent()
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw .missingFolder(path: folder.relativePath)
    }
    // A pipe or device stays what it is.
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes == nil || attributes?[.type] as? FileAttributeType == .typeRegular else {
      temporaryPath = nil
      return
    }
    let name = ".\(url.lastPathComponent).headroom-\(ProcessInfo.processInfo.processIdentifier).part"
    temporaryPath = folder.appendingPathComponent(name).path
  }

  /// The file that a URL names, links followed; nil for streams.
  static func file(at url: String) -> String? {
    Location(url, standardStream: "pipe:1").path.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
  }

  /// What FFmpeg opens.
  var url: String { temporaryPath.map { "file:" + $0 } ?? target.url }

  /// Gives the complete file its name.
  func commit() throws(FFmpegError) {
    guard let temporaryPath, let path = Self.file(at: target.name) else { return }
    guard unsafe rename(temporaryPath, path) != 0 else { return }
    let code = errno
    discard()
    throw .failed(.rename, path: target.name, code: code, message: unsafe String(cString: strerror(code)))
  }

  /// Removes what was written.
  func discard() {
    if let temporaryPath { try? FileManager.default.removeItem(atPath: temporaryPath) }
  }
}
