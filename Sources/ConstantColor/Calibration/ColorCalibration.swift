public import ColorScience
public import Frames

/// What a calibration knows about a camera and its flash.
public struct ColorCalibration: Sendable, Hashable {
  /// What a calibration was made from.
  public enum Source: String, Sendable, Hashable, Codable {
    /// A picture of a ColorChecker.
    case chart
    /// Spectral sensitivities of the camera and the spectrum of the flash.
    case spectra
  }

  /// How far the calibrated colours of the ColorChecker are from its reference, in CIEDE2000.
  public struct Residuals: Sendable, Hashable, Codable {
    /// Mean over the patches.
    public var mean: Double
    /// The largest.
    public var max: Double

    /// Both at least 0.
    public init(mean: Double, max: Double) {
      self.mean = mean
      self.max = max
    }
  }

  /// Name of the components it was made for: the camera, or the colour space.
  public var components: String
  /// From the picture of the flash alone, divided by `falloff`, to CIE XYZ of the surfaces in D65, where a perfect
  /// white has Y = 1 at the chart's place and `exposure`; from spectra: where a white of G = 1 has Y = 1.
  public var toXYZ: Matrix3
  /// R, G and B of a neutral surface in the light of the flash, green 1.
  public var white: SIMD3<Double>
  /// Relative light of the flash over the frame, the centre 1; nil: even.
  public var falloff: FlatField?
  /// The exposure of the picture of the chart; nil: unknown, or there was none.
  public var exposure: Exposure?
  /// Maker and model of the camera.
  public var camera: String?
  /// The flash, in the user's words.
  public var flash: String?
  /// What it was made from.
  public var source: Source
  /// How well it fits; nil: unknown.
  public var residuals: Residuals?

  /// All that is known.
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
