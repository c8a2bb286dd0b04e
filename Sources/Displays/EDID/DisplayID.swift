public import ColorScience

/// The panel data from the DisplayID sections of an EDID.
///
/// Source: VESA DisplayID 1.3, 4.2 and 4.3; VESA DisplayID 2.0, 4.2.
public struct DisplayID: Sendable, Hashable, Codable {
  /// The meaning of stated luminances. Source: VESA DisplayID 2.0, 4.2.
  public enum LuminanceMeaning: Sendable, Hashable, Codable {
    /// The display reaches at least these luminances.
    case guaranteed
    /// Hints for the source, such as for tone mapping.
    case guidance
  }

  /// Version and revision of the first section's structure, such as 1.2 or 2.0.
  public let version: EDID.Version
  /// Picture size, in steps of 0.01 or 0.1 cm; nil if not stated.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var size: EDID.ScreenSize?
  /// Pixels per line of the panel, 1...65535; nil if not stated.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var nativeWidth: Int?
  /// Lines of the panel, 1...65535; nil if not stated.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var nativeHeight: Int?
  /// Exponent of the native transfer characteristic, 1...3.54; nil if not stated.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var gamma: Double?
  /// Native bits per colour component, 1...16; nil if undefined.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var bitsPerColor: Int?
  /// Native primaries and white, in steps of 1/4096; nil if not stated, or if the white is outside their triangle.
  /// Source: VESA DisplayID 1.3, 4.3; VESA DisplayID 2.0, 4.2.
  public internal(set) var primaries: RGBSpace?
  /// Native maximum luminance of a white screen in cd/m²; nil if not stated. Source: VESA DisplayID 2.0, 4.2.
  public internal(set) var maxFullScreenLuminance: Double?
  /// Native maximum luminance of a white rectangle covering 10 % of the screen, in cd/m²; nil if not stated.
  /// Source: VESA DisplayID 2.0, 4.2.
  public internal(set) var maxLuminance: Double?
  /// Native minimum luminance in cd/m²; nil if not stated. Source: VESA DisplayID 2.0, 4.2.
  public internal(set) var minLuminance: Double?
  /// The meaning of the luminances; nil if it cannot be stated or the code is reserved.
  public internal(set) var luminanceMeaning: LuminanceMeaning?

  init(version: EDID.Version) {
    self.version = version
  }
}
