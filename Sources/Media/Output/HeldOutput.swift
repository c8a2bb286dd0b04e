internal import Files
internal import Foundation
internal import Synchronization

/// An output that is not begun yet, and counts as being written: what is found out before it is kept beside it.
package final class HeldOutput: Sendable {
  private let file: PartFile
  /// Of its own, if it cannot be beside the output, such as a stream.
  private let folder: String?
  private let isReleased = Atomic(false)

  /// - Parameters:
  ///   - name: The output, whose folder has to exist.
  ///   - replaces: An existing file of this name, and one that another process writes, is replaced.
  /// - Throws: `OutputError.beingWritten` if another process writes it, `failed` if no file can be created there.
  package init(_ name: String, replaces: Bool) throws(OutputError) {
    let path = MediaName.path(name).map(FileLocation.resolved)
    // Libraries take names as UTF-8.
    if let path, FileStatus(path)?.kind ?? .regular == .regular, path.systemBytes.elementsEqual(path.utf8) {
      folder = nil
      if OutputFile.isBeingWritten(name), !replaces { throw .beingWritten(path: name) }
      file = try PartFile(beside: FileLocation(path), target: name, isHolding: true)
      return
    }
    // Only this user can read it.
    let pattern = FileLocation.path(FileManager.default.temporaryDirectory.path, "headroom-XXXXXX")
    var bytes = pattern.systemBytes.map { CChar(bitPattern: $0) } + [0]
    let made = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let base = buffer.baseAddress, unsafe mkdtemp(base) != nil else { return nil }
      return unsafe String(systemName: base)
    }
    guard let made else { throw .system(.create, pattern) }
    folder = made
    file = try PartFile(beside: FileLocation(FileLocation.path(made, "output")), target: pattern, isHolding: true)
  }

  deinit { release() }

  /// The name of a file that is kept beside the output, and removed with all that begin with it.
  package func path(_ suffix: String) -> String { file.path + "." + suffix }

  /// Removes everything, from any thread.
  package func release() {
    if isReleased.exchange(true, ordering: .relaxed) { return }
    file.removeBelonging()
    file.remove()
    if let folder { unsafe rmdir(folder.systemName) }
  }
}
