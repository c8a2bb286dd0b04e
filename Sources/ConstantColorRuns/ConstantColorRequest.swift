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
}
