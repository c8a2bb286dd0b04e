internal import ColorScience
internal import Frames

/// Rows of words to linear light for the models that no kernel knows: in `Double`, one pixel at a time, curves by tables.
///
/// Slower than the kernels by an order of magnitude, and the same in every tier. In cancelling differences, such as the
/// green of constant luminance and all that is derived from cone responses, `Float` would show.
struct ComponentRows: Sendable {
  /// How signals become light.
  private enum Form: Sendable {
    /// R'G'B' by a matrix.
    case linear(Matrix3)
    /// `linear` is the inverse of the coding curve; `green` is from linear G to light in band units.
    case constantLuminance(ConstantLuminance, linear: CurveTable, green: CurveTable)
    /// Cone responses by one matrix, and light of them by another.
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
  /// Light in band units of a signal.
  private let curve: CurveTable
  private let gain: SIMD3<Double>
  private let offset: SIMD3<Double>

  /// - Parameters:
  ///   - reach: The largest signal that is light of its own.
  ///   - chromaScale: What words of chroma are multiplied by.
  /// - Returns: nil for a model that kernels know.
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

  /// Inlined with its body: nothing is called for each pixel.
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
  /// What the components of a source of this format are. Grey is grey by every matrix, and read as R'G'B'.
  func componentModel() throws(RenderingError) -> ComponentModel {
    if [.rgb, .gray].contains(layout.components) { return .rgb }
    guard color.matrix != .rgb,
      let model = ComponentModel(color.matrix, primaries: color.primaries.space, transfer: color.transfer)
    else { throw .undefinedMatrix(color.matrix, layout, color.transfer) }
    return model
  }
}
