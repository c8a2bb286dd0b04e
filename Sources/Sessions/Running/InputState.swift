internal import Files
internal import Media

/// An input as it was before it was read: a file that grows or is replaced meanwhile is not what the output would claim to be made of.
package struct InputState: Sendable {
  private let request: InputRequest
  /// Frames that are selected, if their number is known: when all have come, what is added to the input does not matter.
  private let frames: Int?
  /// nil for pipes, devices, addresses and patterns of names.
  private let before: FileStatus?

  package init(_ request: InputRequest, _ selection: FrameSelection) {
    self.request = request
    frames = selection.maximumFrames
    before = Self.status(request)
  }

  private static func status(_ request: InputRequest) -> FileStatus? {
    MediaName.path(request.name).flatMap { FileStatus($0) }.flatMap { $0.kind == .regular ? $0 : nil }
  }

  /// - Parameter read: Frames that have come.
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
