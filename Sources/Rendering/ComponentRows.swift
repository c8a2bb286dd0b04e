internal import ColorScience
internal import Frames

/// Converts rows of words to linear light for models without a kernel: in `Double`, pixel by pixel, with tabulated
/// curves.
///
/// An order of magnitude slower than the kernels, and identical in every tier. `Float` errors would be visible where
/// differences cancel, as in the green of constant luminance and in anything derived from cone responses.
struct ComponentRows: Sendable {
  /// The conversion of signals to light.
  private enum Form: Sendable {
    /// R'G'B' by a matrix.
    case linear(Matrix3)
    /// `linear` is the inverse of the coding curve; `green` converts linear G to light in band units.
    case constantLuminance(ConstantLuminance, linear: CurveTable, green: CurveTable)
    /// Cone responses by one matrix, their light by another.
    case cones(signal: Matrix3, light: Matrix3, peak: Double)
  }

  /// Rows of words at luma resolution.
  @unsafe
  struct Words {
    let luma: UnsafePointer<UInt16>
    let cb: UnsafePointer<UInt16>
    let cr: UnsafePointer<UInt16>
  }

  private let form: Form
  /// Light of a signal in band units.
  private let curve: CurveTable
  private let gain: SIMD3<Double>
  private let offset: SIMD3<Double>

  /// - Parameters:
  ///   - reach: The largest signal that is not clipped.
  ///   - chromaScale: The scale of chroma words.
  /// - Returns: nil for models with a kernel.
  init?(
    _ model: ComponentModel, format: PixelFormat, transfer: SignalTransfer, reach: Double, chromaScale: Double
  ) {
    func light(_ signal: Double) -> Double { transfer.light(fromSignal: signal, reach: reach) }
    switch model {
    case .rgb, .ycbcr: return nil
    case .linear(let matrix, _): form = .linear(matrix)
    case .constantLuminance(let model):
      let coding = model.curve
      form = .constantLuminance(
        model, linear: CurveTable(end: reach, coding.light),
        green: CurveTable(end: coding.light(fromSignal: reach)) { light(coding.signal(fromLight: $0)) })
    case .ictcp(let cones): form = .cones(signal: cones, light: ICtCp.lms.inverse, peak: light(reach))
    }
    curve = CurveTable(end: reach, light)
    let codes = SampleScale(bitDepth: format.layout.bitDepth, range: format.color.range)
    let chroma = 1 / (model.hasLumaScale ? codes.lumaScale : codes.chromaScale)
    let zero = -codes.chromaOffset * chroma
    let luma = 1 / codes.lumaScale
    gain = SIMD3(luma / Double(1 << format.layout.sampleShift), chroma / chromaScale, chroma / chromaScale)
    offset = SIMD3(-codes.lumaOffset * luma, zero, zero)
  }

  /// Fills `light` with the light of a row.
  @unsafe
  func linearize(_ words: Words, into light: LinearBand.Row, count: Int) {
    curve.withPoints { curve in
      switch form {
      case .linear(let matrix):
        unsafe run(words, light, count) { components in
          let signal = matrix * components
          return SIMD3(curve.value(at: signal.x), curve.value(at: signal.y), curve.value(at: signal.z))
        }
      case .constantLuminance(let model, let linear, let green):
        linear.withPoints { linear in
          green.withPoints { green in
            unsafe run(words, light, count) { Self.light(model, $0, curve, linear, green) }
          }
        }
      case .cones(let signals, let lights, let peak):
        unsafe run(words, light, count) { components in
          let signal = signals * components
          let cones = SIMD3(curve.value(at: signal.x), curve.value(at: signal.y), curve.value(at: signal.z))
          return (lights * cones).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: peak))
        }
      }
    }
  }

  @inline(__always)
  private static func light(
    _ model: ConstantLuminance, _ components: SIMD3<Double>, _ curve: CurveTable.Points, _ linear: CurveTable.Points,
    _ green: CurveTable.Points
  ) -> SIMD3<Double> {
    let weights = model.weights
    let (blue, red) = model.blueAndRed(fromYCbCr: components)
    let others = weights.kr * linear.value(at: red) + weights.kb * linear.value(at: blue)
    return SIMD3(
      curve.value(at: red), green.value(at: (linear.value(at: components.x) - others) / weights.kg),
      curve.value(at: blue))
  }

  /// Inlined with its body, to avoid a call per pixel.
  @inline(__always)
  private func run(
    _ words: Words, _ light: LinearBand.Row, _ count: Int, _ body: (SIMD3<Double>) -> SIMD3<Double>
  ) {
    for x in 0..<count {
      let codes = unsafe SIMD3(Double(words.luma[x]), Double(words.cb[x]), Double(words.cr[x]))
      let rgb = body(codes * gain + offset)
      unsafe light.red[x] = Float16(Float(rgb.x))
      unsafe light.green[x] = Float16(Float(rgb.y))
      unsafe light.blue[x] = Float16(Float(rgb.z))
    }
  }
}

extension PixelFormat {
  /// Returns the component model of a source of this format. Grey does not depend on the matrix, and is read as R'G'B'.
  func componentModel() throws(RenderingError) -> ComponentModel {
    if [.rgb, .gray].contains(layout.components) { return .rgb }
    guard color.matrix != .rgb,
      let model = ComponentModel(color.matrix, primaries: color.primaries.space, transfer: color.transfer)
    else { throw .undefinedMatrix(color.matrix, layout, color.transfer) }
    return model
  }
}
