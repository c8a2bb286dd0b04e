import Glibc

/// The transfer function of H.273 between linear light and the signal that a matrix is applied to: the encoder's, not a
/// display's.
///
/// Light and signal are nominally 0...1; 1 is white, or 10,000 cd/m² for PQ. All but PQ continue above 1; negative
/// values become 0.
/// Source: ITU-T H.273 (07/2021), table 3.
public enum CodingCurve: Sendable, Hashable {
  /// BT.709, BT.601 and BT.2020; xvYCC and BT.1361 are the same within 0...1.
  case camera
  /// SMPTE ST 240-1: a linear segment and a power of 0.45.
  case smpte240M
  /// IEC 61966-2-1: a linear segment and a power of 1 / 2.4.
  case sRGB
  /// A pure power: signal = light^(1 / exponent), with no linear segment.
  case power(Double)
  /// Linear: the signal is the light.
  case linear
  /// SMPTE ST 2084: signal 1 is 10,000 cd/m².
  case pq
  /// The OETF of ITU-R BT.2100-2 HLG: signal 1 is scene light 1.
  case hlg

  /// The curve of a code point.
  /// - Returns: nil if unspecified, and for unsupported curves.
  public init?(_ transfer: TransferCharacteristics) {
    switch transfer {
    case .bt709, .smpte170M, .bt2020TenBit, .bt2020TwelveBit, .iec61966_2_4, .bt1361: self = .camera
    case .smpte240M: self = .smpte240M
    case .sRGB: self = .sRGB
    case .gamma22: self = .power(2.2)
    case .gamma28: self = .power(2.8)
    case .linear: self = .linear
    case .pq: self = .pq
    case .hlg: self = .hlg
    case .unspecified, .log100, .log316, .smpteST428: return nil
    }
  }

  /// Light to signal.
  /// - Parameter light: Negative values are treated as 0.
  public func signal(fromLight light: Double) -> Double {
    let light = nonNegative(light)
    return switch self {
    case .camera: BT709Transfer.oetf(light)
    case .smpte240M: light < Self.beta240 ? 4 * light : Self.alpha240 * pow(light, 0.45) - (Self.alpha240 - 1)
    case .sRGB: SRGB.inverseEOTF(light)
    case .power(let exponent): pow(light, 1 / exponent)
    case .linear: light
    // Exactly 0 for black, whose PQ signal would be 7e-7.
    case .pq: light > 0 ? PQ.inverseEOTF(light * PQ.peak) : 0
    case .hlg: HLG.oetf(light)
    }
  }

  /// Signal to light.
  /// - Parameter signal: Negative values are treated as 0.
  public func light(fromSignal signal: Double) -> Double {
    let signal = nonNegative(signal)
    return switch self {
    case .camera: BT709Transfer.inverseOETF(signal)
    case .smpte240M:
      signal < 4 * Self.beta240 ? signal / 4 : pow((signal + (Self.alpha240 - 1)) / Self.alpha240, 1 / 0.45)
    case .sRGB: SRGB.eotf(signal)
    case .power(let exponent): pow(signal, exponent)
    case .linear: signal
    case .pq: PQ.eotf(signal) / PQ.peak
    case .hlg: HLG.inverseOETF(signal)
    }
  }

  /// Makes the two pieces of SMPTE ST 240's curve meet with equal value and slope; printed as 1.1115 and 0.0228.
  private static let alpha240 = 1.111572195921731
  private static let beta240 = 0.022821585529445
}
