internal import FFmpegIO
internal import Frames
internal import Media
internal import Sessions

/// Writes a piece: frames after its end only reach the encoder.
final class PieceSink: OutputSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses the variables.
  private let writer: MediaWriter
  /// The first time after the piece; nil: writes everything.
  private let end: Int64?
  /// The piece is dropped, so the encoder need not be drained.
  private let isDropped: @Sendable () -> Bool
  /// A frame held back because it may be the last.
  private var held: CodedFrame?

  /// - Parameter end: In ticks of the frames; nil: the piece is the last.
  init(_ writer: MediaWriter, end: Int64?, isDropped: @escaping @Sendable () -> Bool) {
    (self.writer, self.end, self.isDropped) = (writer, end, isDropped)
  }

  func write(_ frame: CodedFrame) throws {
    let isLater = end.map { frame.time.presentation >= $0 } ?? false
    if let held {
      self.held = nil
      try writer.write(held, as: isLater ? .lastShown : .shown)
    }
    if isLater { try writer.write(frame, as: .ahead) } else { held = frame }
  }

  func pass(_ data: any PassingData) {}

  func finish() throws -> OutputLosses {
    if isDropped() {
      writer.cancel()
      return OutputLosses()
    }
    if let held {
      self.held = nil
      try writer.write(held)
    }
    return try writer.finish()
  }

  func cancel() { writer.cancel() }

  func discard() { writer.discard() }

  func interrupt() {}

  var bytesWritten: Int { writer.bytesWritten }
}
