public import ColorScience
public import Frames

/// What the light in a stream of linear frames stands for: the descriptor that asks for tone mapping.
///
/// A stream without one is not tone mapped. Values that make no sense are never obeyed: they are replaced by
/// the defaults and named in `ignored`.
public struct EDRMetadata: Sendable, Hashable, Codable {
  /// Whether the light is that of a display or of a scene.
  public enum Kind: Sendable, Hashable, Codable {
    /// Display light; 1.0 in a linear buffer stands for `opticalOutputScale` cd/m².
    case hdr10(opticalOutputScale: Double)
    /// Scene light, from which the OOTF makes display light.
    case hlg
  }

  /// What the light is, and with HDR10 its scale.
  public let kind: Kind
  /// Black of the mastering display in cd/m².
  public let minLuminance: Double
  /// Peak of the mastering display in cd/m².
  public let maxLuminance: Double
  /// The brightest pixel of the programme in cd/m²; nil where nothing believable says it.
  public let maxContentLight: Double?
  /// Where the content is meant to be seen.
  public let ambientViewing: AmbientViewing?
  /// A sentence for each value that was not believed.
  public let ignored: [String]

  /// Range assumed where nothing says it, in cd/m²: a common mastering display, and the peak that ST 2094-50
  /// falls back to.
  public static let defaultMinLuminance = 0.005
  /// Peak in cd/m² assumed where nothing says it.
  public static let defaultMaxLuminance = 1000.0
  /// Luminance in cd/m² of 1.0 in linear buffers: diffuse white of a reference grading environment.
  public static let defaultOpticalOutputScale = 100.0
  /// Peaks in cd/m² that are believed: from the white of a dim SDR screen to the end of PQ.
  static let believablePeaks = 80.0...10_000

  /// Frames with this metadata can be tone mapped; always true, kept for code that asks.
  public static let isAvailable = true

  /// Peak luminance of the content in cd/m²: MaxCLL, else the mastering display's, else 1000.
  ///
  /// Source: SMPTE ST 2094-50 (draft of 2026), C.3.8 as its implementations choose the baseline.
  public var contentPeak: Double { maxContentLight ?? maxLuminance }
  /// Black of the content in cd/m².
  public var contentBlack: Double { minLuminance }

  /// HDR10 content of which only the luminance range of the mastering display is known.
  /// - Parameters:
  ///   - minLuminance: Black of the mastering display in cd/m², not negative, below `maxLuminance`.
  ///   - maxLuminance: Its peak in cd/m², 80...10000.
  ///   - opticalOutputScale: Luminance in cd/m² of 1.0 in linear buffers, above 0.
  public static func hdr10(
    minLuminance: Double, maxLuminance: Double, opticalOutputScale: Double = defaultOpticalOutputScale
  ) -> EDRMetadata {
    EDRMetadata(
      kind: .hdr10(opticalOutputScale: opticalOutputScale), range: (minLuminance, maxLuminance), light: nil,
      ambientViewing: nil)
  }

  /// HLG content for the reference viewing environment.
  public static let hlg = EDRMetadata(
    kind: .hlg, range: (0, defaultMaxLuminance), light: nil, ambientViewing: nil)

  /// The descriptor of a stream by what it carries.
  /// - Parameters:
  ///   - transfer: PQ and linear light give HDR10, HLG gives HLG, everything else nil.
  ///   - metadata: For HDR10, mastering display and content light; where both are missing 0.005...1000 cd/m² is
  ///     assumed. For HLG, the ambient viewing environment.
  ///   - opticalOutputScale: Luminance in cd/m² of 1.0 in linear buffers of display light.
  public static func describing(
    transfer: TransferCharacteristics, metadata: HDRMetadata,
    opticalOutputScale: Double = defaultOpticalOutputScale
  ) -> EDRMetadata? {
    switch transfer {
    case .pq, .linear:
      hdr10(
        display: metadata.masteringDisplay, light: metadata.contentLight, opticalOutputScale: opticalOutputScale)
    case .hlg:
      EDRMetadata(
        kind: .hlg, range: (0, defaultMaxLuminance), light: nil, ambientViewing: metadata.ambientViewing)
    default:
      nil
    }
  }

  static func hdr10(display: MasteringDisplay?, light: ContentLight?, opticalOutputScale: Double) -> EDRMetadata {
    EDRMetadata(
      kind: .hdr10(opticalOutputScale: opticalOutputScale), range: display.map { ($0.minNits, $0.maxNits) },
      light: light, ambientViewing: nil)
  }

  init(
    kind: Kind, range: (min: Double, max: Double)?, light: ContentLight?, ambientViewing: AmbientViewing?
  ) {
    var ignored: [String] = []
    let peak = light.map { Double($0.maxCLL) }
    let believedPeak = peak.flatMap { Self.believablePeaks.contains($0) ? $0 : nil }
    let fault = range.flatMap { Self.fault($0, contentPeak: believedPeak) }
    if let fault { ignored.append(fault) }
    let believed = fault == nil ? range : nil
    // Dark content says less than 80 cd/m² and is right: it needs no curve, and is mapped as the display says.
    if let peak, peak == 0 || peak > Self.believablePeaks.upperBound {
      ignored.append(
        peak == 0 ? "MaxCLL is 0, which means unknown" : "MaxCLL of \(text(peak)) cd/m² is above 10000 cd/m²")
    }
    self.kind = kind
    minLuminance = believed?.min ?? Self.defaultMinLuminance
    maxLuminance = believed?.max ?? Self.defaultMaxLuminance
    maxContentLight = believedPeak
    self.ambientViewing = ambientViewing
    self.ignored = ignored
  }

  /// The luminance range of a mastering display makes sense, beside the content light of this descriptor.
  public func believes(_ display: MasteringDisplay) -> Bool {
    Self.fault((display.minNits, display.maxNits), contentPeak: maxContentLight) == nil
  }

  /// Why a mastering range is not believed; nil where it is.
  private static func fault(_ range: (min: Double, max: Double), contentPeak: Double?) -> String? {
    if !believablePeaks.contains(range.max) {
      return "the mastering display's peak of \(text(range.max)) cd/m² is outside 80 to 10000 cd/m²"
    }
    if !(range.min >= 0 && range.min < range.max) {
      return
        "the mastering display's black of \(text(range.min)) cd/m² is not below its peak of \(text(range.max)) cd/m²"
    }
    if let contentPeak, range.min >= contentPeak {
      return
        "the mastering display's black of \(text(range.min)) cd/m² is not below MaxCLL of \(text(contentPeak)) cd/m²"
    }
    return nil
  }
}

/// A luminance without the ".0" of a whole number.
private func text(_ nits: Double) -> String { Int(exactly: nits).map { "\($0)" } ?? "\(nits)" }
