internal import ColorScience
internal import FFmpegIO
internal import Filters
internal import Frames
internal import ImageFiles
internal import Measurement
internal import Patterns
internal import Rendering
internal import Scopes
internal import Threads
internal import ToneMapping

/// Why a command ends without its result: one sentence, and the exit status.
struct CommandFailure: Error {
  var message: String
  var code: ExitStatus

  init(_ message: String, _ code: ExitStatus = .failed) {
    self.message = message
    self.code = code
  }

  init(_ error: FFmpegError) {
    message = error.description
    code =
      switch error {
      case .unknownEncoder, .unknownFormat, .unsupportedLayout, .unknownEncoderOption, .invalidEncoderOption,
        .encoderRejected, .unsupportedFrameRate, .invalidSpecifier, .unknownInputFormat, .addressNotAllowed:
        .usage
      case .outOfMemory: .retry
      case .failed: error.isWorthRetrying ? .retry : .failed
      default: .failed
      }
  }

  init(_ error: RenderingError) {
    code = .failed
    message =
      switch error {
      case .unsupportedMatrix(let matrix):
        "Matrix coefficients '\(matrix)' (H.273 code \(matrix.rawValue)) cannot be written."
      case .undefinedMatrix(.rgb, _, _):
        "The video says that its subsampled components are R'G'B' (matrix coefficients 0), which cannot be: say what they "
          + "are with --input-matrix."
      case .undefinedMatrix(let matrix, _, let transfer):
        "Matrix coefficients '\(matrix)' (H.273 code \(matrix.rawValue)) are not defined with the transfer "
          + "characteristics '\(transfer)': if a tag is wrong, say what is right with --input-matrix or --input-transfer."
      case .unsupportedSource(let layout):
        "Frames of \(layout.bitDepth) bit cannot be read: convert them to 8, 10 or 12 bit first."
      case .unsupportedTarget(let layout):
        "Frames cannot be written as \(layout)."
      case .interlacedTurn:
        "Interlaced pictures cannot be turned: leave out --bake-rotation (dump: --no-bake-rotation), or deinterlace first."
      case .formatMismatch(let expected, let actual):
        "The video changes from \(expected.size) to \(actual.size) in the middle: cut it there and process the parts."
      }
  }

  init(_ error: ContentInterpretation.Failure, path: String) {
    code = .failed
    message =
      switch error {
      case .unsupportedTransfer(let transfer):
        "The transfer characteristics of '\(path)' are '\(transfer)' (H.273 code \(transfer.rawValue)), which cannot "
          + "be processed: if the tag is wrong, say what it is with --input-transfer pq, hlg or sdr."
      case .unsupportedPrimaries(let primaries):
        "The primaries of '\(path)' are '\(primaries)' (H.273 code \(primaries.rawValue)), which cannot be processed: "
          + "say what they are with --input-primaries."
      }
  }

  init(_ error: FileNames.Failure, pattern: String) {
    code = .usage
    message =
      switch error {
      case .manyNumbers: "'\(pattern)' has two places for a number: keep one."
      case .unknownField(let field):
        "'\(field)' in '\(pattern)' is no place for a number: write %d, %06d, or %% for a percent sign."
      case .tooManyDigits(let digits): "'\(pattern)' asks for \(digits) digits: %06d will do."
      }
  }

  init(_ error: MeasurementError) {
    code = .failed
    message =
      switch error {
      case .unreadable(let path, let reason): "Cannot read '\(path)': \(reason)"
      case .notAMeasurement(let path, let reason):
        "'\(path)' is no measurement (\(reason)): make one with headroom measure."
      }
  }

  init(_ error: ImageFileError) {
    message = error.description
    code = error == .outOfMemory ? .retry : .failed
  }

  /// The selection is past the end.
  static func nothingSelected(of path: String) -> CommandFailure {
    CommandFailure("No frame of '\(path)' lies in the selected range: check --start, --at and --frames.")
  }

  /// Any error as a failure.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as FFmpegError: self.init(error)
    case let error as ImageFileError: self.init(error)
    case let error as RenderingError: self.init(error)
    case let error as MeasurementError: self.init(error)
    case let error as ThreadError: self.init(error.description, .retry)
    case let error as PatternError: self.init(error.description, .usage)
    case let error as ScopeError: self.init(error.description, .usage)
    case let error as FilterFailure: self.init(error.description, .usage)
    default: self.init("\(error)")
    }
  }
}
