internal import Files
internal import Foundation
internal import Synchronization

/// The file that an output is written to: under a temporary name beside the target until it is complete.
package final class OutputFile: Sendable {
  /// As the user wrote it, for messages.
  package let name: String
  /// The file, with symbolic links resolved; nil for streams.
  package let path: String?
  /// It is renamed when complete; streams, devices and image sequences are not.
  package let isFile: Bool
  /// An existing file of this name is replaced.
  private let replaces: Bool
  /// Whether to look for temporary files of the same output by other processes.
  private let looksForOthers: Bool
  private let part = Mutex<PartFile?>(nil)

  /// - Parameters:
  ///   - replaces: An existing file of this name is replaced; otherwise it stays, and `commit` fails.
  ///   - looksForOthers: Removes temporary files that earlier runs of this output abandoned, and fails if another run
  ///     is still writing it.
  /// - Throws: `OutputError.missingFolder` if the folder of the target does not exist.
  package init(_ name: String, opensFile: Bool = true, replaces: Bool, looksForOthers: Bool = true) throws(OutputError)
  {
    self.name = name
    self.replaces = replaces
    self.looksForOthers = looksForOthers
    path = MediaName.path(name).map(FileLocation.resolved)
    guard opensFile, let path else {
      isFile = false
      return
    }
    let place = FileLocation(path)
    guard FileStatus(place.folder)?.kind == .folder else { throw .missingFolder(path: place.folder) }
    if place.name.systemBytes.count > Int(NAME_MAX) {
      throw .failed(.create, path: name, code: ENAMETOOLONG, message: "its name is too long")
    }
    // A pipe or device is written directly.
    isFile = FileStatus(path).map { $0.kind == .regular } ?? true
    if isFile, unsafe access(place.folder.systemName, W_OK | X_OK) != 0 {
      throw .failed(.create, path: name, code: EACCES, message: "its folder cannot be written to")
    }
  }

  /// Creates the temporary file, if one is needed.
  /// - Throws: `OutputError.beingWritten` if another run writes the same file and must not be replaced, `failed` if the
  ///   file cannot be created.
  package func begin() throws(OutputError) {
    guard isFile, let path else { return }
    let place = FileLocation(path)
    if looksForOthers {
      let stem = PartFile.stem(of: place.name)
      let isAlive = PartFile.removeDead(in: place.folder) { $0.isSameName(as: stem) }
      if isAlive, !replaces { throw .beingWritten(path: name) }
    }
    let made = try PartFile(beside: place, target: self.name)
    part.withLock { $0 = made }
  }

  /// The temporary name; nil before `begin()`, and if there is none.
  package var temporaryPath: String? { part.withLock { $0?.path } }

  /// Renames the complete file.
  /// - Throws: `OutputError.exists` if a file of the name was created meanwhile, `failed`; nothing is left behind.
  package func commit() throws(OutputError) {
    guard let part = part.withLock({ $0 }), let path else { return }
    let code = FileRenaming.rename(part.path, to: path, replaces: replaces)
    if code == 0 { return }
    discard()
    if code == EEXIST { throw .exists(path: name) }
    throw .failed(.rename, path: name, code: code, message: unsafe String(cString: strerror(code)))
  }

  /// Gives what was written a name that says that it is incomplete; only if there is no file of that name.
  /// - Returns: The name; nil if nothing was kept.
  package func keepIncomplete() -> String? {
    guard let part = part.withLock({ $0 }), let path else { return nil }
    let name = path + ".incomplete"
    return FileRenaming.rename(part.path, to: name, replaces: false) == 0 ? name : nil
  }

  /// Removes the file that `commit` has named, unless it may have replaced another.
  package func revoke() { if isFile, !replaces, let path { _ = unsafe unlink(path.systemName) } }

  /// Removes what was written.
  package func discard() { part.withLock { $0 }?.remove() }

  /// Removes temporary files in a folder that terminated runs have left.
  /// - Parameter isTarget: Whether an output of this possibly truncated name is about to be written.
  package static func removeDead(in folder: String, _ isTarget: (String) -> Bool) {
    PartFile.removeDead(in: folder, isTarget)
  }
}
