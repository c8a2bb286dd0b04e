public import Frames

/// A constant-colour picture and its metadata.
public struct ConstantColorResult: Sendable {
  /// The source of the exposure ratio.
  public enum ExposureSource: String, Sendable, Hashable, Codable {
    /// The settings.
    case stated
    /// The metadata of the pictures.
    case pictures
    /// Unknown: equal exposures were assumed.
    case assumedEqual
  }

  /// Linear light in the space of the settings, as if lit by D65; 1 is the reference white.
  public let image: SceneImage
  /// Confidence of each pixel.
  public let confidenceMap: ConfidenceMap
  /// The mean confidence, weighted towards the centre, from 0 to 1.
  public let constantColorCenterWeightedMeanConfidenceLevel: Double
  /// Exposure of the ambient picture divided by that of the flash picture.
  public let exposureRatio: Double
  /// The source of the exposure ratio.
  public let exposureSource: ExposureSource
  /// Camera movement between the pictures.
  public let movement: Movement
  /// The colours of the areas of interest, in the order of the settings.
  public let regions: [RegionColor]
  /// Factor applied to XYZ, so that white is 1: from the brightest part of the picture, or from the calibration.
  public let scale: Double
  /// The scale is from the calibration, so that lightness is comparable between pictures.
  public let hasAbsoluteScale: Bool
}

/// The movement of one picture relative to another.
public struct Movement: Sendable, Hashable, Codable {
  /// Displacement of the centre in pixels, to the right and down.
  public var x = 0.0, y = 0.0
  /// Rotation in degrees, clockwise.
  public var rotation = 0.0
  /// Magnification.
  public var scale = 1.0

  /// Creates a movement; none by default.
  public init(x: Double = 0, y: Double = 0, rotation: Double = 0, scale: Double = 1) {
    (self.x, self.y, self.rotation, self.scale) = (x, y, rotation, scale)
  }
}
