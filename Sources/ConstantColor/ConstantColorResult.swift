public import Frames

/// A picture of constant colour, and what is known about it.
public struct ConstantColorResult: Sendable {
  /// Where the exposure ratio came from.
  public enum ExposureSource: String, Sendable, Hashable, Codable {
    /// The settings.
    case stated
    /// The pictures' own metadata.
    case pictures
    /// Nothing was known: equal exposures were assumed.
    case assumedEqual
  }

  /// Linear light in the space of the settings, as if lit by D65; 1 is the reference white.
  public let image: SceneImage
  /// How far each pixel may be believed.
  public let confidenceMap: ConfidenceMap
  /// The mean confidence, weighted towards the centre, from 0 to 1.
  public let constantColorCenterWeightedMeanConfidenceLevel: Double
  /// Exposure of the ambient picture divided by that of the flash picture.
  public let exposureRatio: Double
  /// Where that came from.
  public let exposureSource: ExposureSource
  /// What the camera moved between the pictures.
  public let movement: Movement
  /// The colours of the areas of interest, in the order of the settings.
  public let regions: [RegionColor]
  /// Factor of XYZ: what the brightest of the picture, or the calibration, says white is.
  public let scale: Double
  /// The scale is the calibration's, so that the lightness of several pictures can be compared.
  public let hasAbsoluteScale: Bool
}

/// How one picture lies to another.
public struct Movement: Sendable, Hashable, Codable {
  /// Displacement of the centre in pixels, to the right and down.
  public var x = 0.0, y = 0.0
  /// Rotation in degrees, clockwise.
  public var rotation = 0.0
  /// Magnification.
  public var scale = 1.0

  /// None by default.
  public init(x: Double = 0, y: Double = 0, rotation: Double = 0, scale: Double = 1) {
    (self.x, self.y, self.rotation, self.scale) = (x, y, rotation, scale)
  }
}
