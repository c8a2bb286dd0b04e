public import Foundation

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
  public struct Outputs: Sendable, Hashable {
    /// The picture of constant colour.
    public var picture: String?
    /// The ambient picture.
    public var fallback: String?
    /// The confidence map.
    public var confidenceMap: String?

    /// Creates outputs; none by default.
    public init(picture: String? = nil, fallback: String? = nil, confidenceMap: String? = nil) {
      self.picture = picture
      self.fallback = fallback
      self.confidenceMap = confidenceMap
    }
  }
}
