import ColorScience
import Glibc

extension ToneCurve {
  /// The conversion of HDR to SDR for programme exchange, on Y'CbCr.
  public static let bt2446a = ToneCurve(
    name: "bt2446a", summary: "perceptual luma curve with colour correction (ITU-R BT.2446-1 method A)"
  ) { conditions in
    conditions.fitsDisplay
      ? .identity(displayPeak: conditions.display.peak)
      : ToneMapper(BT2446A(contentPeak: conditions.contentPeak, displayPeak: conditions.display.peak))
  }
}

/// Method A of BT.2446: a luma curve in a perceptual domain, with colour differences scaled accordingly.
///
/// The report specifies it for 1000 to 100 cd/m². The two peaks affect only the perceptual domain, so other pairs are
/// possible.
/// Source: ITU-R BT.2446-1 (2021), method A.
public struct BT2446A: Sendable {
  /// Content luminance in cd/m² of input signal 1.
  public let contentPeak: Double
  /// Display luminance in cd/m² of output signal 1.
  public let displayPeak: Double
  private let contentRho: Double
  private let displayRho: Double

  /// Smallest luma that the chroma gain is computed for; below it the gain is constant.
  private static let lumaFloor = 1e-6
  private static let matrix = YCbCrMatrix.bt2020

  /// The method for peaks of content and display in cd/m², above 0.
  public init(contentPeak: Double, displayPeak: Double) {
    self.contentPeak = contentPeak
    self.displayPeak = displayPeak
    contentRho = Self.rho(contentPeak)
    displayRho = Self.rho(displayPeak)
  }

  private static func rho(_ peak: Double) -> Double { 1 + 32 * pow(peak / 10_000, 1 / 2.4) }

  /// Applies the luma curve.
  /// - Parameter luma: Y' of the content, gamma 2.4, 1 at its peak; negative values are treated as 0.
  /// - Returns: Y' of the display, gamma 2.4, 1 at its peak.
  public func luma(_ luma: Double) -> Double {
    let perceptual = log(1 + (contentRho - 1) * max(luma, 0)) / log(contentRho)
    let compressed =
      switch perceptual {
      case ...0.7399: 1.0770 * perceptual
      case ..<0.9909: (-1.1510 * perceptual + 2.7811) * perceptual - 0.6302
      default: 0.5 * perceptual + 0.5
      }
    return (pow(displayRho, compressed) - 1) / (displayRho - 1)
  }

  /// Maps one colour with the whole method.
  /// - Parameter rgb: Linear BT.2020 components in content cd/m², limited to 0...`contentPeak`.
  /// - Returns: Linear BT.2020 components in display cd/m², from 0 to the display's peak.
  public func map(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let signal = Self.power(rgb / contentPeak, 1 / 2.4)
    let hdr = Self.matrix.ycbcr(fromRGB: signal)
    let y = max(hdr.x, Self.lumaFloor)
    let gain = luma(y) / y
    let cb = hdr.y * gain / 1.1
    let cr = hdr.z * gain / 1.1
    let mapped = SIMD3(hdr.x * gain - max(0.1 * cr, 0), cb, cr)
    return Self.power(Self.matrix.rgb(fromYCbCr: mapped), 2.4) * displayPeak
  }

  /// Returns a power of components limited to 0...1.
  private static func power(_ v: SIMD3<Double>, _ exponent: Double) -> SIMD3<Double> {
    let v = v.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
    return SIMD3(pow(v.x, exponent), pow(v.y, exponent), pow(v.z, exponent))
  }
}
