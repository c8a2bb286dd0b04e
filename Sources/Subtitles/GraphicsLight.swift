public import ColorScience
internal import Foundation
internal import Media

/// Converts graphics colours to the coded light of an output, with graphics white at 1.
///
/// In HLG, coded light is scene light. White is defined by its signal, and colours are chosen so that their light on
/// the display matches sRGB. Source: ITU-R BT.2100-2, table 5.
public struct GraphicsLight: Sendable {
  private let matrix: Matrix3
  private let wideMatrix: Matrix3
  private let gamma: Double

  /// - Parameters:
  ///   - primaries: Primaries of the coded light.
  ///   - systemGamma: Exponent of the OOTF from coded light to display light; 1: they are the same.
  public init(primaries: RGBSpace, systemGamma: Double = 1) {
    matrix = RGBSpace.conversion(from: .bt709, to: primaries)
    wideMatrix = RGBSpace.conversion(from: .bt2020, to: primaries)
    gamma = systemGamma
  }

  /// Returns the non-negative light of an sRGB colour.
  func light(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> SIMD3<Float> {
    light(SIMD4(red, green, blue, 255), .sRGB)
  }

  /// Returns the non-negative light of a palette colour, ignoring alpha.
  func light(_ code: SIMD4<UInt8>, _ coding: PaletteCoding) -> SIMD3<Float> {
    let matrices: [PaletteCoding: YCbCrMatrix] = [.bt601: .bt601, .bt709: .bt709, .bt2020PQ: .bt2020]
    let codes = SIMD3(Int(code.x), Int(code.y), Int(code.z))
    var signal = SIMD3(Double(codes.x), Double(codes.y), Double(codes.z)) / 255
    if let weights = matrices[coding] {
      let (luma, blue, red) = (
        Self.scale.luma(fromCode: codes.x), Self.scale.chroma(fromCode: codes.y), Self.scale.chroma(fromCode: codes.z)
      )
      signal = weights.rgb(fromYCbCr: SIMD3(luma, blue, red)).clamped(lowerBound: .zero, upperBound: .one)
    }
    if coding == .bt2020PQ {
      return coded(Self.linear(signal) { PQ.eotf($0) / Self.whiteOfPQ }, wideMatrix, limit: PQ.peak / Self.whiteOfPQ)
    }
    return coded(Self.linear(signal, SRGB.eotf), matrix, limit: 1)
  }

  private static let scale = SampleScale(bitDepth: 8, range: .narrow)

  /// Luminance of graphics white in eight-bit PQ: code 143, the nearest to 203 cd/m². Source: ITU-R BT.2408-7, 2.1.
  private static let whiteOfPQ = PQ.eotf(scale.luma(fromCode: scale.code(fromLuma: PQ.inverseEOTF(203))))

  private static func linear(_ signal: SIMD3<Double>, _ eotf: (Double) -> Double) -> SIMD3<Double> {
    SIMD3(eotf(signal.x), eotf(signal.y), eotf(signal.z))
  }

  /// Converts display light to coded light.
  private func coded(_ linear: SIMD3<Double>, _ matrix: Matrix3, limit: Double) -> SIMD3<Float> {
    // Matrix rounding errors would make white slightly more or less than 1.
    if linear.x == linear.y, linear.y == linear.z { return SIMD3(repeating: Float(pow(linear.x, 1 / gamma))) }
    var rgb = matrix * linear
    rgb.clamp(lowerBound: .zero, upperBound: SIMD3(repeating: limit))
    // F = Y^(γ-1) E, so E = F · Y(F)^((1-γ)/γ).
    let luminance = (rgb * HLG.luminance).sum()
    if gamma != 1, luminance > 0 { rgb *= pow(luminance, (1 - gamma) / gamma) }
    return SIMD3(Float(rgb.x), Float(rgb.y), Float(rgb.z))
  }
}
