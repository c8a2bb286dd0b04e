internal import FFmpegIO
internal import Foundation

/// The folder of a report, with its one page.
struct ReportFolder {
  private static let page = "index.html"
  private let folder: String

  private var file: String { URL(fileURLWithPath: folder).appendingPathComponent(Self.page).path }

  /// Before the work, not after it.
  /// - Throws: `CommandFailure` where the folder cannot be made, or holds a report already.
  init(_ folder: String, overwrites: Bool) throws {
    self.folder = folder
    let files = FileManager.default
    var isFolder: ObjCBool = false
    if unsafe files.fileExists(atPath: folder, isDirectory: &isFolder), !isFolder.boolValue {
      throw CommandFailure("'\(folder)' is a file, and --report takes a folder: give another name.", .usage)
    }
    let parent = URL(fileURLWithPath: folder).deletingLastPathComponent().path
    guard isFolder.boolValue || files.fileExists(atPath: parent) else {
      throw CommandFailure("There is no folder '\(parent)' for the report: make it first, or name another one.")
    }
    if isFolder.boolValue { try OutputPath(file).check(input: nil, overwrites: overwrites) }
    if isFolder.boolValue, !files.isWritableFile(atPath: folder) {
      throw CommandFailure("The folder '\(folder)' cannot be written to: choose another one for the report.")
    }
  }

  /// Makes the folder where there is none, and the page in it.
  func write(_ html: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure("The folder '\(folder)' cannot be made: \(error.localizedDescription)")
    }
    try OutputFile(wholeFileAt: file).write(html)
  }
}
