internal import ColorScience
internal import Frames
internal import Rendering

/// Converts signals to scene light by the inverse of the H.273 transfer function, whatever a display does.
///
/// PQ light is display-referred and assumed to be proportional to scene light; 1 is 10,000 cd/m².
struct SceneCurve {
  /// The curve of the encoder.
  let coding: CodingCurve
  /// The transfer function by which a renderer carries the light in half floats, in a unit that avoids underflow.
  let carrier: SignalTransfer

  /// Carried light of signal 1. Half floats end at 65504 and lose precision below 2⁻¹⁴.
  private static let carriedPeak = 0x1p13

  init(_ transfer: TransferCharacteristics) throws(SceneConversionError) {
    guard let coding = CodingCurve(transfer) else { throw .unsupportedTransfer(transfer) }
    self.coding = coding
    carrier =
      switch coding {
      case .pq: .pq(unit: 1)
      case .hlg: .hlg
      case .sRGB: .sRGB(peak: Self.carriedPeak)
      case .power(let exponent): .power(exponent: exponent, peak: Self.carriedPeak)
      case .linear: .linear(unit: 1)
      // Displays use another curve, so the signal itself is carried, squared.
      case .camera, .smpte240M: .power(exponent: 2, peak: Self.carriedPeak)
      }
  }

  /// Returns the light of each code of integer R'G'B', for all values that a sample can have in memory.
  func light(ofCodes scale: SampleScale) -> [Float] {
    let codes = (0...scale.maxCode).map { Float(coding.light(fromSignal: scale.luma(fromCode: $0))) }
    // Values above the largest code are invalid, but reads must stay inside the table.
    return codes + Array(repeating: codes[scale.maxCode], count: (scale.bitDepth > 8 ? 1 << 16 : 1 << 8) - codes.count)
  }

  /// Returns the light of each half float from the carrier, by its bits.
  func lightOfCarrier() -> [Float] {
    Self.halves { carried in
      switch coding {
      case .pq: carried / PQ.peak
      case .hlg, .linear: carried
      case .sRGB, .power: carried / Self.carriedPeak
      case .camera, .smpte240M: coding.light(fromSignal: (max(carried, 0) / Self.carriedPeak).squareRoot())
      }
    }
  }

  /// Returns linear samples by their bits.
  static func lightOfHalves() -> [Float] { halves { $0 } }

  /// NaN samples are treated as clipped.
  private static func halves(_ light: (Double) -> Double) -> [Float] {
    (0...UInt16.max).map { bits in
      let sample = Float16(bitPattern: bits)
      return sample.isFinite ? Float(light(Double(sample))) : SharedMaximum.invalid
    }
  }

  /// Returns the light at which channels saturate: signal 1 less half a code, or for HDR10, the peak of the mastering
  /// display.
  ///
  /// Cameras clip at signal 1 or above, in the super-white of limited range: the lower limit is the safe one.
  func saturation(_ scale: SampleScale, _ metadata: HDRMetadata) -> Float {
    var signal = 1.0
    if coding == .pq, let peak = metadata.masteringDisplay?.maxLuminance, peak > 0 {
      signal = min(signal, PQ.inverseEOTF(Double(peak) / 10_000))
    }
    return Float(coding.light(fromSignal: signal - 0.5 / scale.lumaScale))
  }

  /// Returns the light between two codes at a typical brightness: a fifth of white; PQ white is 203 cd/m² (BT.2408-7,
  /// 2.1). Steps are larger in bright light, and so is its noise.
  func quantum(_ scale: SampleScale) -> Float {
    let light = 0.2 * (coding == .pq ? 203 / PQ.peak : 1)
    var (low, high) = (0.0, 1.0)
    // Every curve is monotonic, so bisection finds the signal.
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if coding.light(fromSignal: middle) < light { low = middle } else { high = middle }
    }
    return Float(coding.light(fromSignal: low + 1 / scale.lumaScale) - coding.light(fromSignal: low))
  }
}
