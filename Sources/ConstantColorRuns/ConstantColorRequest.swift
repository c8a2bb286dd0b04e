public import Frames
public import ImageFiles
public import Sessions

/// A constant-colour picture from a picture with the flash and one without.
public struct ConstantColorRequest: Sendable, Hashable, Codable {
  /// Where the two pictures come from.
  public enum Source: Sendable, Hashable, Codable {
    /// Two stills.
    case stills(ambient: String, flash: String)
    /// Two frames of a clip or a capture device.
    case frames(of: String, FlashFrameChoice)
  }

  /// A region of interest.
  public struct Region: Sendable, Hashable, Codable {
    /// In pixels of the upright picture.
    public var area: PictureArea
    /// Name in reports; nil: its number.
    public var name: String?

    /// A region, with or without a name.
    public init(area: PictureArea, name: String? = nil) { (self.area, self.name) = (area, name) }
  }

  /// Source of the flash colour.
  public enum Flash: Sendable, Hashable, Codable {
    /// Unknown: assumes a temperature.
    case assumed
    /// Its correlated colour temperature in kelvins.
    case temperature(Double)
    /// R, G and B of a neutral surface lit by the flash.
    case neutral(SIMD3<Double>)
    /// A calibration file.
    case calibration(String)
  }

  /// The two pictures.
  public var source: Source
  /// Output file; its suffix selects the picture format.
  public var output: String
  /// Colour space of the pictures; nil: linear light for formats that support nothing else, otherwise sRGB.
  public var space: ImageSpace?
  /// nil: the format's default.
  public var bitDepth: Int?
  /// Output file of the ambient picture; nil: none.
  public var fallback: String?
  /// Mean confidence below which no constant-colour picture is written; nil: no minimum.
  public var minimumConfidence: Double?
  /// Output file of the confidence map; nil: none.
  public var confidenceMap: String?
  /// Output file of the JSON report; nil: none.
  public var report: String?
  /// Output file or folder of the report as a page; nil: none.
  public var page: String?
  /// Regions whose colour is measured.
  public var regions: [Region] = []
  /// Exposure of the ambient picture relative to the flash picture; nil: from the pictures' metadata.
  public var exposureRatio: Double?
  /// The colour of the flash.
  public var flash = Flash.assumed
  /// Compensates movement between the pictures.
  public var registers = true
  /// Replaces existing files.
  public var overwrites = false
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  /// A picture from a pair, with the default values.
  public init(_ source: Source, output: String) { (self.source, self.output) = (source, output) }

  /// Input files.
  var filesRead: [String] {
    let pictures =
      switch source {
      case .stills(let ambient, let flash): [ambient, flash]
      case .frames(let name, _): [name]
      }
    if case .calibration(let path) = flash { return pictures + [path] }
    return pictures
  }

  static let maximumRegions = 100
  /// Range of flash colour temperatures in kelvins.
  private static let temperatures = 1667.0...25_000
  /// Range of the components of a neutral surface, in any unit.
  private static let neutrals = 1e-9...1e9

  /// Checks the values and their combinations.
  /// - Throws: `Refusal`
  public func validate() throws(Refusal) {
    try processing.validate()
    try validateFlash()
    try exposureRatio?.checkExposureRatio()
    if let minimumConfidence, !(0...1).contains(minimumConfidence) {
      throw .invalid(.outOfRange(.minimumConfidence, "\(minimumConfidence)", "0", "1"))
    }
    if regions.count > Self.maximumRegions {
      throw .invalid(.outOfRange(.region, "\(regions.count)", "0", "\(Self.maximumRegions)"))
    }
    let names = regions.compactMap(\.name)
    if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw .invalid(
        "region-name-taken", "\(.region) names two areas '\(name)': give each a different name.")
    }
    if case .frames(_, .numbered(let ambient, let flash)) = source, ambient == flash || min(ambient, flash) < 0 {
      throw .invalid(
        "no-frame-pair", "Frames \(ambient) and \(flash) are no pair: choose two with \(.flashFrames).")
    }
    _ = try form(of: output)
    if let fallback { _ = try form(of: fallback) }
    if let confidenceMap { _ = try Self.mapFormat(confidenceMap) }
  }

  private func validateFlash() throws(Refusal) {
    switch flash {
    case .temperature(let kelvins) where !Self.temperatures.contains(kelvins):
      throw .invalid(.outOfRange(.flashTemperature, "\(kelvins)", "1667", "25000 K"))
    case .neutral(let rgb) where !(Self.neutrals.contains(rgb.min()) && Self.neutrals.contains(rgb.max())):
      throw .invalid(
        "neutral-not-positive",
        "\(.neutral) takes three numbers above 0, not \(rgb.x.words),\(rgb.y.words),\(rgb.z.words).")
    default: break
    }
  }

  /// Returns the picture format for a file name.
  /// - Throws: `Refusal` if it is not a picture format, or does not support the requested properties.
  func form(of name: String) throws(Refusal) -> ScenePictureForm {
    guard let format = ImageFormat(suffixOf: name), !format.holdsManyFrames else {
      throw .invalid(
        "not-a-picture-name",
        "'\(name)' is not the name of a picture: use a name that ends in .png, .tiff, .jxl, .avif or .exr.")
    }
    let chosen = space ?? (format.spaces.contains(.sRGB) ? .sRGB : .linearBT2020)
    guard format.spaces.contains(chosen), chosen != .display else {
      throw .invalid(.cannotCarry(format, chosen))
    }
    if let bitDepth, chosen.isLinear || !format.bitDepths.contains(bitDepth) {
      throw .invalid(.bitDepth(bitDepth, format, isLinear: chosen.isLinear))
    }
    return ScenePictureForm(format: format, space: chosen, bitDepth: bitDepth)
  }

  /// Returns the format of a confidence map with this file name.
  static func mapFormat(_ name: String) throws(Refusal) -> ImageFormat {
    guard let format = ImageFormat(suffixOf: name), [.exr, .png, .tiff].contains(format) else {
      throw .invalid(
        "not-a-map-name",
        "'\(name)' is not the name of a confidence map: use a name that ends in .exr, .png or .tiff.")
    }
    return format
  }
}
