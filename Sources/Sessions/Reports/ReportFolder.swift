internal import FFmpegIO
internal import Files
internal import Foundation
package import Media

/// The folder of a report, with its single page.
package struct ReportFolder {
  private static let page = "index.html"
  private let folder: String
  private let overwrites: Bool
  private let isNew: Bool

  /// Path of the page.
  package var file: String { FileLocation.path(folder, Self.page) }

  /// Checks the folder before the work begins.
  /// - Throws: `Refusal` if the folder cannot be created, or already contains a report.
  package init(_ folder: String, overwrites: Bool) throws(Refusal) {
    self.folder = folder
    self.overwrites = overwrites
    let status = FileStatus(folder)
    isNew = status == nil
    if let status, status.kind != .folder {
      throw .invalid("report-not-a-folder", "'\(folder)' is a file, but \(.report) takes a folder: give another name.")
    }
    let parent = Self.parent(of: folder)
    guard status != nil || FileStatus(parent) != nil else {
      throw .failed(
        "no-parent-folder", "There is no folder '\(parent)' for the report: create it first, or name another one.")
    }
    if status != nil { try OutputPath(file).check(reading: [], overwrites: overwrites) }
    if status != nil, unsafe access(folder.systemName, W_OK | X_OK) != 0 {
      throw .failed(
        "folder-not-writable", "The folder '\(folder)' cannot be written to: choose another one for the report.")
    }
  }

  /// Creates the folder if necessary, and the page in it.
  package func write(_ html: String) throws { try open().write(html) }

  /// Creates the folder if necessary.
  /// - Returns: The file of the page.
  package func open() throws -> OutputFile {
    if unsafe mkdir(folder.systemName, 0o777) != 0, errno != EEXIST {
      throw OutputError.system(.create, folder)
    }
    return try OutputFile(file, replaces: overwrites)
  }

  /// Removes the folder if it is new and empty.
  package func discard() { if isNew { _ = unsafe rmdir(folder.systemName) } }

  /// Returns the parent folder, whether the name ends with a slash or not.
  private static func parent(of folder: String) -> String {
    var path = folder
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return FileLocation(path).folder
  }
}
