internal import ColorScience
internal import Frames
public import Media

/// What a session has to say of what it is asked for, of its input or of its output: what it is and the values that it
/// is about. The words, and the names of options that would help, are those of the program that shows it.
public enum Diagnostic: Sendable, Hashable, Codable {
  /// A value of a request is outside of what it can be: the value, the least, and the most with its unit.
  case outOfRange(Parameter, String, String, String?)
  /// Two parts of a request are mutually exclusive.
  case exclusive(Parameter, Parameter)
  case input(InputDiagnostic)
  case source(SourceDiagnostic)
  case mapping(MappingDiagnostic)
  case output(OutputDiagnostic)
  case streams(StreamDiagnostic)
  case picture(PictureDiagnostic)
  case pattern(PatternDiagnostic)
  case verification(VerificationDiagnostic)
  case scopes(ScopesDiagnostic)
  case table(TableDiagnostic)
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
  case output, report, statistics, data, map, audioEncoder, subtitleEncoder
  case preset, crf, encoderOptions, pixelFormat
  case start, startOrDuration, frames, every, at, otherSelection, duration
  case peak, sdrWhite, referenceWhite, contentPeak, headroom
  case masteringDisplay, contentLight, peakDetection
  case space, bitDepth, contact, startNumber, scale
  case range, chromaLocation, rate, rows
  case gainMapHeadroom, inputStartNumber, frameRate, maxErrors, threads
}

/// Why a request cannot be carried out.
public struct Refusal: Error, Sendable, Hashable {
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
