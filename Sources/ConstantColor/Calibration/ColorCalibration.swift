public import ColorScience
public import Frames

/// A colour calibration of a camera and its flash.
public struct ColorCalibration: Sendable, Hashable {
  /// The basis of a calibration.
  public enum Source: String, Sendable, Hashable, Codable {
    /// A picture of a ColorChecker.
    case chart
    /// Spectral sensitivities of the camera and the spectrum of the flash.
    case spectra
  }

  /// Distance of the calibrated ColorChecker colours from their references, in CIEDE2000.
  public struct Residuals: Sendable, Hashable, Codable {
    /// Mean over the patches.
    public var mean: Double
    /// The maximum over the patches.
    public var max: Double

    /// Creates residuals; both are at least 0.
    public init(mean: Double, max: Double) {
      self.mean = mean
      self.max = max
    }
  }

  /// Name of the calibrated components: the camera, or the colour space.
  public var components: String
  /// From the flash-only picture, divided by `falloff`, to CIE XYZ of the surfaces in D65. A perfect white has Y = 1 at
  /// the chart's position and `exposure`; for calibrations from spectra, a white of G = 1 has Y = 1.
  public var toXYZ: Matrix3
  /// R, G and B of a neutral surface in the light of the flash, green 1.
  public var white: SIMD3<Double>
  /// Relative light of the flash over the frame, 1 at the centre; nil: uniform.
  public var falloff: FlatField?
  /// Exposure of the chart picture; nil: unknown or no picture.
  public var exposure: Exposure?
  /// Maker and model of the camera.
  public var camera: String?
  /// The flash, in the user's words.
  public var flash: String?
  /// The basis of the calibration.
  public var source: Source
  /// Fit residuals; nil: unknown.
  public var residuals: Residuals?

  /// Creates a calibration from its values.
  public init(
    components: String, toXYZ: Matrix3, white: SIMD3<Double>, falloff: FlatField? = nil, exposure: Exposure? = nil,
    camera: String? = nil, flash: String? = nil, source: Source = .chart, residuals: Residuals? = nil
  ) {
    self.components = components
    self.toXYZ = toXYZ
    self.white = white
    self.falloff = falloff
    self.exposure = exposure
    self.camera = camera
    self.flash = flash
    self.source = source
    self.residuals = residuals
  }
}
