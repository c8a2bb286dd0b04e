internal import FFmpegIO
internal import Frames

/// The selected frames of a reader.
final class SelectedFrames: FrameSource, @unchecked Sendable {
  // @unchecked: the thread that reads is the only one to touch the variables.
  private let reader: MediaReader
  private let selection: FrameSelection
  private var index = 0
  private var firstTime: Int64?

  init(_ reader: MediaReader, _ selection: FrameSelection) {
    self.reader = reader
    self.selection = selection
  }

  func readFrame() throws -> CodedFrame? {
    if let last = selection.range?.last, index > last { return nil }
    while let frame = try reader.readFrame() {
      defer { index += 1 }
      if let range = selection.range, index < range.first { continue }
      let first = firstTime ?? frame.time.presentation
      firstTime = first
      let elapsed = frame.time.presentation.subtractingReportingOverflow(first).partialValue
      if let duration = selection.duration, Double(elapsed) * frame.time.timeBase.value >= duration { return nil }
      guard selection.movesTimes else { return frame }
      var time = frame.time
      time.presentation = elapsed
      return frame.at(time)
    }
    return nil
  }
}
