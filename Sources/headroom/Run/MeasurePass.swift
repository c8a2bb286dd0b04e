internal import FFmpegIO
internal import Measurement

/// The light of what is processed, where the options ask for it.
struct MeasurePass {
  let input: String
  let selection: FrameSelection
  let metadata: MetadataOptions
  let source: InputOptions
  let processing: ProcessingOptions
  let messages: MessageOptions

  /// From the file that was given, or by a pass over the input.
  /// - Parameter open: Opens the input once more.
  /// - Returns: nil where nothing is to be measured.
  /// - Throws: `ExitStatus` when a signal ended the pass.
  func measurement(_ open: () throws -> any MediaInput) throws -> ContentMeasurement? {
    if let path = metadata.measured { return try ContentMeasurement(jsonFile: path) }
    guard metadata.measures else { return nil }
    let reader = try open()
    let first = try reader.firstFrame(of: selection)
    if !messages.quiet { Console.note("measuring '\(input)' first.") }
    let run = try MeasureRun(
      reader: reader, first: first, selection: selection, input: source, processing: processing, messages: messages)
    if let status = try run.run() { throw status }
    return try run.measurement(excludesLetterbox: false)
  }
}
