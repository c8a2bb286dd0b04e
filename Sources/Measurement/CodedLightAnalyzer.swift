public import Frames
public import Rendering

/// Measures coded frames like other analyzers: the maximum over the common ways to reconstruct chroma.
///
/// Subsampled chroma is read both interpolated from its siting and repeated; interlaced frames are also read as
/// progressive. A pixel at a coloured edge can be twice as bright in one reading as in another.
/// Source: CTA-861.3-A (2016), annex A.
public final class CodedLightAnalyzer: Sendable {
  /// Light of a frame in cd/m².
  public struct Result: Sendable, Hashable {
    /// The maximum of max(R, G, B) over all pixels.
    public var peak = 0.0
    /// The maximum frame average of max(R, G, B).
    public var average = 0.0

    /// No light.
    public init() {}

    /// The maximum of each.
    public mutating func merge(_ other: Result) {
      peak = max(peak, other.peak)
      average = max(average, other.average)
    }

    /// Both, rounded up to whole numbers; MaxCLL is never 0, which would mean "unknown".
    ///
    /// Light was rounded to half float, so half a unit in the last place is added first.
    public var contentLight: ContentLight {
      var result = ContentLight(
        roundingUp: peak * Result.rounding, maxFALL: average * Result.rounding)
      result.maxCLL = max(result.maxCLL, 1)
      return result
    }

    private static let rounding = 1 + 0x1p-11
  }

  private let readings: [FrameLightAnalyzer]
  /// For interlaced frames.
  private let fieldReadings: [FrameLightAnalyzer]

  /// Creates an analyzer of frames of one format.
  /// - Parameters:
  ///   - format: Format of the frames.
  ///   - content: Interpretation of their code values.
  ///   - tier: Kernels to use, supported by the processor.
  ///   - pool: Worker threads.
  /// - Throws: `RenderingError` for formats that cannot be read.
  public init(
    format: PixelFormat, content: ContentInterpretation, tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    let isSubsampled = format.layout.chromaShiftX == 1
    let kinds: [ChromaUpsampling] = isSubsampled ? ChromaUpsampling.allCases : [.bilinear]
    func analyzers(dividesFields: Bool) throws(RenderingError) -> [FrameLightAnalyzer] {
      var result: [FrameLightAnalyzer] = []
      for chroma in kinds {
        result.append(
          try FrameLightAnalyzer(
            format: format, content: content, chroma: chroma, dividesFields: dividesFields, tier: tier, pool: pool))
      }
      return result
    }
    readings = try analyzers(dividesFields: false)
    let divides = format.layout.chromaShiftY == 1 && format.layout.dividesIntoFields(height: format.size.height)
    fieldReadings = divides ? try analyzers(dividesFields: true) : []
  }

  /// Measures the light of `frame`.
  /// - Throws: `RenderingError.formatMismatch` if the frame has another format.
  public func measure(_ frame: CodedFrame) throws(RenderingError) -> Result {
    var result = Result()
    for analyzer in frame.fieldOrder == nil ? readings : readings + fieldReadings {
      let light = try analyzer.measure(frame)
      result.peak = max(result.peak, light.peak)
      result.average = max(result.average, light.average)
    }
    return result
  }
}

/// Maximum light of a row or column over the frames.
struct LineLight: Sendable, Hashable {
  /// The brightest sample, in cd/m².
  var peak = 0.0
  /// The mean of its samples, in cd/m².
  var mean: Float = 0
  /// The share of its samples that are lit.
  var litShare: Float = 0

  /// Keeps the maximum of each value.
  mutating func merge(mean: Float, litShare: Float) {
    (self.mean, self.litShare) = (max(self.mean, mean), max(self.litShare, litShare))
  }
}

/// The edge between a picture and a black bar in lossy video, where the encoder rings.
///
/// Decision 0029 documents how the constants were determined.
struct BarEdge {
  /// Lines beside the edge in which encoders ring: one macroblock.
  private static let reach = 16
  /// Lines beside the edge that may ring over their whole length: one block of 4:2:0.
  private static let near = 4
  /// Maximum light of bar lines, as a share of the mean light of the picture's lines.
  private static let ringing: Float = 0.1
  /// Maximum share of a line's samples lit by ringing beyond `near`.
  private static let ringingShare: Float = 0.5

  /// Light in cd/m² up to which a sample is black.
  private let black: Double
  /// Maximum light of a gap between lettering and the picture.
  private let clean: Double
  /// Maximum light of ringing beyond `near`, and within it.
  private let dim, bright: Double

  /// - Parameter light: Light in cd/m² at multiples of the signal up to which a sample is black.
  init(_ light: (Double) -> Double) {
    (black, clean, dim, bright) = (light(1), light(0.25), light(6), light(9))
  }

  /// Returns the first line after the bar, from one end.
  /// - Parameter lines: Lines from that end.
  /// - Returns: nil if everything is black.
  func first(_ lines: [LineLight]) -> Int? {
    let edge = lines.indices.first { index in
      let inner = lines[(index + 1)...].prefix(Self.reach).map(\.mean).max() ?? 0
      return Double(lines[index].mean) >= black && lines[index].mean >= Self.ringing * inner
    }
    // Without a fully lit line, the picture has no edge that would ring.
    guard let edge else { return lines.firstIndex { $0.peak > black } }
    var hasGap = false
    var first = edge
    // From the edge outwards: lettering and logos are bright, or separate from the picture.
    for index in (0..<edge).reversed() {
      let (line, distance) = (lines[index], edge - index)
      let isPicture =
        switch distance {
        case ...Self.near: line.peak > bright
        case ...Self.reach: line.peak > dim || line.litShare > Self.ringingShare || hasGap && line.peak > black
        default: line.peak > black
        }
      if isPicture { first = index }
      if line.peak <= clean { hasGap = true }
    }
    return first
  }
}
