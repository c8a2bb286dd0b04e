public import Frames
public import ImageFiles
public import Sessions

/// A picture of constant colour from two pictures: one with the flash, and one without.
public struct ConstantColorRequest: Sendable, Hashable, Codable {
  /// Where the two pictures come from.
  public enum Source: Sendable, Hashable, Codable {
    /// Two stills.
    case stills(ambient: String, flash: String)
    /// Two frames of a clip or a capture device.
    case frames(of: String, FlashFrameChoice)
  }

  /// An area of interest.
  public struct Region: Sendable, Hashable, Codable {
    /// In pixels of the picture as it is shown.
    public var area: PictureArea
    /// How reports call it; nil: by its number.
    public var name: String?

    /// An area, with a name or without.
    public init(area: PictureArea, name: String? = nil) { (self.area, self.name) = (area, name) }
  }

  /// What is known about the colour of the flash.
  public enum Flash: Sendable, Hashable, Codable {
    /// Nothing: a temperature is assumed.
    case assumed
    /// Its correlated colour temperature in kelvins.
    case temperature(Double)
    /// R, G and B of a neutral surface in its light.
    case neutral(SIMD3<Double>)
    /// The file of a calibration.
    case calibration(String)
  }

  /// The two pictures.
  public var source: Source
  /// The file of the picture; its suffix is that of a picture format.
  public var output: String
  /// The colour space of the pictures; nil: linear light for formats that hold no other, else sRGB.
  public var space: ImageSpace?
  /// nil: the format's default.
  public var bitDepth: Int?
  /// The file of the ambient picture; nil: none.
  public var fallback: String?
  /// Mean confidence below which there is no picture of constant colour; nil: any will do.
  public var minimumConfidence: Double?
  /// The file of the confidence map; nil: none.
  public var confidenceMap: String?
  /// The file of the report as JSON; nil: none.
  public var report: String?
  /// The file of the report as a page, or the folder that it is made in; nil: none.
  public var page: String?
  /// Areas whose colour is measured.
  public var regions: [Region] = []
  /// Exposure of the ambient picture over that of the flash picture; nil: what the pictures state.
  public var exposureRatio: Double?
  /// The colour of the flash.
  public var flash = Flash.assumed
  /// Movement between the pictures is found.
  public var registers = true
  /// Existing files are replaced.
  public var overwrites = false
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  /// A picture from a pair, with the defaults that the properties state.
  public init(_ source: Source, output: String) { (self.source, self.output) = (source, output) }

  /// What is read.
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
