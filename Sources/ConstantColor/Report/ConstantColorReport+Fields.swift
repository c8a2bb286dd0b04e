internal import Frames

extension ConstantColorReport.Measurement: Codable {
  private enum Key: String, CodingKey {
    case size, movement, scale
    case exposureRatio = "exposure_ratio"
    case exposureSource = "exposure_source"
    case confidence = "center_weighted_mean_confidence"
    case shareBelieved = "share_believed"
  }

  /// JSON names of the exposure sources.
  private static let sources: [(name: String, source: ConstantColorResult.ExposureSource)] = [
    ("stated", .stated), ("pictures", .pictures), ("assumed_equal", .assumedEqual),
  ]

  /// Decodes the fields without validation.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let name = try values.decode(String.self, forKey: .exposureSource)
    guard let source = Self.sources.first(where: { $0.name == name })?.source else {
      throw ReportError.range(field: Key.exposureSource.rawValue)
    }
    self.init(
      size: try values.decode(Size.self, forKey: .size),
      exposureRatio: try values.decode(Double.self, forKey: .exposureRatio), exposureSource: source,
      movement: try values.decode(Movement.self, forKey: .movement),
      scale: try values.decode(Double.self, forKey: .scale),
      centerWeightedMeanConfidence: try values.decode(Double.self, forKey: .confidence),
      shareBelieved: try values.decode(Double.self, forKey: .shareBelieved))
  }

  /// Writes keys in snake case.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(size, forKey: .size)
    try values.encode(exposureRatio, forKey: .exposureRatio)
    try values.encode(Self.sources.first { $0.source == exposureSource }?.name, forKey: .exposureSource)
    try values.encode(movement, forKey: .movement)
    try values.encode(scale, forKey: .scale)
    try values.encode(centerWeightedMeanConfidence, forKey: .confidence)
    try values.encode(shareBelieved, forKey: .shareBelieved)
  }
}

extension ConstantColorReport.Region: Codable {
  private enum Key: String, CodingKey {
    case name, area, lab, uncertainty, confidence, xyz, srgb
  }

  /// Decodes the fields without validation; XYZ and sRGB are derived from L*, a*, b*.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    name = try values.decodeIfPresent(String.self, forKey: .name)
    area = try values.decode(PictureArea.self, forKey: .area)
    lab = try values.decodeIfPresent(SIMD3<Double>.self, forKey: .lab)
    uncertainty = try values.decodeIfPresent(SIMD3<Double>.self, forKey: .uncertainty)
    confidence = try values.decode(Double.self, forKey: .confidence)
  }

  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(area, forKey: .area)
    try values.encode(lab, forKey: .lab)
    try values.encode(uncertainty, forKey: .uncertainty)
    try values.encode(confidence, forKey: .confidence)
    try values.encode(xyz, forKey: .xyz)
    try values.encode(hexadecimal, forKey: .srgb)
  }
}
