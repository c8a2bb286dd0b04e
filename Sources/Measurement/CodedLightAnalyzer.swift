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
