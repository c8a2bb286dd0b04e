internal import FFmpegIO
internal import Files
internal import Foundation

/// The folder of a report, with its one page.
struct ReportFolder {
  private static let page = "index.html"
  private let folder: String
  private let overwrites: Bool

  private var file: String { FilePlace.path(folder, Self.page) }

  /// Before the work, not after it.
  /// - Throws: `CommandFailure` where the folder cannot be made, or holds a report already.
  init(_ folder: String, overwrites: Bool) throws {
    self.folder = folder
    self.overwrites = overwrites
    let status = FileStatus(folder)
    if let status, status.kind != .folder {
      throw CommandFailure("'\(folder)' is a file, and --report takes a folder: give another name.", .usage)
    }
    let parent = Self.parent(of: folder)
    guard status != nil || FileStatus(parent) != nil else {
      throw CommandFailure("There is no folder '\(parent)' for the report: make it first, or name another one.")
    }
    if status != nil { try OutputPath(file).check(input: nil, overwrites: overwrites) }
    if status != nil, unsafe access(folder.systemName, W_OK | X_OK) != 0 {
      throw CommandFailure("The folder '\(folder)' cannot be written to: choose another one for the report.")
    }
  }

  /// Makes the folder where there is none, and the page in it.
  func write(_ html: String) throws {
    if unsafe mkdir(folder.systemName, 0o777) != 0, errno != EEXIST {
      let error = FFmpegError.failed(
        .create, path: folder, code: errno, message: unsafe String(cString: strerror(errno)))
      throw CommandFailure(error)
    }
    try OutputFile(wholeFileAt: file, replaces: overwrites).write(html)
  }

  /// The folder in which it lies, whether its own name ends with a slash or not.
  private static func parent(of folder: String) -> String {
    var path = folder
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return FilePlace(path).folder
  }
}
