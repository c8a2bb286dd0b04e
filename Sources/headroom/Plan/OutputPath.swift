internal import FFmpegIO
internal import Foundation

/// The name of an output as the user wrote it.
struct OutputPath {
  let name: String

  init(_ name: String) { self.name = name }

  /// Nothing that exists is replaced unasked, and never the input.
  /// - Throws: `CommandFailure` that says what to do instead.
  func check(input: String?, overwrites: Bool) throws {
    guard let path = MediaWriter.file(at: name) else { return }
    if let input, path == MediaWriter.file(at: input) {
      throw CommandFailure("'\(name)' is the input: give the output another name.", .usage)
    }
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard unsafe files.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    if isFolder.boolValue { throw CommandFailure("'\(name)' is a folder: name a file in it.", .usage) }
    let isRegular = (try? files.attributesOfItem(atPath: path)[.type]) as? FileAttributeType == .typeRegular
    if isRegular, !overwrites {
      throw CommandFailure("'\(name)' exists already: give another name, or add --overwrite to replace it.")
    }
  }
}
