internal import ColorScience

/// Screen properties reported by a browser.
///
/// Source: W3C Media Queries Level 5, 5.5 `dynamic-range` and `video-dynamic-range`, 6.4 `color-gamut`.
public struct BrowserScreen: Sendable, Hashable {
  /// The minimum gamut of a screen.
  public enum Gamut: String, Sendable, Hashable, Codable, CaseIterable {
    /// Approximately BT.709, P3 and BT.2020.
    case srgb, p3, rec2020
  }

  /// The screen can exceed SDR white.
  public var isHDR: Bool
  /// The screen's gamut; nil: not reported.
  public var gamut: Gamut?
  /// Bits per component.
  public var bitDepth: Int

  /// Creates a screen description.
  public init(isHDR: Bool, gamut: Gamut? = nil, bitDepth: Int = 8) {
    (self.isHDR, self.gamut, self.bitDepth) = (isHDR, gamut, bitDepth)
  }
}

extension DisplayModel {
  /// A display model for a browser's screen. SDR is modelled as a BT.709 display. No browser reports luminance: HDR
  /// screens are assumed to belong to the 1000 cd/m² class, with SDR white no brighter than the diffuse white of HDR
  /// video.
  ///
  /// Source: ITU-R BT.2408-7, 2.1 (203 cd/m²).
  /// - Parameter screen: The reported properties.
  public init(_ screen: BrowserScreen) {
    guard screen.isHDR else {
      self.init(
        "SDR screen", peak: ReferenceMode.sdrWhite, sdrWhite: ReferenceMode.sdrWhite, primaries: .bt709,
        transfer: .bt1886)
      bitDepth = screen.bitDepth
      return
    }
    self.init(
      "HDR screen", peak: ReferenceMode.peak, sdrWhite: 203, minimumSDRWhite: ReferenceMode.sdrWhite,
      // A browser that does not know the gamut does its own gamut mapping.
      primaries: screen.gamut == .p3 ? .displayP3 : .bt2020, transfer: .pq)
    (bitDepth, isPeakAssumed) = (screen.bitDepth, true)
  }
}
