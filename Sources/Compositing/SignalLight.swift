internal import ColorScience
internal import Glibc

/// Converts between the components of a picture and linear light with 1 at reference white.
struct SignalLight {
  /// Luminance of reference white in cd/m². Source: ITU-R BT.2408-8 (2024), 2.1.
  private static let white = 203.0
  /// Scene light of reference white in HLG. Source: ITU-R BT.2408-8 (2024), table 1: signal 0.75.
  private static let sceneWhite = HLG.inverseOETF(0.75)

  let light: @Sendable (Double) -> Double
  let signal: @Sendable (Double) -> Double

  /// - Parameters:
  ///   - transfer: SDR signals represent display light: BT.1886, sRGB or a power.
  ///   - unit: Luminance in cd/m² of 1 in linear light; nil: reference white.
  /// - Returns: nil if the conversion is unknown.
  init?(_ transfer: TransferCharacteristics, unit: Double?) {
    switch transfer {
    case .pq: self.init({ PQ.eotf($0) / Self.white }, { PQ.inverseEOTF($0 * Self.white) })
    case .hlg: self.init({ HLG.inverseOETF($0) / Self.sceneWhite }, { HLG.oetf($0 * Self.sceneWhite) })
    case .linear:
      let factor = unit.map { $0 / Self.white } ?? 1
      self.init({ $0 * factor }, { $0 / factor })
    case .sRGB: self.init({ SRGB.eotf($0) }, { SRGB.inverseEOTF($0) })
    case .gamma22: self.init(power: 2.2)
    case .gamma28: self.init(power: 2.8)
    case .bt709, .smpte170M, .smpte240M, .bt2020TenBit, .bt2020TwelveBit, .iec61966_2_4, .bt1361:
      self.init(power: BT1886.exponent)
    case .log100, .log316, .smpteST428, .unspecified: return nil
    }
  }

  private init(power exponent: Double) {
    self.init(
      { pow($0.magnitude, exponent) * ($0 < 0 ? -1 : 1) }, { pow($0.magnitude, 1 / exponent) * ($0 < 0 ? -1 : 1) })
  }

  private init(_ light: @escaping @Sendable (Double) -> Double, _ signal: @escaping @Sendable (Double) -> Double) {
    self.light = light
    self.signal = signal
  }
}
