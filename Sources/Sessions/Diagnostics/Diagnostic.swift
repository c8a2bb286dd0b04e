internal import ColorScience
internal import Frames
public import Media

/// Something a session reports about a request, its input or its output. The program that shows it supplies the wording
/// and the names of options that would help.
public enum Diagnostic: Sendable, Hashable, Codable {
  /// A value of a request is out of range: the value, the minimum, and the maximum with its unit.
  case outOfRange(Parameter, String, String, String?)
  /// Two parts of a request are mutually exclusive.
  case exclusive(Parameter, Parameter)
  /// About an input and how it is read.
  case input(InputDiagnostic)
  /// About the meaning of the input's samples.
  case source(SourceDiagnostic)
  /// About how pictures are deinterlaced and cropped.
  case geometry(GeometryDiagnostic)
  /// About how light is mapped, and the light that the output states.
  case mapping(MappingDiagnostic)
  /// About the output's files and format.
  case output(OutputDiagnostic)
  /// About the output's encoder.
  case coding(CodingDiagnostic)
  /// About streams other than the picture.
  case streams(StreamDiagnostic)
  /// About pictures.
  case picture(PictureDiagnostic)
  /// About generating test patterns.
  case pattern(PatternDiagnostic)
  /// About verification.
  case verification(VerificationDiagnostic)
  /// About scopes.
  case scopes(ScopesDiagnostic)
  /// About look-up tables.
  case table(TableDiagnostic)
  /// About a run in progress.
  case run(RunDiagnostic)
  /// About a preview, and what a device does meanwhile.
  case preview(PreviewDiagnostic)
  /// About showing a preview on other devices.
  case serve(ServeDiagnostic)
  /// About a film that is rendered in pieces.
  case film(FilmDiagnostic)
  /// About pictures of constant colour.
  case constantColor(ConstantColorDiagnostic)
  /// About a library whose films are converted.
  case library(LibraryDiagnostic)

  /// How serious a diagnostic is.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// What is done, and what is worth knowing about it.
    case note
    /// Something the user may not expect; an error if the request is strict.
    case warning
  }
}

/// The part of a request that a diagnostic is about.
public enum Parameter: String, Sendable, Hashable, Codable, CaseIterable {
  /// Where results go, and which streams are written.
  case output, report, statistics, data, map, audioEncoder, audioFallback, audioBitRate, downmix, subtitleEncoder,
    burnSubtitles
  /// How video is encoded.
  case encoder, preset, crf, encoderOptions, pixelFormat, hardwareDevice
  /// Bounds on the bit rate of video, options of the container, and of single encoders.
  case bitrate, maxBitrate, bufferSize, twoPass, muxerOptions, x264Params, x265Params, svtav1Params
  /// Which frames are processed.
  case start, startOrDuration, frames, every, at, otherSelection, duration
  /// How light is mapped to a display.
  case toneMap, inverseToneMap, gamut, display, follow, headroomRamp, headroomForHDR, hlgOotf
  /// Values of the light and of the display.
  case peak, sdrWhite, referenceWhite, contentPeak, headroom, expectedHeadroom, highlightDesaturation, exposure, black,
    ambient
  /// Light that is stated or measured.
  case masteringDisplay, contentLight, peakDetection, peakPercentile, measured, edrMetadata, hdr10Plus
  /// What filters paint, and how pixels are rotated.
  case filter, bakeRotation
  /// Format and size of pictures.
  case space, bitDepth, contact, startNumber, crop, cropLimit, deinterlace, scale
  /// Tags of the samples, the rate of a pattern, the rows that scopes count.
  case range, chromaLocation, rate, rows
  /// How the input is read, and the number of threads.
  case gainMapHeadroom, inputStartNumber, frameRate, maxErrors, threads
  /// How a device is captured and shown.
  case channel, maximumLatency
  /// How other devices reach a preview.
  case port, maximumViewers
  /// What goes beside a picture of constant colour, and what is known about its light.
  case fallback, minimumConfidence, confidenceMap, page, region, exposureRatio, flashTemperature
  /// How a film is divided, and how often a chunk is tried.
  case chunkSeconds, chunks, maxTries
  /// How many films are converted at the same time.
  case jobs
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

  /// The request asks for something that does not exist or is impossible.
  static func invalid(_ diagnostic: Diagnostic) -> Refusal { Refusal(diagnostic, .invalidRequest) }

  /// Something cannot be read, written or processed.
  static func failed(_ diagnostic: Diagnostic) -> Refusal { Refusal(diagnostic, .failed) }

  /// The same request may succeed later.
  static func temporary(_ diagnostic: Diagnostic) -> Refusal { Refusal(diagnostic, .temporary) }

  /// A warning of a strict request.
  static func strict(_ diagnostic: Diagnostic) -> Refusal { Refusal(diagnostic, .failed, isStrict: true) }
}
