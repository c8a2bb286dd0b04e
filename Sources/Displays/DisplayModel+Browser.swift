internal import ColorScience

/// What a browser says of the screen that it is on.
///
/// Source: W3C Media Queries Level 5, 5.5 `dynamic-range` and `video-dynamic-range`, 6.4 `color-gamut`.
public struct BrowserScreen: Sendable, Hashable {
  /// The least gamut that a screen reaches.
  public enum Gamut: String, Sendable, Hashable, Codable, CaseIterable {
    /// BT.709, P3 and BT.2020, or about that.
    case srgb, p3, rec2020
  }

  /// It shows more than SDR white.
  public var isHDR: Bool
  /// What it reaches; nil: nothing is said.
  public var gamut: Gamut?
  /// Bits of each component.
  public var bitDepth: Int

  /// A screen.
  public init(isHDR: Bool, gamut: Gamut? = nil, bitDepth: Int = 8) {
    (self.isHDR, self.gamut, self.bitDepth) = (isHDR, gamut, bitDepth)
  }
}

extension DisplayModel {
  /// A display of which a browser says this. SDR video is what it is on any display of BT.709. No browser says how bright a
  /// screen is: HDR screens are taken for those of the 1000 cd/m² class, whose SDR white is the diffuse white of HDR video at
  /// most.
  ///
  /// Source: ITU-R BT.2408-7, 2.1 (203 cd/m²).
  /// - Parameter screen: What it says.
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
      // A browser that does not know the gamut maps colours by itself.
      primaries: screen.gamut == .p3 ? .displayP3 : .bt2020, transfer: .pq)
    (bitDepth, isPeakAssumed) = (screen.bitDepth, true)
  }
}
