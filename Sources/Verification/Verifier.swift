public import Frames
public import Patterns

/// Measures the frames of an input that should show a pattern, and says what is wrong with them.
///
/// One thread adds the frames in their order and finishes.
public final class Verifier {
  /// What is known of the input beside its frames.
  public struct Input: Sendable {
    /// Name of the file, for reports.
    public var name: String
    /// Of the container and stream; that of frames takes precedence over it.
    public var metadata: HDRMetadata
    /// Its format has places for tags; that of raw files has not, and none are missed.
    public var carriesTags: Bool
    /// Bits of its samples, where frames were made into others before they are added; nil: those of the frames.
    public var bitDepth: Int?

    /// By default without metadata, and with places for tags.
    public init(
      name: String, metadata: HDRMetadata = HDRMetadata(), carriesTags: Bool = true, bitDepth: Int? = nil
    ) {
      self.bitDepth = bitDepth
      self.name = name
      self.metadata = metadata
      self.carriesTags = carriesTags
    }
  }

  private let pattern: ChosenPattern
  private let canvasSize: Size?
  private let scale: Double
  private let expectation: PatternExpectation
  private let input: Input
  private let expectedMetadata: ExpectedMetadata
  private let tolerance: Tolerance
  private let finder: PatternFinder
  private var measurement: PatternMeasurement?
  private var firstFrame: CodedFrame?
  private var frames = 0

  /// The pattern is looked for in this many frames from the first, and then in every nth.
  private static let searchedFrames = 50
  private static let searchStep = 25

  /// Begins with the first frame that is added.
  /// - Parameters:
  ///   - pattern: The pattern, with its parameters.
  ///   - canvasSize: Extent of the canvas that the pattern was drawn on; nil: as the input shows it.
  ///   - scale: Pixels in a point of that canvas.
  ///   - expectation: What the input should show of the pattern.
  ///   - input: What is known of the input beside its frames.
  ///   - expectedMetadata: The HDR metadata that the input should carry.
  ///   - tolerance: The limits that results are compared with.
  public init(
    pattern: ChosenPattern, canvasSize: Size? = nil, scale: Double = 1, expectation: PatternExpectation, input: Input,
    expectedMetadata: ExpectedMetadata = ExpectedMetadata(), tolerance: Tolerance = Tolerance()
  ) {
    self.pattern = pattern
    self.canvasSize = canvasSize
    self.scale = scale
    self.expectation = expectation
    self.input = input
    self.expectedMetadata = expectedMetadata
    self.tolerance = tolerance
    finder = PatternFinder(pattern: pattern, canvasSize: canvasSize, scale: scale, expectation: expectation)
  }

  /// Measures a frame; those before the first that shows the pattern are only counted.
  ///
  /// Unspecified tags are assumed to be those of the expected signal.
  /// - Throws: Where the tags say something that is not known how to be shown.
  public func add(_ frame: CodedFrame) throws(VerificationError) {
    let index = frames
    frames += 1
    if firstFrame == nil { firstFrame = frame }
    if measurement == nil, index < Self.searchedFrames || index % Self.searchStep == 0,
      let placement = finder.find(in: frame)
    {
      let canvas = pattern.canvas(size: placement.canvas, scale: scale, signal: expectation.drawn)
      measurement = try PatternMeasurement(
        pattern.pattern, canvas, placement, expectation, first: frame, tolerance: tolerance)
    }
    measurement?.add(frame, at: index)
  }

  /// What was measured; nil: there was no frame.
  public func finish() -> Verification? {
    guard let first = measurement?.first ?? firstFrame else { return nil }
    var verification = Verification(
      pattern: pattern.pattern,
      canvas: measurement?.canvas
        ?? pattern.canvas(size: canvasSize ?? first.size, scale: scale, signal: expectation.drawn),
      expectation: expectation.name,
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
