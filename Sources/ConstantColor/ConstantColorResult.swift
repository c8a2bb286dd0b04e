public import Frames
internal import HTMLReports

/// A constant-colour picture and its metadata.
public struct ConstantColorResult: Sendable {
  /// The source of the exposure ratio.
  public enum ExposureSource: String, Sendable, Hashable, Codable {
    /// The settings.
    case stated
    /// The metadata of the pictures.
    case pictures
    /// Unknown: equal exposures were assumed.
    case assumedEqual = "assumed_equal"
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

/// Why a pair of pictures yields no constant-colour picture.
public enum ConstantColorError: Error, Sendable, Hashable {
  /// The pictures differ in size: ambient, flash.
  case sizes(ambient: Size, flash: Size)
  /// The components of the pictures differ: different cameras or colour spaces.
  case components
  /// The flash picture is darker than the ambient one at this exposure ratio (ambient to flash): the pictures are
  /// swapped, or their exposures differ.
  case swapped(exposureRatio: Double)
  /// The flash picture is the ambient picture times this factor everywhere and in all colours: just a longer exposure.
  case sameLight(factor: Double)
  /// The exposure ratio is not a positive number.
  case exposureRatio(Double)
  /// A region of interest is empty or outside the picture.
  case region(PictureArea, picture: Size)
  /// The colour of the camera's components is unknown: a calibration or a stated neutral is needed.
  case unknownColor(camera: String)
  /// The calibration is for other components than the pictures'.
  case calibration(of: String, picture: String)
}

extension ConstantColorError: CustomStringConvertible {
  /// A message that describes the fault in the pair.
  public var description: String {
    switch self {
    case .sizes(let ambient, let flash):
      "The pictures differ in size: \(ambient) without the flash, \(flash) with it."
    case .components: "The pictures differ in their colour space, or are of different cameras."
    case .swapped(let ratio):
      "The picture with the flash is darker than the one without, at an exposure ratio of "
        + "\(Figures.significant(ratio, 4)): they are swapped, or were exposed differently."
    case .sameLight(let factor):
      "The picture with the flash is everywhere \(Figures.significant(factor, 3)) times as bright as the one without: "
        + "it was exposed longer, and shows no light of a flash."
    case .exposureRatio(let ratio): "The exposure ratio is a number above 0, not \(ratio)."
    case .region(let area, let size):
      "The region \(area.x),\(area.y),\(area.width),\(area.height) is not within the picture, which is \(size)."
    case .unknownColor(let camera):
      "'\(camera)' does not state how its colours are to be read: a calibration or a neutral is needed."
    case .calibration(let camera, let picture):
      "The calibration is of '\(camera)', and the pictures are of '\(picture)': calibrate this camera."
    }
  }
}
