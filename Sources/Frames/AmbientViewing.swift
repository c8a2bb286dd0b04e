/// Ambient viewing environment that the content was made for, in the integer units of the SEI message.
///
/// Source: ISO/IEC 23002-7 (VSEI), D.3.39; payload type 148 of HEVC and AVC.
public struct AmbientViewing: Sendable, Hashable, Codable {
  /// Illuminance in units of 0.0001 lux.
  public var illuminance: UInt32
  /// CIE 1931 x of the ambient light, in units of 0.00002.
  public var lightX: UInt16
  /// CIE 1931 y of the ambient light, in units of 0.00002.
  public var lightY: UInt16

  /// The integers of the message: 0.0001 lux, and 0.00002 for the chromaticity.
  public init(illuminance: UInt32, lightX: UInt16, lightY: UInt16) {
    self.illuminance = illuminance
    self.lightX = lightX
    self.lightY = lightY
  }

  /// Illuminance in lux.
  public var lux: Double { Double(illuminance) / 10_000 }
}
