internal import Files
internal import Foundation

/// The folder of a film rendered by several machines: its plan, pieces and claims. The machines share nothing else, and
/// the folder stays consistent if any of them fails.
public struct WorkFolder: Sendable, Hashable {
  /// The path.
  public let path: String

  /// - Parameter path: The folder, existing or not.
  public init(_ path: String) { self.path = path }

  /// The plan; exists once the folder is complete.
  public var planPath: String { path(of: "plan.json") }
  /// The folder of pieces and records.
  public var piecesPath: String { path(of: "chunks") }
  var claimsPath: String { path(of: "claims") }
  var triesPath: String { path(of: "tries") }

  /// Returns the path of a file in the folder.
  /// - Parameter name: The file name.
  public func path(of name: String) -> String { FileLocation.path(path, name) }

  /// Returns the path of a file in the pieces folder.
  /// - Parameter name: The file name.
  public func piecePath(_ name: String) -> String { FileLocation.path(piecesPath, name) }

  /// Returns the path of a piece that is being written.
  /// - Parameters:
  ///   - number: The number of the chunk.
  ///   - token: The lease's token, which marks the file as in use.
  public func partPath(_ number: Int, token: String) -> String { piecePath("\(number).\(token).part.mkv") }

  /// Returns the file name of a piece.
  /// - Parameters:
  ///   - number: The number of the chunk.
  ///   - hash: Hash of the file: letters, digits, "-" and "_".
  public static func pieceName(_ number: Int, hash: String) -> String { "\(number).\(hash).mkv" }

  /// Returns the file name of a thumbnail.
  /// - Parameters:
  ///   - number: The number of the chunk.
  ///   - hash: Letters, digits, "-" and "_".
  public static func thumbnailName(_ number: Int, hash: String) -> String { "\(number).\(hash).png" }

  /// Creates the folder and its subfolders, unless they exist.
  /// - Throws: `FarmError.failed`.
  public func create() throws(FarmError) {
    for folder in [path, piecesPath, claimsPath, triesPath] {
      if unsafe mkdir(folder.systemName, 0o777) == 0 { continue }
      let code = errno
      // For an existing folder, a read-only file system may return EROFS.
      guard FileStatus(folder)?.kind == .folder else {
        throw .failed(.create, path: folder, code: code == EEXIST ? ENOTDIR : code)
      }
    }
  }

  /// Returns the file names in a folder.
  func names(in folder: String) throws(FarmError) -> [String] {
    if let names = FileLocation.names(in: folder) { return names }
    let code = errno
    if code == ENOENT || code == ENOTDIR {
      let name = FileLocation(folder).name
      throw .isNoWorkFolder(path: path, reason: folder == path ? "it does not exist" : "it has no folder '\(name)'")
    }
    throw .failed(.list, path: folder, code: code)
  }
}
