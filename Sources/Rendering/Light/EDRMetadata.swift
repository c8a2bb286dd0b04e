public import ColorScience
public import Frames

/// The meaning of the light in a stream of linear frames: the descriptor that requests tone mapping.
///
/// A stream without one is not tone-mapped. Implausible values are replaced by defaults and listed in `ignored`.
public struct EDRMetadata: Sendable, Hashable, Codable {
  /// Whether the light is display-referred or scene-referred.
  public enum Kind: Sendable, Hashable, Codable {
    /// Display light; 1.0 in a linear buffer is `opticalOutputScale` cd/m².
    case hdr10(opticalOutputScale: Double)
    /// Scene light, which the OOTF converts to display light.
    case hlg
  }

  /// The kind of light, and for HDR10 its scale.
  public let kind: Kind
  /// Black of the mastering display in cd/m².
  public let minLuminance: Double
  /// Peak of the mastering display in cd/m².
  public let maxLuminance: Double
  /// The brightest pixel of the programme in cd/m²; nil: no plausible value.
  public let maxContentLight: Double?
  /// The viewing environment that the content is made for.
  public let ambientViewing: AmbientViewing?
  /// One sentence per implausible value.
  public let ignored: [String]

  /// Default black in cd/m².
  public static let defaultMinLuminance = 0.0
  /// Default peak in cd/m²: the fallback of ST 2094-50.
  public static let defaultMaxLuminance = 1000.0
  /// Luminance in cd/m² of 1.0 in linear buffers: diffuse white of a reference grading environment.
  public static let defaultOpticalOutputScale = 100.0
  /// Plausible peaks in cd/m²: from the white of a dim SDR screen to the maximum of PQ.
  package static let plausiblePeaks = 80.0...10_000

  /// Always true; mirrors the API of `CAEDRMetadata`.
  public static let isAvailable = true

  /// Peak luminance of the content in cd/m²: MaxCLL, else the mastering display's peak, else 1000.
  ///
  /// Source: SMPTE ST 2094-50 (draft of 2026), C.3.8, and the baseline used by its implementations.
  public var contentPeak: Double { maxContentLight ?? maxLuminance }
  /// Black of the content in cd/m².
  public var contentBlack: Double { minLuminance }

  /// Describes HDR10 content with a known luminance range of the mastering display.
  /// - Parameters:
  ///   - minLuminance: Black of the mastering display in cd/m², at least 0, below `maxLuminance`.
  ///   - maxLuminance: Peak of the mastering display in cd/m², 80...10000.
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

  /// Returns the descriptor of a stream from its metadata.
  /// - Parameters:
  ///   - transfer: PQ and linear light give HDR10, HLG gives HLG, everything else nil.
  ///   - metadata: For HDR10, mastering display and content light; if both are missing, 0.005...1000 cd/m² is assumed.
  ///     For HLG, the ambient viewing environment.
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
    let plausiblePeak = peak.flatMap { Self.plausiblePeaks.contains($0) ? $0 : nil }
    let fault = range.flatMap { Self.fault($0, contentPeak: plausiblePeak) }
    if let fault { ignored.append(fault) }
    let plausible = fault == nil ? range : nil
    // Dark content may validly state less than 80 cd/m²: it needs no curve, and is mapped according to the display.
    if let peak, peak == 0 || peak > Self.plausiblePeaks.upperBound {
      ignored.append(
        peak == 0 ? "MaxCLL is 0, which means unknown" : "MaxCLL of \(text(peak)) cd/m² is above 10000 cd/m²")
    }
    self.kind = kind
    minLuminance = plausible?.min ?? Self.defaultMinLuminance
    maxLuminance = plausible?.max ?? Self.defaultMaxLuminance
    maxContentLight = plausiblePeak
    self.ambientViewing = ambientViewing
    self.ignored = ignored
  }

  /// Whether the luminance range of a mastering display is plausible, given the content light of this descriptor.
  public func isPlausible(_ display: MasteringDisplay) -> Bool {
    Self.fault((display.minNits, display.maxNits), contentPeak: maxContentLight) == nil
  }

  /// Returns why a mastering range is implausible; nil if it is plausible.
  private static func fault(_ range: (min: Double, max: Double), contentPeak: Double?) -> String? {
    if !plausiblePeaks.contains(range.max) {
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

/// Formats a luminance, without ".0" for whole numbers.
private func text(_ nits: Double) -> String { Int(exactly: nits).map { "\($0)" } ?? "\(nits)" }
