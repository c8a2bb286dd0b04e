internal import Files
internal import Media

/// The state of an input before it was read: if a file grows or is replaced meanwhile, the output is not made from it.
package struct InputState: Sendable {
  private let request: InputRequest
  /// Number of selected frames, if known: once all have been read, data appended to the input does not matter.
  private let frames: Int?
  /// nil for pipes, devices, URLs and file name patterns.
  private let before: FileStatus?

  package init(_ request: InputRequest, _ selection: FrameSelection) {
    self.request = request
    frames = selection.maximumFrames
    before = Self.status(request)
  }

  private static func status(_ request: InputRequest) -> FileStatus? {
    MediaName.path(request.name).flatMap { FileStatus($0) }.flatMap { $0.kind == .regular ? $0 : nil }
  }

  /// - Parameter read: Number of frames read.
  /// - Throws: `Refusal` if it has changed.
  func check(after read: Int) throws(Refusal) {
    guard let before, !request.acceptsTruncation else { return }
    let now = Self.status(request)
    if now?.byteCount == before.byteCount, now?.modified == before.modified { return }
    if let frames, read >= frames, let now, now.identity == before.identity, now.byteCount > before.byteCount { return }
    let bytes = before.byteCount
    let change =
      now.map { $0.byteCount == bytes ? "it was written to" : "from \(bytes) to \($0.byteCount) bytes" }
      ?? "it is no longer there"
    throw .failed(
      "input-changed-while-read",
      "'\(request.name)' changed while it was read (\(change)): start again when it is complete, or accept it with "
        + "\(.keepPartial).")
  }
}
