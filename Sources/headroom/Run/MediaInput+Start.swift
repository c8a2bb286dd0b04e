internal import FFmpegIO
internal import Frames

extension MediaInput {
  /// The first frame at or after the start of a selection, which will still be read.
  /// - Throws: `CommandFailure` where there is none, `FFmpegError` where it cannot be read.
  func firstFrame(of selection: FrameSelection) throws -> CodedFrame {
    if let start = selection.start { try seek(toSeconds: start) }
    guard let first = try peekFrame() else {
      throw CommandFailure("'\(info.url)' has no frame at or after --start \(selection.start ?? 0).")
    }
    return first
  }
}
