public import Frames

extension ConstantColorReport {
  /// What was found in a pair of pictures.
  public struct Measurement: Sendable, Hashable {
    /// Columns and rows of the pictures.
    public var size: Size
    /// Exposure of the ambient picture divided by that of the flash picture.
    public var exposureRatio: Double
    /// Where that came from.
    public var exposureSource: ConstantColorResult.ExposureSource
    /// What the camera moved between the pictures.
    public var movement: Movement
    /// Factor from XYZ of the light of the flash to that of the result.
    public var scale: Double
    /// The mean confidence, weighted towards the centre, from 0 to 1.
    public var centerWeightedMeanConfidence: Double
    /// Share of the pixels whose confidence is at least `believedConfidence`.
    public var shareBelieved: Double

    /// All that is known.
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

    /// What a result says.
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
    /// nil: it was not given one.
    public var name: String?
    /// In pixels of the flash picture.
    public var area: PictureArea
    /// L*, a*, b* in D65; nil: nothing of it could be measured.
    public var lab: SIMD3<Double>?
    /// Standard uncertainties of L*, a*, b*; nil: unknown.
    public var uncertainty: SIMD3<Double>?
    /// The mean confidence of its pixels.
    public var confidence: Double

    /// Values that are no numbers, or larger than a report can hold, are left out.
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

    /// Its confidence is at least `believedConfidence`.
    public var isBelieved: Bool { confidence >= ConstantColorReport.believedConfidence }

    /// CIE XYZ, Y = 1 for white; nil: not measured.
    public var xyz: SIMD3<Double>? { lab.map(CIELAB.toXYZ) }

    /// sRGB to be shown, as `#AABBCC`, clipped to the gamut; nil: not measured.
    public var hexadecimal: String? { lab.map(CIELAB.hexadecimal) }
  }
}
