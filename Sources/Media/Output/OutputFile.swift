internal import Files
internal import Foundation
internal import Synchronization

/// The file that an output is written to: under another name beside the target until it is complete.
package final class OutputFile: Sendable {
  /// As the user wrote it, for messages.
  package let name: String
  /// The file that is made as a whole, links followed; nil for streams.
  package let path: String?
  /// It gets its name when it is complete; else there is nothing to rename (streams, devices, image sequences).
  package let isFile: Bool
  /// A file of this name is replaced.
  private let replaces: Bool
  /// Files of the same output that others have begun are looked for.
  private let looksForOthers: Bool
  private let part = Mutex<PartFile?>(nil)

  /// - Parameters:
  ///   - replaces: A file of this name is replaced; else it stays, and `commit` fails.
  ///   - looksForOthers: Removes temporary files that earlier runs of this output abandoned, and fails where another run
  ///     is still writing it.
  /// - Throws: `OutputError.missingFolder` when the folder of the target does not exist.
  package init(_ name: String, opensFile: Bool = true, replaces: Bool, looksForOthers: Bool = true) throws(OutputError)
  {
    self.name = name
    self.replaces = replaces
    self.looksForOthers = looksForOthers
    path = MediaName.path(name).map(FilePlace.resolved)
    guard opensFile, let path else {
      isFile = false
      return
    }
    let place = FilePlace(path)
    guard FileStatus(place.folder)?.kind == .folder else { throw .missingFolder(path: place.folder) }
    if place.name.systemBytes.count > Int(NAME_MAX) {
      throw .failed(.create, path: name, code: ENAMETOOLONG, message: "its name is too long")
    }
    // A pipe or device stays what it is.
    isFile = FileStatus(path).map { $0.kind == .regular } ?? true
    if isFile, unsafe access(place.folder.systemName, W_OK | X_OK) != 0 {
      throw .failed(.create, path: name, code: EACCES, message: "its folder cannot be written to")
    }
  }

  /// Makes the temporary file where there is to be one.
  /// - Throws: `OutputError.beingWritten` where another run makes the same file and is not to be replaced, `failed` where
  ///   the file cannot be made.
  package func begin() throws(OutputError) {
    guard isFile, let path else { return }
    let place = FilePlace(path)
    if looksForOthers {
      let stem = PartFile.stem(of: place.name)
      let isAlive = PartFile.removeDead(in: place.folder) { $0.isSameName(as: stem) }
      if isAlive, !replaces { throw .beingWritten(path: name) }
    }
    let made = try PartFile(beside: place, target: self.name)
    part.withLock { $0 = made }
  }

  /// The name written to meanwhile; nil before `begin()`, and where there is none.
  package var temporaryPath: String? { part.withLock { $0?.path } }

  /// Gives the complete file its name.
  /// - Throws: `OutputError.exists` where another has come into being under it, `failed`; nothing is left behind then.
  package func commit() throws(OutputError) {
    guard let part = part.withLock({ $0 }), let path else { return }
    let code = FileRenaming.rename(part.path, to: path, replaces: replaces)
    if code == 0 { return }
    discard()
    if code == EEXIST { throw .exists(path: name) }
    throw .failed(.rename, path: name, code: code, message: unsafe String(cString: strerror(code)))
  }

  /// Removes what was written.
  package func discard() { part.withLock { $0 }?.remove() }

  /// Removes what dead runs have left of files in a folder.
  /// - Parameter isTarget: Whether an output of this name, of which the end may be missing, is about to be written.
  package static func removeDead(in folder: String, _ isTarget: (String) -> Bool) {
    PartFile.removeDead(in: folder, isTarget)
  }
}
