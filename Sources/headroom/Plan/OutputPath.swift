internal import FFmpegIO
internal import Foundation
internal import ImageFiles

/// The name of an output as the user wrote it.
struct OutputPath {
  let name: String

  init(_ name: String) { self.name = name }

  /// The same for the files of a pattern, which are numbered from `first` on.
  func check(_ names: FileNames, from first: Int, input: String, overwrites: Bool) throws {
    guard names.hasNumber else { return try check(input: input, overwrites: overwrites) }
    guard let path = MediaWriter.file(at: names.name(first)) else { return }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if overwrites { return }
    let there = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let prefix = name.contains("/") ? String(name[...name.lastIndex(of: "/")!]) : ""
    if let file = there.sorted().first(where: { names.number(of: prefix + $0).map { $0 >= first } ?? false }) {
      throw CommandFailure(
        "'\(prefix + file)' exists already: give another pattern, or add --overwrite to replace such files.")
    }
  }

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
