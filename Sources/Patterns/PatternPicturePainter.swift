public import ColorScience
public import Frames

/// Paints a pattern as picture samples: code values of the pattern's signal, or linear light.
public struct PatternPicturePainter: Sendable {
  private let signal: PatternSignal
  private let primaries: ColorPrimaries
  private let transfer: TransferCharacteristics

  /// Creates a painter for pictures of one colour space.
  /// - Parameters:
  ///   - signal: Signal of the drawings.
  ///   - primaries: Primaries of the picture.
  ///   - transfer: Transfer function of the picture: the signal's, linear, or sRGB.
  public init(_ signal: PatternSignal, primaries: ColorPrimaries, transfer: TransferCharacteristics) {
    (self.signal, self.primaries, self.transfer) = (signal, primaries, transfer)
  }

  /// Luminance in cd/m² of 1.0 in linear samples.
  public var unit: Double { signal.kind.isSDR ? PatternSignal.sdrWhite : Self.hdrUnit }

  private static let hdrUnit = 100.0

  /// Paints every pixel of a drawing.
  /// - Parameters:
  ///   - drawing: A drawing of the signal.
  ///   - frame: A frame of the drawing's size, in the layout of the picture.
  public func paint(_ drawing: PatternDrawing, into frame: CodedFrame) {
    let painter = PatternPainter(drawing)
    if transfer == signal.transfer { return painter.paint(into: frame) }
    let matrix = RGBSpace.conversion(from: signal.space, to: primaries.space ?? signal.space)
    let codes = SampleScale(bitDepth: frame.layout.bitDepth, range: .full)
    painter.paintLight(of: signal) { y, row in
      var (last, samples) = (SIMD3<Double>(repeating: .nan), SIMD3<Int>.zero)
      for x in row.indices {
        // Most neighbours are equal, so the last result is reused.
        if row[x] != last {
          last = row[x]
          let light = matrix * last / unit
          samples = transfer == .linear ? Self.half(light) : Self.code(light, codes)
        }
        for (plane, sample) in [samples.y, samples.z, samples.x].enumerated() {
          frame.setSample(sample, plane: plane, x: x, y: y)
        }
      }
    }
  }

  private static func half(_ light: SIMD3<Double>) -> SIMD3<Int> {
    func bits(_ value: Double) -> Int { Int(Float16(value).bitPattern) }
    return SIMD3(bits(light.x), bits(light.y), bits(light.z))
  }

  /// Returns sRGB codes, relative to the pattern's white.
  private static func code(_ light: SIMD3<Double>, _ codes: SampleScale) -> SIMD3<Int> {
    func code(_ value: Double) -> Int { codes.code(fromLuma: SRGB.inverseEOTF(value)) }
    return SIMD3(code(light.x), code(light.y), code(light.z))
  }
}
