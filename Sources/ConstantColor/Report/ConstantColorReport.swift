public import Foundation

/// What is known about a picture of constant colour, to be kept beside it and compared with others.
public struct ConstantColorReport: Sendable, Hashable {
  /// The confidence from which a pixel or a region is believed.
  public static let believedConfidence = 0.8

  /// The program and its version.
  public var program: String
  /// The time of the capture, to the second; nil: unknown.
  public var time: Date?
  /// The pictures that it was made of.
  public var inputs: Inputs
  /// The files that were written.
  public var outputs: Outputs
  /// The camera, or the colour space, whose components the pictures have.
  public var components: String
  /// What the colour of the flash rests on.
  public var flash: FlashBasis
  /// What was found in the pictures.
  public var measurement: Measurement
  /// The picture could be believed; otherwise it was not written, and a fallback is the ambient picture.
  public var isBelieved: Bool
  /// The mean confidence that was asked for; nil: none.
  public var minimumConfidence: Double?
  /// What the reader should know, in sentences.
  public var warnings: [String]
  /// The colours of the areas of interest.
  public var regions: [Region]

  /// A report of a picture that was believed, without outputs and warnings by default.
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
    /// The picture with it.
    public var flash: String

    /// Names as people read them.
    public init(ambient: String, flash: String) {
      self.ambient = ambient
      self.flash = flash
    }
  }

  /// Names of what was written; nil: it was not.
  public struct Outputs: Sendable, Hashable {
    /// The picture of constant colour.
    public var picture: String?
    /// The ambient picture.
    public var fallback: String?
    /// The confidence map.
    public var confidenceMap: String?

    /// Nothing by default.
    public init(picture: String? = nil, fallback: String? = nil, confidenceMap: String? = nil) {
      self.picture = picture
      self.fallback = fallback
      self.confidenceMap = confidenceMap
    }
  }
}
