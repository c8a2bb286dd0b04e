internal import ArgumentParser

/// Which part of the input is processed.
struct SelectionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Time in the input to start at: seconds or [HH:]MM:SS[.m].", valueName: "time"))
  var start: Timestamp?

  @Option(help: ArgumentHelp("Length to process: seconds or [HH:]MM:SS[.m].", valueName: "time"))
  var duration: Timestamp?

  @Option(help: ArgumentHelp("Frames to process, from 0, both ends included: A-B, A- or A.", valueName: "A-B"))
  var frames: FrameRange?

  func validate() throws {
    if frames != nil, start != nil || duration != nil {
      throw ValidationError("--frames and --start or --duration exclude each other: choose frames or times.")
    }
  }
}
