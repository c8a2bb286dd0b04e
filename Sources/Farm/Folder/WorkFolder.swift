internal import Files
internal import Foundation

/// The folder of a film that several machines render: its plan, its pieces, and who renders which. It is all that the
/// machines share, and whatever happens to one of them, what the folder says stays true.
public struct WorkFolder: Sendable, Hashable {
  /// Where it is.
  public let path: String

  /// - Parameter path: The folder, whether it exists or not.
  public init(_ path: String) { self.path = path }

  /// The plan, which is there when the folder is complete.
  public var planPath: String { path(of: "plan.json") }
  /// The folder of pieces and their records.
  public var piecesPath: String { path(of: "chunks") }
  var claimsPath: String { path(of: "claims") }
  var triesPath: String { path(of: "tries") }

  /// The path of a file in the folder.
  /// - Parameter name: Its name.
  public func path(of name: String) -> String { FileLocation.path(path, name) }

  /// The path of a file in the folder of pieces.
  /// - Parameter name: Its name.
  public func piecePath(_ name: String) -> String { FileLocation.path(piecesPath, name) }

  /// Where a piece is written until it is committed.
  /// - Parameters:
  ///   - number: The chunk's.
  ///   - token: That of the lease, so that the file is known to be in use.
  public func partPath(_ number: Int, token: String) -> String { piecePath("\(number).\(token).part.mkv") }

  /// The name of a piece.
  /// - Parameters:
  ///   - number: The chunk's.
  ///   - hash: Of the file's bytes: letters, digits, "-" and "_".
  public static func pieceName(_ number: Int, hash: String) -> String { "\(number).\(hash).mkv" }

  /// The name of a thumbnail.
  /// - Parameters:
  ///   - number: The chunk's.
  ///   - hash: Letters, digits, "-" and "_".
  public static func thumbnailName(_ number: Int, hash: String) -> String { "\(number).\(hash).png" }

  /// Makes the folder and those in it; it may exist.
  /// - Throws: `FarmError.failed`.
  public func create() throws(FarmError) {
    for folder in [path, piecesPath, claimsPath, triesPath] {
      if unsafe mkdir(folder.systemName, 0o777) == 0 { continue }
      let code = errno
      // On a read-only file system, the answer for a folder that exists may be EROFS.
      guard FileStatus(folder)?.kind == .folder else {
        throw .failed(.create, path: folder, code: code == EEXIST ? ENOTDIR : code)
      }
    }
  }

  /// The names in a folder.
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
