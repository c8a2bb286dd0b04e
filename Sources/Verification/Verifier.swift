public import ColorScience
public import Frames
public import Patterns

/// Measures the frames of an input that should show a pattern, and diagnoses faults.
///
/// Used from one thread, which adds the frames in order and then calls `finish`.
public final class Verifier {
  /// Properties of the input that are not in its frames.
  public struct Input: Sendable {
    /// Name of the file, for reports.
    public var name: String
    /// Metadata of the container and stream; frame metadata takes precedence.
    public var metadata: HDRMetadata
    /// Whether the format can carry tags; raw files cannot, so missing tags are not a fault.
    public var carriesTags: Bool
    /// Original bit depth, if frames are converted before they are added; nil: the frames' own.
    public var bitDepth: Int?

    /// Creates an input; by default without metadata, in a format that can carry tags.
    public init(
      name: String, metadata: HDRMetadata = HDRMetadata(), carriesTags: Bool = true, bitDepth: Int? = nil
    ) {
      self.bitDepth = bitDepth
      self.name = name
      self.metadata = metadata
      self.carriesTags = carriesTags
    }
  }

  private let input: Input
  private let expectedMetadata: ExpectedMetadata
  private let tolerance: Tolerance
  private let finder: PatternFinder
  private var measurement: PatternMeasurement?
  private var firstFrame: CodedFrame?
  private var frames = 0

  /// The pattern is searched for in this many initial frames, and then in every nth.
  private static let searchedFrames = 50
  private static let searchStep = 25

  /// Creates a verifier that starts with the first frame added.
  /// - Parameters:
  ///   - pattern: The pattern, with its parameters.
  ///   - canvasSize: Size of the canvas that the pattern was drawn on; nil: the input's.
  ///   - scale: Pixels per point of that canvas.
  ///   - expectation: The expected picture of the pattern.
  ///   - input: Properties of the input that are not in its frames.
  ///   - expectedMetadata: The expected HDR metadata of the input.
  ///   - tolerance: The tolerance applied to results.
  public init(
    pattern: ChosenPattern, canvasSize: Size? = nil, scale: Double = 1, expectation: PatternExpectation, input: Input,
    expectedMetadata: ExpectedMetadata = ExpectedMetadata(), tolerance: Tolerance = Tolerance()
  ) {
    self.input = input
    self.expectedMetadata = expectedMetadata
    self.tolerance = tolerance
    finder = PatternFinder(pattern: pattern, canvasSize: canvasSize, scale: scale, expectation: expectation)
  }

  /// Measures a frame; frames before the first that shows the pattern are only counted.
  ///
  /// Unspecified tags are assumed to match the expected signal.
  /// - Throws: If the tags have no supported display interpretation.
  public func add(_ frame: CodedFrame) throws(VerificationError) {
    let index = frames
    frames += 1
    if firstFrame == nil { firstFrame = frame }
    if measurement == nil, index < Self.searchedFrames || index % Self.searchStep == 0,
      let placement = finder.find(in: frame)
    {
      measurement = try PatternMeasurement(
        finder.pattern.pattern, finder.canvas(size: placement.canvas), placement, finder.expectation, first: frame,
        tolerance: tolerance)
    }
    measurement?.add(frame, at: index)
  }

  /// Returns the results; nil: no frames.
  public func finish() -> Verification? {
    guard let first = measurement?.first ?? firstFrame else { return nil }
    var verification = Verification(
      pattern: finder.pattern.pattern,
      canvas: measurement?.canvas ?? finder.canvas(size: finder.canvasSize ?? first.size),
      expectation: finder.expectation.name,
      input: Verification.Input(
        name: input.name, size: first.size, layout: first.layout,
        color: measurement?.rendition.reading.color ?? first.color,
        metadata: first.metadata.merged(over: input.metadata),
        frames: frames), tolerance: tolerance)
    if var measurement {
      measurement.finish()
      Assessment(
        measurement, tags: input.carriesTags ? first.color : nil, bitDepth: input.bitDepth, expectedMetadata, tolerance
      ).fill(&verification)
    }
    return verification
  }
}

/// Why a picture cannot be measured.
public enum VerificationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// These code values cannot be converted to light.
  case unsupportedTransfer(TransferCharacteristics)
  /// These components cannot be converted to R'G'B'.
  case unsupportedMatrix(MatrixCoefficients)

  public var description: String {
    switch self {
    case .unsupportedTransfer(let transfer):
      "Pictures with the transfer characteristics \(transfer) cannot be measured."
    case .unsupportedMatrix(let matrix): "Pictures with the matrix coefficients \(matrix) cannot be measured."
    }
  }
}
