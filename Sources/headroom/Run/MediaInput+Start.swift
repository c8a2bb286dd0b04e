internal import FFmpegIO
internal import Frames

extension MediaInput {
  /// The first frame at or after the start of a selection, which will still be read.
  /// - Throws: `CommandFailure` where there is none, `FFmpegError` where it cannot be read.
  func firstFrame(of selection: FrameSelection) throws -> CodedFrame {
    if let time = selection.at { return try firstFrame(before: time) }
    if let start = selection.start { try seek(toSeconds: start) }
    guard let first = try peekFrame() else {
      if let ending { throw ending.reason }
      throw CommandFailure("'\(info.url)' has no frame at or after --start \(selection.start ?? 0).")
    }
    return first
  }

  /// A frame at or before a time and not far from it: the one that is shown then comes after it, or is it.
  private func firstFrame(before time: Double) throws -> CodedFrame {
    let origin = info.startTime ?? 0
    for back in [2.0, 20] where time > back {
      try seek(toSeconds: time - back)
      if let first = try peekFrame(), first.time.seconds <= time + origin { return first }
    }
    if time > 2 { try seek(toSeconds: 0) }
    guard let first = try peekFrame() else {
      if let ending { throw ending.reason }
      throw CommandFailure.nothingSelected(of: info.url)
    }
    return first
  }
}
