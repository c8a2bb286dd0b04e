internal import FFmpegIO
public import Frames

/// Known properties of the input's light, and metadata of an HDR10 output.
public struct MetadataRequest: DefaultedRequest, Hashable, Codable {
  /// A mastering display to state.
  public enum MasteringDisplayChoice: Sendable, Hashable, Codable {
    /// The input's.
    case copied
    /// A value stated by the user.
    case value(MasteringDisplay)
  }

  /// MaxCLL and MaxFALL to state.
  public enum ContentLightChoice: Sendable, Hashable, Codable {
    /// The input's.
    case copied
    /// The light of the coded frames, measured in an extra pass.
    case measured
    /// Values stated by the user.
    case value(ContentLight)
  }

  /// The light of the input, which takes precedence over its metadata.
  public enum InputLight: Sendable, Hashable, Codable {
    /// A measurement in a file.
    case file(String)
    /// The result of a measuring pass over the input.
    case measured
  }

  /// Known light of the input; nil: from its metadata.
  public var inputLight: InputLight?
  /// Percentile of each frame's pixels that defines the measured peak; nil: 99.995.
  public var peakPercentile: Double?
  /// nil: derived from the output.
  public var masteringDisplay: MasteringDisplayChoice?
  /// nil: the input's if its light is unchanged, otherwise an upper bound.
  public var contentLight: ContentLightChoice?

  public static let defaults = MetadataRequest()

  /// Derived metadata, without a measurement.
  public init() {}

  /// Source: libplacebo, `pl_peak_detect_high_quality_params`.
  static let defaultPeakPercentile = 99.995

  /// Checks the values against a mapping.
  /// - Throws: `Refusal` for impossible light levels, and for measurements that reference mode would ignore.
  public func validate(with mapping: MappingRequest) throws(Refusal) {
    if let inputLight, mapping.isReference {
      throw .invalid(.exclusive(.display, inputLight == .measured ? .peakDetection : .measured))
    }
    try MetadataOptions.check(self)
    if case .value(let display) = masteringDisplay { try display.validate() }
    guard case .value(let light) = contentLight else { return }
    let most = min(light.maxCLL, 10_000)
    if light.maxCLL > most || light.maxFALL > most {
      throw .invalid(.outOfRange(.contentLight, light.text, "0,0", "\(most),\(most) cd/m²"))
    }
  }

  /// The input has to be measured first.
  var measuresInput: Bool {
    get { inputLight == .measured }
    set { inputLight = newValue ? .measured : nil }
  }

  /// The coded frames have to be measured first.
  var measuresOutput: Bool { contentLight == .measured }
}

extension MasteringDisplay {
  /// - Throws: `Refusal` for an impossible display.
  fileprivate func validate() throws(Refusal) {
    for point in [red, green, blue, white] where Double(max(point.x, point.y)) > Self.chromaticityUnits {
      let larger = Double(max(point.x, point.y)) / Self.chromaticityUnits
      throw .invalid(.outOfRange(.masteringDisplay, "\(larger)", "0", "1"))
    }
    let (most, least) = (Double(maxLuminance) / Self.luminanceUnits, Double(minLuminance) / Self.luminanceUnits)
    guard most <= 10_000, least < most else {
      throw .invalid(.outOfRange(.masteringDisplay, "L(\(most),\(least))", "L(0.0001,0.0)", "L(10000.0,0.0) cd/m²"))
    }
  }
}
