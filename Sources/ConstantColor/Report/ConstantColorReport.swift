public import Foundation
public import Frames
internal import HTMLReports

/// The metadata of a constant-colour picture, stored beside it and used for comparisons.
public struct ConstantColorReport: Sendable, Hashable {
  /// The confidence from which a pixel or a region is trusted.
  public static let believedConfidence = 0.8

  /// The program and its version.
  public var program: String
  /// The time of the capture, to the second; nil: unknown.
  public var time: Date?
  /// The source pictures.
  public var inputs: Inputs
  /// The written files.
  public var outputs: Outputs
  /// The camera, or the colour space, of the pictures' components.
  public var components: String
  /// The basis of the flash colour.
  public var flash: FlashBasis
  /// Measurements of the pictures.
  public var measurement: Measurement
  /// Whether the picture is trusted; if not, it was not written, and the ambient picture may be written as a fallback.
  public var isBelieved: Bool
  /// The requested mean confidence; nil: none.
  public var minimumConfidence: Double?
  /// Warnings for the reader, as sentences.
  public var warnings: [String]
  /// The colours of the areas of interest.
  public var regions: [Region]

  /// Creates a report; by default, of a trusted picture, without outputs and warnings.
  public init(
    program: String, time: Date? = nil, inputs: Inputs, outputs: Outputs = Outputs(), components: String,
    flash: FlashBasis, measurement: Measurement, isBelieved: Bool = true, minimumConfidence: Double? = nil,
    warnings: [String] = [], regions: [Region] = []
  ) {
    self.program = program
    self.time = time.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
    self.inputs = inputs
    self.outputs = outputs
    self.components = components
    self.flash = flash
    self.measurement = measurement
    self.isBelieved = isBelieved
    self.minimumConfidence = minimumConfidence
    self.warnings = warnings
    self.regions = regions
  }

  /// Names of the two pictures.
  public struct Inputs: Sendable, Hashable, Codable {
    /// The picture without the flash.
    public var ambient: String
    /// The picture with the flash.
    public var flash: String

    /// Creates inputs from display names.
    public init(ambient: String, flash: String) {
      self.ambient = ambient
      self.flash = flash
    }
  }

  /// Names of the written files; nil: not written.
  public struct Outputs: Sendable, Hashable, Codable {
    /// The picture of constant colour.
    public var picture: String?
    /// The ambient picture.
    public var fallback: String?
    /// The confidence map.
    public var confidenceMap: String?

    private enum CodingKeys: String, CodingKey {
      case picture, fallback
      case confidenceMap = "confidence_map"
    }

    /// Writes all keys.
    public func encode(to encoder: any Encoder) throws {
      try encoder.write(["picture": picture, "fallback": fallback, "confidence_map": confidenceMap])
    }

    /// Creates outputs; none by default.
    public init(picture: String? = nil, fallback: String? = nil, confidenceMap: String? = nil) {
      self.picture = picture
      self.fallback = fallback
      self.confidenceMap = confidenceMap
    }
  }

  /// Measurements of a pair of pictures.
  public struct Measurement: Sendable, Hashable, Codable {
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

    private enum CodingKeys: String, CodingKey {
      case size, movement, scale
      case exposureRatio = "exposure_ratio"
      case exposureSource = "exposure_source"
      case centerWeightedMeanConfidence = "center_weighted_mean_confidence"
      case shareBelieved = "share_believed"
    }

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
  public struct Region: Sendable, Hashable, Codable {
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

    /// Writes all keys, and the colour in XYZ and sRGB, which are derived from L*, a*, b*.
    public func encode(to encoder: any Encoder) throws {
      try encoder.write([
        "name": name, "area": area, "lab": lab, "uncertainty": uncertainty, "confidence": confidence, "xyz": xyz,
        "srgb": hexadecimal,
      ])
    }

    /// Whether its confidence is at least `believedConfidence`.
    public var isBelieved: Bool { confidence >= ConstantColorReport.believedConfidence }

    /// CIE XYZ, Y = 1 for white; nil: not measured.
    public var xyz: SIMD3<Double>? { lab.map(CIELAB.toXYZ) }

    /// sRGB for display, as `#AABBCC`, clipped to the gamut; nil: not measured.
    public var hexadecimal: String? { lab.map(CIELAB.hexadecimal) }
  }
}

/// The basis of the flash colour.
public enum FlashBasis: Sendable, Hashable {
  /// A correlated colour temperature in kelvins.
  case temperature(Double)
  /// R, G and B of a neutral surface in the light of the flash.
  case neutral(SIMD3<Double>)
  /// A calibration by name, with the mean and maximum CIEDE2000 of its fit, if known.
  case calibration(name: String, meanDeltaE: Double?, largestDeltaE: Double?)
}

extension FlashBasis: Codable {
  private enum Key: String, CodingKey {
    case basis, temperature, neutral, name
    case meanDeltaE = "mean_delta_e_2000"
    case largestDeltaE = "max_delta_e_2000"
  }

  private enum Kind: String, Codable { case temperature, neutral, calibration }

  /// Decodes an object whose `basis` determines its other keys.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    switch try values.decode(Kind.self, forKey: .basis) {
    case .temperature: self = .temperature(try values.decode(Double.self, forKey: .temperature))
    case .neutral: self = .neutral(try values.decode(SIMD3<Double>.self, forKey: .neutral))
    case .calibration:
      self = .calibration(
        name: try values.decode(String.self, forKey: .name),
        meanDeltaE: try values.decodeIfPresent(Double.self, forKey: .meanDeltaE),
        largestDeltaE: try values.decodeIfPresent(Double.self, forKey: .largestDeltaE))
    }
  }

  /// Encodes an object whose `basis` determines its other keys.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .temperature(let kelvins): try encoder.write(["basis": Kind.temperature, "temperature": kelvins])
    case .neutral(let color): try encoder.write(["basis": Kind.neutral, "neutral": color])
    case .calibration(let name, let mean, let largest):
      try encoder.write([
        "basis": Kind.calibration, "name": name, "mean_delta_e_2000": mean, "max_delta_e_2000": largest,
      ])
    }
  }
}
