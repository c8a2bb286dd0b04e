internal import ColorScience
package import Frames
internal import Media

/// Composites pictures with alpha over a background colour in linear light.
///
/// Opaque pixels keep their samples. Chroma is resampled only where a pixel that shares it is not opaque.
/// Source: Porter and Duff, "Compositing Digital Images" (SIGGRAPH 1984), "over".
package struct AlphaCompositor {
  private let format: PixelFormat
  private let isPremultiplied: Bool
  private let curve: SignalLight
  private let scale: SampleScale
  let matrix: YCbCrMatrix?
  /// Light behind the picture in its own primaries; 1 is reference white.
  private let background: SIMD3<Double>

  /// - Parameters:
  ///   - format: Format of the frames, according to the file's tags.
  ///   - unit: Luminance in cd/m² of 1 in linear samples; nil: not stated.
  ///   - isPremultiplied: Colours are premultiplied by alpha: signals as signals, light as light.
  /// - Returns: nil without a background, or if the light of the samples is unknown.
  package init?(_ format: PixelFormat, unit: Double?, isPremultiplied: Bool, _ compositing: Compositing) {
    let isLight = format.layout.samples == .half
    let color = isLight ? format.color : compositing.tags.over(format)
    guard let background = compositing.background, format.layout.packing == .planar,
      let space = color.primaries.space, let curve = SignalLight(isLight ? .linear : color.transfer, unit: unit)
    else { return nil }
    matrix = YCbCrMatrix(color.matrix)
    if format.layout.components != .rgb, matrix == nil { return nil }
    self.format = format
    self.isPremultiplied = isPremultiplied
    self.curve = curve
    scale = SampleScale(bitDepth: format.layout.bitDepth, range: color.range)
    self.background = RGBSpace.conversion(from: .bt709, to: space) * background.light
  }

  /// Composites in place; only before the frame is handed on.
  /// - Parameters:
  ///   - alpha: The alpha plane, as large as the frame.
  ///   - frame: A frame of the compositor's format; a field has half its height.
  ///   - field: The field that the frame holds; nil for a whole frame.
  package func composite(_ alpha: AlphaPlane, _ frame: CodedFrame, _ field: Field? = nil) {
    precondition(alpha.size == frame.size && frame.layout == format.layout)
    if format.layout.samples == .half {
      eachPixel(alpha) { x, y, alpha in compositeLight(frame, x, y, alpha) }
    } else if format.layout.components == .rgb {
      eachPixel(alpha) { x, y, alpha in compositeCodes(frame, x, y, alpha) }
    } else if let matrix {
      ChromaCompositor(self, matrix, scale, alpha, frame, field).run()
    }
  }

  /// Calls `body` with every pixel that is not opaque.
  private func eachPixel(_ alpha: AlphaPlane, _ body: (_ x: Int, _ y: Int, _ alpha: Double) -> Void) {
    for y in 0..<alpha.size.height where !alpha.isOpaque(row: y) {
      for x in 0..<alpha.size.width where alpha[x, y] < 1 { body(x, y, Double(alpha[x, y])) }
    }
  }

  /// Planes are green, blue, red.
  private static let planes = [2, 0, 1]

  private func compositeLight(_ frame: CodedFrame, _ x: Int, _ y: Int, _ alpha: Double) {
    for (component, plane) in Self.planes.enumerated() {
      let stored = Double(Float16(bitPattern: UInt16(frame.sample(plane: plane, x: x, y: y))))
      let light = curve.light(stored) * (isPremultiplied ? 1 : alpha) + (1 - alpha) * background[component]
      let most = Double(Float16.greatestFiniteMagnitude)
      let bits = Float16(min(max(curve.signal(light), -most), most)).bitPattern
      frame.setSample(Int(bits), plane: plane, x: x, y: y)
    }
  }

  private func compositeCodes(_ frame: CodedFrame, _ x: Int, _ y: Int, _ alpha: Double) {
    func signal(_ plane: Int) -> Double { scale.luma(fromCode: frame.sample(plane: plane, x: x, y: y)) }
    let result = composite(SIMD3(signal(2), signal(0), signal(1)), alpha)
    for (component, plane) in Self.planes.enumerated() {
      frame.setSample(scale.code(fromLuma: result[component]), plane: plane, x: x, y: y)
    }
  }

  /// R', G', B' of one pixel over the background.
  func composite(_ signal: SIMD3<Double>, _ alpha: Double) -> SIMD3<Double> {
    var result = SIMD3(repeating: 0.0)
    for component in 0..<3 {
      // At zero alpha, premultiplied colour is purely additive.
      let own = isPremultiplied && alpha > 0 ? signal[component] / alpha : signal[component]
      let share = isPremultiplied && alpha == 0 ? 1 : alpha
      let light = (share == 0 ? 0 : curve.light(own) * share) + (1 - alpha) * background[component]
      result[component] = curve.signal(light)
    }
    return result
  }
}

extension ColorTags {
  /// These tags, with gaps filled from a format and then by the general assumptions.
  fileprivate func over(_ format: PixelFormat) -> ColorDescription {
    var color = format.color
    if let transfer { color.transfer = transfer }
    if let primaries { color.primaries = primaries }
    if let range { color.range = range }
    return color.assumed(layout: format.layout, size: format.size)
  }
}
