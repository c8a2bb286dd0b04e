internal import ColorScience
internal import Frames
internal import Rendering

/// How signals become scene-referred light: by the inverse of the coding curve of H.273, whatever a display makes of it.
///
/// PQ codes the light of a display, which is taken to be proportional to that of the scene; 1 is 10,000 cd/m².
struct SceneCurve {
  /// The curve of the encoder.
  let coding: CodingCurve
  /// How a renderer carries the light in half floats, which has a unit that keeps them from underflow.
  let carrier: SignalTransfer

  /// Carried light of signal 1. Half floats end at 65504, and begin to lose precision below 2⁻¹⁴.
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
      // Displays use another curve: the signal itself is carried, as its square.
      case .camera, .smpte240M: .power(exponent: 2, peak: Self.carriedPeak)
      }
  }

  /// Light of each code of integer R'G'B': a table of all values that a sample can have in memory.
  func light(ofCodes scale: SampleScale) -> [Float] {
    let codes = (0...scale.maxCode).map { Float(coding.light(fromSignal: scale.luma(fromCode: $0))) }
    // What is above the largest code is not valid, but must not be read outside of the table.
    return codes + Array(repeating: codes[scale.maxCode], count: (scale.bitDepth > 8 ? 1 << 16 : 1 << 8) - codes.count)
  }

  /// Light of each half float that the carrier makes, by its bits.
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

  /// Linear samples, by their bits.
  static func lightOfHalves() -> [Float] { halves { $0 } }

  /// Samples that are no number are taken for clipped.
  private static func halves(_ light: (Double) -> Double) -> [Float] {
    (0...UInt16.max).map { bits in
      let sample = Float16(bitPattern: bits)
      return sample.isFinite ? Float(light(Double(sample))) : SharedMaximum.invalid
    }
  }

  /// The light at which channels saturate: that of signal 1 less half a code. HDR10 ends at the peak of its mastering
  /// display.
  ///
  /// Cameras clip at signal 1 or above it, in the super-white of limited range: the lower is the safe one.
  func saturation(_ scale: SampleScale, _ metadata: HDRMetadata) -> Float {
    var signal = 1.0
    if coding == .pq, let peak = metadata.masteringDisplay?.maxLuminance, peak > 0 {
      signal = min(signal, PQ.inverseEOTF(Double(peak) / 10_000))
    }
    return Float(coding.light(fromSignal: signal - 0.5 / scale.lumaScale))
  }

  /// Light between two codes at a typical brightness: a fifth of white, that of PQ being 203 cd/m² (BT.2408-7, 2.1).
  /// The steps of bright light are larger, as its noise is.
  func quantum(_ scale: SampleScale) -> Float {
    let light = 0.2 * (coding == .pq ? 203 / PQ.peak : 1)
    var (low, high) = (0.0, 1.0)
    // Every curve rises, so halving finds the signal.
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if coding.light(fromSignal: middle) < light { low = middle } else { high = middle }
    }
    return Float(coding.light(fromSignal: low + 1 / scale.lumaScale) - coding.light(fromSignal: low))
  }
}
