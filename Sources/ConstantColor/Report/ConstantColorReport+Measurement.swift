public import Frames

extension ConstantColorReport {
  /// Measurements of a pair of pictures.
  public struct Measurement: Sendable, Hashable {
    /// Columns and rows of the pictures.
    public var size: Size
    /// Exposure of the ambient picture divided by that of the flash picture.
    public var exposureRatio: Double
    /// The source of the exposure ratio.
    public var exposureSource: ConstantColorResult.ExposureSource
    /// Camera movement between the pictures.
    public var movement: Movement
    /// Factor from XYZ of the flash light to XYZ of the result.
    public var scale: Double
    /// The mean confidence, weighted towards the centre, from 0 to 1.
    public var centerWeightedMeanConfidence: Double
    /// Share of the pixels whose confidence is at least `believedConfidence`.
    public var shareBelieved: Double

    /// Creates a measurement from its values.
    public init(
      size: Size, exposureRatio: Double, exposureSource: ConstantColorResult.ExposureSource, movement: Movement,
      scale: Double, centerWeightedMeanConfidence: Double, shareBelieved: Double
    ) {
      self.size = size
      self.exposureRatio = exposureRatio
      self.exposureSource = exposureSource
      self.movement = movement
      self.scale = scale
      self.centerWeightedMeanConfidence = centerWeightedMeanConfidence
      self.shareBelieved = shareBelieved
    }

    /// Creates a measurement from a result.
    public init(_ result: ConstantColorResult) {
      self.init(
        size: result.confidenceMap.size, exposureRatio: result.exposureRatio, exposureSource: result.exposureSource,
        movement: result.movement, scale: result.scale,
        centerWeightedMeanConfidence: result.constantColorCenterWeightedMeanConfidenceLevel,
        shareBelieved: result.confidenceMap.share(atLeast: Float(ConstantColorReport.believedConfidence)))
    }
  }

  /// The colour of an area of interest.
  public struct Region: Sendable, Hashable {
    /// nil: unnamed.
    public var name: String?
    /// In pixels of the flash picture.
    public var area: PictureArea
    /// L*, a*, b* in D65; nil: not measurable.
    public var lab: SIMD3<Double>?
    /// Standard uncertainties of L*, a*, b*; nil: unknown.
    public var uncertainty: SIMD3<Double>?
    /// The mean confidence of its pixels.
    public var confidence: Double

    /// Creates a region; NaN values, and values too large for a report, are omitted.
    public init(name: String? = nil, _ color: RegionColor) {
      func held(_ value: SIMD3<Double>) -> SIMD3<Double>? {
        (0..<3).allSatisfy { abs(value[$0]) <= ConstantColorReport.largestColor } ? value : nil
      }
      self.name = name
      area = color.area
      lab = held(color.lab)
      uncertainty = held(color.uncertainty)
      confidence = color.confidence > 0 ? min(color.confidence, 1) : 0
    }

    /// Whether its confidence is at least `believedConfidence`.
    public var isBelieved: Bool { confidence >= ConstantColorReport.believedConfidence }

    /// CIE XYZ, Y = 1 for white; nil: not measured.
    public var xyz: SIMD3<Double>? { lab.map(CIELAB.toXYZ) }

    /// sRGB for display, as `#AABBCC`, clipped to the gamut; nil: not measured.
    public var hexadecimal: String? { lab.map(CIELAB.hexadecimal) }
  }
}
