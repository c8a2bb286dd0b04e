public import ColorScience

/// What the DisplayID sections of an EDID say of the panel.
///
/// Source: VESA DisplayID 1.3, 4.2 and 4.3; VESA DisplayID 2.0, 4.2.
public struct DisplayID: Sendable, Hashable, Codable {
  /// What stated luminances promise. Source: VESA DisplayID 2.0, 4.2.
  public enum LuminanceMeaning: Sendable, Hashable, Codable {
    /// The display reaches at least these.
    case guaranteed
    /// Hints for the source, such as for tone mapping.
    case guidance
  }

  /// Version and revision of the first section's structure, such as 1.2 or 2.0.
  public let version: EDID.Version
  /// Size of the picture, in steps of 0.01 or 0.1 cm; nil if it is not stated.
  /// Source: VESA DisplayID 1.3, 4.2; VESA DisplayID 2.0, 4.2.
  public internal(set) var size: EDID.ScreenSize?
  /// Pixels of a line of the panel, 1...65535; nil if not stated.
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
  /// Native primaries and white, in steps of 1/4096; nil if they are not stated or span no triangle around the white.
  /// Source: VESA DisplayID 1.3, 4.3; VESA DisplayID 2.0, 4.2.
  public internal(set) var primaries: RGBSpace?
  /// Native maximum luminance of a white screen in cd/m²; nil if not stated. Source: VESA DisplayID 2.0, 4.2.
  public internal(set) var maxFullScreenLuminance: Double?
  /// Native maximum luminance of a white rectangle of 10 % of the screen in cd/m²; nil if not stated.
  /// Source: VESA DisplayID 2.0, 4.2.
  public internal(set) var maxLuminance: Double?
  /// Native minimum luminance in cd/m²; nil if not stated. Source: VESA DisplayID 2.0, 4.2.
  public internal(set) var minLuminance: Double?
  /// What the luminances promise; nil if none can be stated or the code is reserved.
  public internal(set) var luminanceMeaning: LuminanceMeaning?

  init(version: EDID.Version) {
    self.version = version
  }
}
