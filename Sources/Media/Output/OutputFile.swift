internal import Files
internal import Foundation
internal import Synchronization

/// The file that an output is written to, under a temporary name beside the target until it is complete.
package final class OutputFile: Sendable {
  /// As the user wrote it, for messages.
  package let name: String
  /// The file, with symbolic links resolved; nil for streams.
  package let path: String?
  /// Whether it is renamed when complete; false for streams, devices and image sequences.
  package let isFile: Bool
  /// Whether an existing file of this name is replaced.
  private let replaces: Bool
  /// Whether to look for temporary files of the same output by other processes.
  private let looksForOthers: Bool
  /// Input files, which may be leftovers of an earlier run of this output; nil: leftovers are kept.
  private let inputs: [String]?
  private let part = Mutex<PartFile?>(nil)
  /// Paths of files that a muxer opens itself, such as playlist segments.
  private let others = Mutex<Set<String>>([])

  /// - Parameters:
  ///   - replaces: An existing file of this name is replaced; otherwise it stays, and `commit` fails.
  ///   - inputs: Files that are read, and therefore kept. Other leftovers of an earlier run of this output are
  ///     replaced, or removed when it is complete. nil: leftovers are kept.
  ///   - looksForOthers: Removes temporary files that earlier runs of this output abandoned, and fails if another run
  ///     is still writing it.
  /// - Throws: `OutputError.missingFolder` if the folder of the target does not exist.
  package init(
    _ name: String, opensFile: Bool = true, replaces: Bool, reading inputs: [String]? = nil, looksForOthers: Bool = true
  ) throws(OutputError) {
    self.name = name
    self.replaces = replaces
    (self.looksForOthers, self.inputs) = (looksForOthers, inputs)
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

  /// Registers a file that a muxer is about to open; it belongs to the output until that is complete.
  /// - Throws: `OutputError.exists` for a file that must not be replaced.
  package func add(_ path: String) throws(OutputError) {
    let isOther = others.withLock { !$0.contains(path) } && FileStatus(path) != nil
    if isOther, !replaces { throw .exists(path: path) }
    _ = others.withLock { $0.insert(path) }
  }

  /// Whether a muxer has opened files itself.
  package var hasOthers: Bool { others.withLock { !$0.isEmpty } }

  /// Creates the temporary file, if one is needed.
  /// - Throws: `OutputError.beingWritten` if another run is writing the same file, which must not be replaced, `failed`
  ///   if the file cannot be created.
  package func begin() throws(OutputError) {
    guard isFile, let path else { return }
    let place = FileLocation(path)
    for _ in 0..<Self.maximumTries {
      if looksForOthers, Self.isBeingWritten(path), !replaces { break }
      let made = try PartFile(beside: place, target: self.name)
      // Two processes that begin at the same time now see each other; one of them continues.
      if !looksForOthers || replaces || !Self.isBeingWritten(path, beside: made) {
        part.withLock { $0 = made }
        return
      }
      made.remove()
      usleep(.random(in: 1_000...50_000))
    }
    throw .beingWritten(path: name)
  }

  /// Maximum attempts when two processes begin at the same time.
  private static let maximumTries = 20

  /// Gives the file being written a visible name that marks it as partial; it stays however the process ends.
  /// - Throws: `OutputError.failed`; nothing is left behind.
  package func show() throws(OutputError) {
    guard let part = part.withLock({ $0 }), let path else { return }
    do { _ = try part.takeName(PartialName(of: path), isRepeatable: false, isDurable: true) } catch {
      discard()
      throw .system(error.step == .rename ? .rename : .write, path, error.code)
    }
  }

  /// The temporary name; nil: none, as before `begin()`.
  package var temporaryPath: String? { part.withLock { $0?.path } }

  /// Renames the complete file, after writing it to disk.
  /// - Parameter isWhole: Nothing is missing; otherwise the file is marked for later runs.
  /// - Throws: `OutputError.exists` if a file of the name was created meanwhile, `failed`; nothing is left behind.
  package func commit(isWhole: Bool = true) throws(OutputError) {
    others.withLock { $0 = [] }
    guard let part = part.withLock({ $0 }), let path else { return }
    if !isWhole { part.mark() }
    do { try part.takeName(path, replaces: replaces) } catch {
      // A visible file cannot be made again, so it stays.
      if !part.isVisible { discard() }
      if error.code == EEXIST { throw .exists(path: name) }
      throw .system(error.step == .rename ? .rename : .write, name, error.code)
    }
    if isWhole, let inputs { PartialName(of: path, but: inputs).removeSuperseded() }
  }

  /// Renames the incomplete file to "film.partial.mkv". An earlier partial file of this program is replaced.
  /// - Returns: The name; nil if there is no file, as for streams.
  /// - Throws: `OutputError.failed`; nothing is left behind.
  package func commitPartial() throws(OutputError) -> String? {
    others.withLock { $0 = [] }
    guard let part = part.withLock({ $0 }), let path else { return nil }
    do {
      let name = PartialName(of: path, but: inputs ?? [])
      return shown(try part.takeName(name, isRepeatable: inputs != nil, isDurable: true))
    } catch {
      discard()
      throw .system(error.step == .rename ? .rename : .write, path, error.code)
    }
  }

  /// The same for a file that can be neither finished nor made again: it is never replaced. Does not wait for the disk,
  /// because the process is about to exit. From any thread.
  /// - Returns: The name; nil if nothing was kept.
  package func keepPartial() -> String? {
    others.withLock { $0 = [] }
    return part.withLock { part in
      guard let path,
        let name = try? part?.takeName(PartialName(of: path), isRepeatable: false, isDurable: false)
      else { return nil }
      part = nil
      return name
    }
  }

  /// The path of a file beside the output, as the user would write it.
  private func shown(_ path: String) -> String {
    guard let own = MediaName.path(name) else { return path }
    let (folder, last) = (FileLocation(own).folder, FileLocation(path).name)
    let name = own.contains("/") ? FileLocation.path(folder, last) : last
    return FileLocation.resolved(name) == path ? name : path
  }

  /// Removes the committed file, unless it may have replaced another.
  package func revoke() { if isFile, !replaces, let path { _ = unsafe unlink(path.systemName) } }

  /// Removes the unfinished file.
  package func discard() {
    part.withLock { $0 }?.remove()
    for path in others.withLock({ $0 }) { unsafe unlink(path.systemName) }
  }

  /// Whether a running process is writing a file under a temporary name. Removes leftovers of terminated runs.
  package static func isBeingWritten(_ name: String) -> Bool { isBeingWritten(name, beside: nil) }

  /// - Parameter own: A file of this process, which is ignored.
  private static func isBeingWritten(_ name: String, beside own: PartFile?) -> Bool {
    let place = FileLocation(FileLocation.resolved(name))
    let stem = PartFile.stem(of: place.name)
    return PartFile.removeDead(in: place.folder, but: own) { $0.isSameName(as: stem) }
  }

  /// Removes temporary files that terminated runs left in a folder.
  /// - Parameter isTarget: Whether an output of this possibly truncated name is about to be written.
  package static func removeDead(in folder: String, _ isTarget: (String) -> Bool) {
    PartFile.removeDead(in: folder, isTarget)
  }
}
