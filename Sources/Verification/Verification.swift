public import ColorScience
public import Frames
public import Patterns

/// Measurements of a pattern in an input, and its faults.
public struct Verification: Sendable {
  /// The measured input.
  public struct Input: Sendable {
    /// Name of the file, for reports.
    public var name: String
    /// Picture size in luma samples.
    public var size: Size
    /// Memory layout of the samples.
    public var layout: PixelLayout
    /// The tags used to interpret samples, including overrides and assumptions.
    public var color: ColorDescription
    /// HDR metadata of the stream and its frames.
    public var metadata: HDRMetadata
    /// Number of frames read, including those without the pattern.
    public var frames: Int

    /// Creates an input; `color` holds the tags used to interpret samples.
    public init(
      name: String, size: Size, layout: PixelLayout, color: ColorDescription, metadata: HDRMetadata, frames: Int
    ) {
      self.name = name
      self.size = size
      self.layout = layout
      self.color = color
      self.metadata = metadata
      self.frames = frames
    }
  }

  /// The expected pattern.
  public var pattern: TestPattern
  /// The canvas that the pattern was drawn on.
  public var canvas: PatternCanvas
  /// "tone-mapped:system:headroom=1"; nil: the pattern itself.
  public var expectation: String?
  /// The measured input.
  public var input: Input
  /// Placement of the pattern; nil: not found, so nothing was measured.
  public var placement: Placement?
  /// Number of measured frames that show the pattern.
  public var measuredFrames = 0
  /// Uniformly coloured areas, in pattern order.
  public var patches: [PatchResult] = []
  /// Ramps, in pattern order.
  public var ramps: [RampResult] = []
  /// Areas of fine structure, in pattern order.
  public var details: [DetailResult] = []
  /// Frame order of a moving pattern; nil: still pattern.
  public var frames: FrameResult?
  /// Gamuts that the pattern represents; nil: none.
  public var gamut: GamutResult?
  /// Luminance in cd/m² above which everything is clipped; nil: not clipped, or undetermined.
  public var clipPoint: Double?
  /// Luminance in cd/m² of the darkest patch that should be black; nil: no such patch.
  public var black: Double?
  /// The tolerance applied to results.
  public var tolerance: Tolerance
  /// Faults by severity; the verification passes if the pattern is found and the list is empty.
  public var faults: [Fault] = []
  /// Notes that are not faults, one sentence each.
  public var notes: [String] = []

  /// Creates a verification without measurements.
  public init(
    pattern: TestPattern, canvas: PatternCanvas, expectation: String? = nil, input: Input,
    tolerance: Tolerance = Tolerance()
  ) {
    self.pattern = pattern
    self.canvas = canvas
    self.expectation = expectation
    self.input = input
    self.tolerance = tolerance
  }

  /// Whether the pattern was found without faults.
  public var passes: Bool { placement != nil && faults.isEmpty }
}

/// Tolerance of measurements.
public struct Tolerance: Sendable, Hashable {
  /// Tolerance of patches in ΔE ITP.
  public var deltaE: Double

  /// Creates a tolerance for patches.
  /// - Parameter deltaE: 1 is a just noticeable difference; ten-bit rounding of R'G'B' and of Y'CbCr alone reaches 1.3.
  public init(deltaE: Double = 2) { self.deltaE = deltaE }
}

/// A fault with a stable name: "range.full-as-narrow".
public struct Fault: Sendable, Hashable {
  /// A stable name for programs.
  public var name: String
  /// Observation and remedy, in one or two sentences.
  public var explanation: String

  /// Creates a fault; `explanation` is one or two sentences.
  public init(_ name: String, _ explanation: String) {
    self.name = name
    self.explanation = explanation
  }
}

extension [Fault] {
  mutating func add(_ name: String, _ explanation: String) { append(Fault(name, explanation)) }
}

/// A measured patch.
public struct PatchResult: Sendable {
  /// The patch as drawn.
  public var patch: PatternDrawing.Patch
  /// Measured area in the picture; nil if cropped or too small.
  public var area: PictureArea?
  /// Expected R', G', B' signals after the expected mapping, quantized to the input's bit depth.
  public var expected: SIMD3<Double>
  /// Expected code values in the input's depth and range.
  public var expectedCodes: SIMD3<Double>
  /// Expected linear light in cd/m² in the primaries of the signal.
  public var expectedNits: SIMD3<Double>
  /// nil: not measured.
  public var measured: Measured?
  /// Whether it is within the tolerance or was not measured.
  public var passes: Bool
  /// Names of the faults that explain a failure, or of the note that explains why the patch passes regardless.
  public var reason: String?

  /// Means over the frames.
  public struct Measured: Sendable {
    /// R', G', B' signals: means over the area and the frames, without outliers.
    public var signal: SIMD3<Double>
    /// Means in code values.
    public var codes: SIMD3<Double>
    /// Linear light in cd/m² in the primaries of the signal.
    public var nits: SIMD3<Double>
    /// ΔE ITP (BT.2124) between the mean and the expected colour.
    public var deltaE: Double
    /// Maximum ΔE ITP of a single frame.
    public var worstDeltaE: Double
    /// Root mean square deviation from the mean luma, in code values.
    public var noise: Double
    /// Maximum share of excluded outliers in the area over the frames, 0...1.
    public var rejected: Double

    package init(
      signal: SIMD3<Double>, codes: SIMD3<Double>, nits: SIMD3<Double>, deltaE: Double, worstDeltaE: Double,
      noise: Double, rejected: Double = 0
    ) {
      (self.signal, self.codes, self.nits) = (signal, codes, nits)
      (self.deltaE, self.worstDeltaE) = (deltaE, worstDeltaE)
      (self.noise, self.rejected) = (noise, rejected)
    }
  }

  /// Creates the result of a patch from expected and measured signals and light.
  public init(
    patch: PatternDrawing.Patch, area: PictureArea?, expected: SIMD3<Double>, expectedCodes: SIMD3<Double>,
    expectedNits: SIMD3<Double>, measured: Measured?, passes: Bool
  ) {
    self.patch = patch
    self.area = area
    self.expected = expected
    self.expectedCodes = expectedCodes
    self.expectedNits = expectedNits
    self.measured = measured
    self.passes = passes
  }
}

/// A measured ramp.
public struct RampResult: Sendable {
  /// A position on the ramp.
  public struct Point: Sendable, Hashable {
    /// 0...1 along the ramp.
    public var position: Double
    /// Expected luma, or largest component, as a signal.
    public var expected: Double
    /// Measured luma, or largest component, as a signal.
    public var measured: Double

    /// Creates a point; `position` is relative to the ramp, both values are signals.
    public init(position: Double, expected: Double, measured: Double) {
      self.position = position
      self.expected = expected
      self.measured = measured
    }
  }

  /// Name of the ramp within the pattern.
  public var name: String
  /// Measured area in the picture; nil if cropped or too small.
  public var area: PictureArea?
  /// Positions along the ramp, in order.
  public var points: [Point]
  /// Mean ΔE ITP along the ramp.
  public var meanDeltaE: Double
  /// Maximum ΔE ITP along the ramp.
  public var worstDeltaE: Double
  /// Number of distinct luma levels measured.
  public var levels: Int
  /// Number of distinct levels possible at the input's bit depth.
  public var expectedLevels: Int
  /// Whether it is within the tolerance or was not measured.
  public var passes: Bool
  /// Same as for a patch.
  public var reason: String?

  /// Creates the result of a ramp; `levels` are distinct luma values.
  public init(
    name: String, area: PictureArea?, points: [Point], meanDeltaE: Double, worstDeltaE: Double, levels: Int,
    expectedLevels: Int, passes: Bool
  ) {
    self.name = name
    self.area = area
    self.points = points
    self.meanDeltaE = meanDeltaE
    self.worstDeltaE = worstDeltaE
    self.levels = levels
    self.expectedLevels = expectedLevels
    self.passes = passes
  }
}

/// A measured detail.
public struct DetailResult: Sendable, Hashable {
  /// The structure as drawn.
  public var detail: PatternDrawing.Detail
  /// Area in the picture; nil if cropped, or not shown pixel by pixel.
  public var area: PictureArea?
  /// Shift of chroma (or luma) right and down from the expected position, in luma pixels; nil: undetermined.
  public var shift: SIMD2<Double>?
  /// Remaining contrast; 1 is full contrast.
  public var contrast: Double?
  /// Share of the area that shows something else, 0...1.
  public var covered = 0.0
  /// Whether position and contrast are as expected, or were not measured.
  public var passes: Bool
  /// Same as for a patch.
  public var reason: String?

  /// Creates the result of a detail; `shift` is in pixels of the picture.
  public init(
    detail: PatternDrawing.Detail, area: PictureArea?, shift: SIMD2<Double>?, contrast: Double?, passes: Bool
  ) {
    self.detail = detail
    self.area = area
    self.shift = shift
    self.contrast = contrast
    self.passes = passes
  }
}

/// Measured coverage of the gamuts that the pattern represents.
public struct GamutResult: Sendable, Hashable {
  /// Share of the CIE 1976 u'v' triangle that the most saturated patches span, per gamut.
  public var coverage: [Coverage]

  /// Measured coverage of a gamut.
  public struct Coverage: Sendable, Hashable {
    /// The gamut, identified by its primaries.
    public var gamut: ColorPrimaries
    /// Coverage; 1 is full.
    public var share: Double

    /// Creates a coverage; `share` is 0...1.
    public init(gamut: ColorPrimaries, share: Double) {
      self.gamut = gamut
      self.share = share
    }
  }

  /// Creates a result with one entry per gamut.
  public init(coverage: [Coverage]) { self.coverage = coverage }
}

/// Results about the frames of a moving pattern.
public struct FrameResult: Sendable, Hashable {
  /// A gap of missing frames.
  public struct Gap: Sendable, Hashable {
    /// Number of the last frame before the gap.
    public var after: Int
    /// Number of missing frames.
    public var count: Int

    package init(after: Int, count: Int) { (self.after, self.count) = (after, count) }
  }

  /// First frame number read.
  public var first: Int
  /// Last frame number read.
  public var last: Int
  /// Indices in the input, from 0, of frames that repeat the previous one.
  public var repeated: [Int] = []
  /// Missing frames, in input order.
  public var dropped: [Gap] = []
  /// Indices in the input of frames that are older than the previous one.
  public var reordered: [Int] = []
  /// Number of frames with an unreadable number.
  public var unreadable = 0
  /// Indices of frames that contain part of another frame.
  public var torn: [Int] = []
  /// Indices of frames blended with another frame.
  public var blended: [Int] = []

  /// Creates the result of a run of frames without faults.
  public init(first: Int, last: Int) {
    self.first = first
    self.last = last
  }

  /// Whether there are no such faults.
  public var passes: Bool {
    repeated.isEmpty && dropped.isEmpty && reordered.isEmpty && unreadable == 0 && torn.isEmpty && blended.isEmpty
  }
}
