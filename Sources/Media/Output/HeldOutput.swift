internal import Files
internal import Foundation
internal import Synchronization

/// An output that has not been started but counts as being written: preliminary data is kept beside it.
package final class HeldOutput: Sendable {
  private let file: PartFile
  /// A temporary folder, if files cannot be beside the output, as for a stream.
  private let folder: String?
  private let isReleased = Atomic(false)

  /// - Parameters:
  ///   - name: The output; its folder must exist.
  ///   - replaces: An existing file of this name, or one that another process is writing, is replaced.
  /// - Throws: `OutputError.beingWritten` if another process is writing it, `failed` if no file can be created there.
  package init(_ name: String, replaces: Bool) throws(OutputError) {
    let path = MediaName.path(name).map(FileLocation.resolved)
    // Libraries take names as UTF-8.
    if let path, FileStatus(path)?.kind ?? .regular == .regular, path.systemBytes.elementsEqual(path.utf8) {
      folder = nil
      if OutputFile.isBeingWritten(name), !replaces { throw .beingWritten(path: name) }
      file = try PartFile(beside: FileLocation(path), target: name, isHolding: true)
      return
    }
    // Readable only by this user.
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

  /// The path of a file that is kept beside the output, and removed with all files whose names begin with it.
  package func path(_ suffix: String) -> String { file.path + "." + suffix }

  /// Removes all these files; from any thread.
  package func release() {
    if isReleased.exchange(true, ordering: .relaxed) { return }
    file.removeBelonging()
    file.remove()
    if let folder { unsafe rmdir(folder.systemName) }
  }
}
