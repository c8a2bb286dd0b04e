/// Mastering display colour volume in the integer units of the SEI message, so that a copy is exact.
///
/// Source: SMPTE ST 2086 (2018); ISO/IEC 23008-2 (HEVC), D.2.28.
public struct MasteringDisplay: Sendable, Hashable, Codable {
  /// A chromaticity in units of 0.00002.
  public struct Chromaticity: Sendable, Hashable, Codable {
    /// CIE 1931 x in units of 0.00002.
    public var x: UInt16
    /// CIE 1931 y in units of 0.00002.
    public var y: UInt16

    /// In units of 0.00002: D65 is 15635, 16450.
    public init(x: UInt16, y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  /// Chromaticity of the display's red primary.
  public var red: Chromaticity
  /// Chromaticity of the display's green primary.
  public var green: Chromaticity
  /// Chromaticity of the display's blue primary.
  public var blue: Chromaticity
  /// Chromaticity of the display's white.
  public var white: Chromaticity
  /// Maximum luminance in units of 0.0001 cd/m².
  public var maxLuminance: UInt32
  /// Minimum luminance in units of 0.0001 cd/m².
  public var minLuminance: UInt32

  /// The integers of the message: 0.00002 for chromaticities, 0.0001 cd/m² for luminances.
  public init(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity,
    maxLuminance: UInt32, minLuminance: UInt32
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
    self.maxLuminance = maxLuminance
    self.minLuminance = minLuminance
  }

  /// Units of `maxLuminance` and `minLuminance` in one cd/m².
  public static let luminanceUnits: Double = 10_000
  /// Units of a chromaticity coordinate in 1.
  public static let chromaticityUnits: Double = 50_000

  /// Maximum luminance in cd/m².
  public var maxNits: Double { Double(maxLuminance) / Self.luminanceUnits }
  /// Minimum luminance in cd/m².
  public var minNits: Double { Double(minLuminance) / Self.luminanceUnits }
}
