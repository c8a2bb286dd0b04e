internal import ColorScience
internal import Frames
public import Media

/// What a session has to report about a request, its input or its output, as a case with values. The words, and the names
/// of options that would help, are those of the program that shows it.
public enum Diagnostic: Sendable, Hashable, Codable {
  /// A value of a request is outside of what it can be: the value, the least, and the most with its unit.
  case outOfRange(Parameter, String, String, String?)
  /// Two parts of a request are mutually exclusive.
  case exclusive(Parameter, Parameter)
  /// About an input and how it is read.
  case input(InputDiagnostic)
  /// About what the input's samples stand for.
  case source(SourceDiagnostic)
  /// About how light is mapped.
  case mapping(MappingDiagnostic)
  /// About the files and the form of an output.
  case output(OutputDiagnostic)
  /// About the streams beside the picture.
  case streams(StreamDiagnostic)
  /// About pictures.
  case picture(PictureDiagnostic)
  /// About test patterns that are made.
  case pattern(PatternDiagnostic)
  /// About a verification.
  case verification(VerificationDiagnostic)
  /// About scopes.
  case scopes(ScopesDiagnostic)
  /// About a look-up table.
  case table(TableDiagnostic)
  /// About a run, while it lasts.
  case run(RunDiagnostic)

  /// How much it weighs.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// What is done, and what is to be known of it.
    case note
    /// What the user may not expect; an error where the request is strict.
    case warning
  }
}

/// A part of a request that a diagnostic is about.
public enum Parameter: String, Sendable, Hashable, Codable, CaseIterable {
  /// Where results go, and which streams go with them.
  case output, report, statistics, data, map, audioEncoder, subtitleEncoder
  /// How video is encoded.
  case preset, crf, encoderOptions, pixelFormat
  /// Which frames are processed.
  case start, startOrDuration, frames, every, at, otherSelection, duration
  /// How light is mapped to a display.
  case peak, sdrWhite, referenceWhite, contentPeak, headroom
  /// What is stated of light, or measured of it.
  case masteringDisplay, contentLight, peakDetection
  /// The form and the size of pictures.
  case space, bitDepth, contact, startNumber, scale
  /// The tags of the samples, the rate of a pattern, the rows that scopes count.
  case range, chromaLocation, rate, rows
  /// How the input is read, and with how many threads.
  case gainMapHeadroom, inputStartNumber, frameRate, maxErrors, threads
}

/// Why a request cannot be carried out.
public struct Refusal: Error, Sendable, Hashable {
  /// What is refused.
  public let diagnostic: Diagnostic
  /// Whose fault it is.
  public let kind: FailureKind
  /// It would be a warning if the request were not strict.
  public let isStrict: Bool

  private init(_ diagnostic: Diagnostic, _ kind: FailureKind, isStrict: Bool = false) {
    (self.diagnostic, self.kind, self.isStrict) = (diagnostic, kind, isStrict)
  }

  /// What is asked for does not exist or cannot be.
  static func invalid(_ diagnostic: Diagnostic) -> Refusal { Refusal(diagnostic, .invalidRequest) }

  /// Something cannot be read, written or processed.
  static func failed(_ diagnostic: Diagnostic) -> Refusal { Refusal(diagnostic, .failed) }

  /// A warning, of a strict request.
  static func strict(_ diagnostic: Diagnostic) -> Refusal { Refusal(diagnostic, .failed, isStrict: true) }
}
