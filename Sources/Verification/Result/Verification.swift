public import ColorScience
public import Frames
public import Patterns

/// What was seen of a pattern in an input, and what is wrong with it.
public struct Verification: Sendable {
  /// What was read.
  public struct Input: Sendable {
    /// Name of the file, for reports.
    public var name: String
    /// The picture in luma samples.
    public var size: Size
    /// How samples lie in memory.
    public var layout: PixelLayout
    /// The tags that samples were read by: overrides and assumptions included.
    public var color: ColorDescription
    /// HDR metadata of the stream and its frames.
    public var metadata: HDRMetadata
    /// Frames that were read, those without the pattern included.
    public var frames: Int

    /// `color` is what samples were read by.
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

  /// What the input should show.
  public var pattern: TestPattern
  /// What the pattern was drawn on.
  public var canvas: PatternCanvas
  /// "tone-mapped:system:headroom=1"; nil: the pattern itself.
  public var expectation: String?
  /// What was read.
  public var input: Input
  /// nil: the pattern was not found, and nothing was measured.
  public var placement: Placement?
  /// Frames that show the pattern and were measured.
  public var measuredFrames = 0
  /// Areas of one colour, in the pattern's order.
  public var patches: [PatchResult] = []
  /// Ramps, in the pattern's order.
  public var ramps: [RampResult] = []
  /// Areas of fine structure, in the pattern's order.
  public var details: [DetailResult] = []
  /// Order of the frames of a moving pattern; nil for a still one.
  public var frames: FrameResult?
  /// Gamuts that the pattern shows; nil where it shows none.
  public var gamut: GamutResult?
  /// Luminance in cd/m² above which everything looks alike; nil: nothing is clipped, or nothing shows it.
  public var clipPoint: Double?
  /// Luminance in cd/m² of the darkest patch that should be black; nil: there is none.
  public var black: Double?
  /// The limits that results were compared with.
  public var tolerance: Tolerance
  /// In the order of weight; the verification passes where the pattern is found and there is none.
  public var faults: [Fault] = []
  /// Notes that are not faults, a sentence each.
  public var notes: [String] = []

  /// Nothing is measured yet.
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

  /// The pattern was found, and nothing is wrong with it.
  public var passes: Bool { placement != nil && faults.isEmpty }
}

/// How far a measurement may be off.
public struct Tolerance: Sendable, Hashable {
  /// Of a patch, in ΔE ITP.
  public var deltaE: Double

  /// A limit for patches.
  /// - Parameter deltaE: 1 is a just noticeable difference; ten-bit rounding of R'G'B' and of Y'CbCr alone is up to 1.3.
  public init(deltaE: Double = 2) { self.deltaE = deltaE }
}

/// What is wrong, by a name that does not change: "range.full-as-narrow".
public struct Fault: Sendable, Hashable {
  /// A name for programs: it does not change between versions.
  public var name: String
  /// What is seen and what to do, in one or two sentences.
  public var explanation: String

  /// `explanation` is one or two sentences.
  public init(_ name: String, _ explanation: String) {
    self.name = name
    self.explanation = explanation
  }
}

/// A patch as it was measured.
public struct PatchResult: Sendable {
  /// The patch as it was drawn.
  public var patch: PatternDrawing.Patch
  /// Where in the picture it was measured; nil if it is cropped or too small.
  public var area: PictureArea?
  /// R', G', B' signals that it should have, after the expected mapping, as the input's bit depth can hold them.
  public var expected: SIMD3<Double>
  /// The same in code values of the input's depth and range.
  public var expectedCodes: SIMD3<Double>
  /// Linear light in cd/m² in the primaries of the signal.
  public var expectedNits: SIMD3<Double>
  /// nil where nothing was measured.
  public var measured: Measured?
  /// Within the tolerance, or not measured.
  public var passes: Bool
  /// Names of the faults that explain why it does not pass, or of the note that explains why it does all the same.
  public var reason: String?

  /// Means over the frames.
  public struct Measured: Sendable {
    /// R', G', B' signals: means over the area and the frames, without outliers.
    public var signal: SIMD3<Double>
    /// The same in code values.
    public var codes: SIMD3<Double>
    /// Linear light in cd/m² in the primaries of the signal.
    public var nits: SIMD3<Double>
    /// ΔE ITP (BT.2124) between the mean and what is expected.
    public var deltaE: Double
    /// The largest ΔE ITP of a single frame.
    public var worstDeltaE: Double
    /// Root mean square of the differences from the mean of luma, in code values.
    public var noise: Double
    /// The largest share of the area, in a frame, whose samples are something else and do not count, 0...1.
    public var rejected: Double

    /// `rejected` is a share, 0...1.
    public init(
      signal: SIMD3<Double>, codes: SIMD3<Double>, nits: SIMD3<Double>, deltaE: Double, worstDeltaE: Double,
      noise: Double, rejected: Double = 0
    ) {
      self.signal = signal
      self.codes = codes
      self.nits = nits
      self.deltaE = deltaE
      self.worstDeltaE = worstDeltaE
      self.noise = noise
      self.rejected = rejected
    }
  }

  /// Signals and light as expected, and as they were measured.
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

/// A ramp as it was measured.
public struct RampResult: Sendable {
  /// A place along the ramp.
  public struct Point: Sendable, Hashable {
    /// 0...1 along the ramp.
    public var position: Double
    /// Luma, or the largest component, as a signal.
    public var expected: Double
    /// The same, as it was measured.
    public var measured: Double

    /// `position` is relative to the ramp, both values are signals.
    public init(position: Double, expected: Double, measured: Double) {
      self.position = position
      self.expected = expected
      self.measured = measured
    }
  }

  /// Name of the ramp within the pattern.
  public var name: String
  /// Where in the picture it was measured; nil if it is cropped or too small.
  public var area: PictureArea?
  /// Places along the ramp, in order.
  public var points: [Point]
  /// Mean ΔE ITP along it.
  public var meanDeltaE: Double
  /// The largest ΔE ITP along it.
  public var worstDeltaE: Double
  /// Distinct levels of luma that were seen.
  public var levels: Int
  /// Distinct levels that the input's bit depth can show.
  public var expectedLevels: Int
  /// Within the tolerance, or not measured.
  public var passes: Bool
  /// As of a patch.
  public var reason: String?

  /// `levels` are distinct values of luma.
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

/// A detail as it was measured.
public struct DetailResult: Sendable, Hashable {
  /// The structure as it was drawn.
  public var detail: PatternDrawing.Detail
  /// Where in the picture; nil if it is cropped, or not shown pixel by pixel.
  public var area: PictureArea?
  /// How far to the right and down chroma (or luma) lies from where it should, in pixels of luma; nil: not to be told.
  public var shift: SIMD2<Double>?
  /// Contrast that is left, 1 is all.
  public var contrast: Double?
  /// Share of the area that shows something else than the structure, or a part of it, 0...1.
  public var covered = 0.0
  /// Where it should be, and with the contrast that it should have; or not measured.
  public var passes: Bool
  /// As of a patch.
  public var reason: String?

  /// `shift` is in pixels of the picture.
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

/// How much of the gamuts that the pattern shows has come through.
public struct GamutResult: Sendable, Hashable {
  /// Share of the area of the triangle in CIE 1976 u'v' that the most saturated patches span, by the gamut's name.
  public var coverage: [Coverage]

  /// How much of one gamut has come through.
  public struct Coverage: Sendable, Hashable {
    /// The gamut, by its primaries.
    public var gamut: ColorPrimaries
    /// 1 is all of it.
    public var share: Double

    /// `share` is 0...1.
    public init(gamut: ColorPrimaries, share: Double) {
      self.gamut = gamut
      self.share = share
    }
  }

  /// One entry for each gamut.
  public init(coverage: [Coverage]) { self.coverage = coverage }
}
