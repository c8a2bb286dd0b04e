public import Frames

/// The colour of an area of interest in the light of the flash alone.
public struct RegionColor: Sendable, Hashable, Codable {
  /// The area, in pixels of the flash picture.
  public var area: PictureArea
  /// L*, a*, b* in D65; NaN if nothing could be measured.
  public var lab: SIMD3<Double>
  /// Standard uncertainties of L*, a*, b*, from the noise of both pictures and the exposure tolerance.
  public var uncertainty: SIMD3<Double>
  /// The mean confidence of its pixels.
  public var confidence: Double

  /// Creates a colour from its values.
  public init(area: PictureArea, lab: SIMD3<Double>, uncertainty: SIMD3<Double>, confidence: Double) {
    self.area = area
    self.lab = lab
    self.uncertainty = uncertainty
    self.confidence = confidence
  }
}
