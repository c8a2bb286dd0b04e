internal import ColorScience
public import Frames

/// The reference rendering, simple enough to be obviously correct: `Double`, one pixel at a time, no row kernels, no
/// half float, no dither.
///
/// Every fast path is compared with it. It is hundreds of times slower.
public struct ReferencePipeline: Sendable {
  /// The format and transfer function of the frames.
  public let source: FrameRenderer.Endpoint
  /// The outputs.
  public let outputs: [FrameRenderer.Output]
  private let trunk: [any Stage]
  private let sourceModel: ComponentModel

  /// Creates the reference for a `FrameRenderer` with the same parameters.
  /// - Throws: `RenderingError` for formats that cannot be read or written.
  public init(
    source: FrameRenderer.Endpoint, trunk: [any Stage] = [], outputs: [FrameRenderer.Output]
  ) throws(RenderingError) {
    self.source = source
    self.trunk = trunk
    self.outputs = outputs
    sourceModel = try source.format.componentModel()
    for case .coded(let target, _) in outputs.map(\.end) {
      guard target.format.layout.packing == .planar else { throw .unsupportedTarget(target.format.layout) }
      guard target.format.layout.components == .rgb || YCbCrMatrix(target.format.color.matrix) != nil else {
        throw .unsupportedMatrix(target.format.color.matrix)
      }
    }
  }

  /// Creates the reference of a rendering with one coded output.
  /// - Throws: `RenderingError` for formats that cannot be read or written.
  public init(
    source: FrameRenderer.Endpoint, stages: [any Stage], target: FrameRenderer.Endpoint,
    orientation: Orientation = .identity
  ) throws(RenderingError) {
    let output = FrameRenderer.Output(stages: stages, end: .coded(target), orientation: orientation)
    try self.init(source: source, outputs: [output])
  }

  /// Renders `frame` for every output; an interlaced frame as two pictures, if the heights divide into fields.
  public func render(_ frame: CodedFrame, into destinations: [FrameRenderer.Destination]) {
    let isInterlaced = frame.fieldOrder != nil && frame.layout.dividesIntoFields(height: frame.size.height)
    for (output, destination) in zip(outputs, destinations) {
      var divides = isInterlaced
      if case .coded(let result, _) = destination, !result.layout.dividesIntoFields(height: result.size.height) {
        divides = false
      }
      for field in divides ? Field.allCases : [nil] as [Field?] {
        renderPicture(field.map(frame.field) ?? frame, field, output, into: destination)
      }
    }
  }

  /// Renders `frame` for the only output, which is coded.
  public func render(_ frame: CodedFrame, into result: CodedFrame) { render(frame, into: [.coded(result)]) }

  private func renderPicture(
    _ frame: CodedFrame, _ field: Field?, _ output: FrameRenderer.Output, into destination: FrameRenderer.Destination
  ) {
    let size = output.orientation.rotated(frame.size)
    func pixels(_ value: (SIMD3<Double>) -> SIMD3<Double>) -> [[SIMD3<Double>]] {
      (0..<size.height).map { y in
        (0..<size.width).map { x in
          let position = output.orientation.source(x: x, y: y, in: frame.size)
          let stages = trunk + output.stages
          return value(stages.reduce(light(frame, field, position.x, position.y)) { $1.reference($0) })
        }
      }
    }
    switch (output.end, destination) {
    case (.coded(let target, _), .coded(let result, let overlay)):
      precondition(overlay == nil, "graphics have tests of their own")
      store(pixels { signal($0, target) }, field, target, in: field.map(result.field) ?? result)
    case (.copied, .coded(let result, let overlay)):
      precondition(overlay == nil, "graphics have tests of their own")
      frame.copyCodes(to: field.map(result.field) ?? result)
    case (.linear, .linear(let result)): store(pixels { $0 }, field, in: result)
    default: break
    }
  }

  /// Returns Y'CbCr, R'G'B' or RGB of a rendered pixel.
  private func signal(_ light: SIMD3<Double>, _ target: FrameRenderer.Endpoint) -> SIMD3<Double> {
    let (transfer, reach) = (target.transfer, target.reach)
    let rgb = SIMD3(
      transfer.signal(fromLight: light.x, reach: reach), transfer.signal(fromLight: light.y, reach: reach),
      transfer.signal(fromLight: light.z, reach: reach))
    if target.format.layout.components == .rgb { return rgb }
    return YCbCrMatrix(target.format.color.matrix)?.ycbcr(fromRGB: rgb) ?? rgb
  }

  private func store(
    _ picture: [[SIMD3<Double>]], _ field: Field?, _ target: FrameRenderer.Endpoint, in result: CodedFrame
  ) {
    let (layout, size) = (target.format.layout, result.size)
    let codes = SampleScale(bitDepth: layout.bitDepth, range: target.format.color.range)
    if layout.components == .rgb { return store(picture, codes, in: result) }
    for y in 0..<size.height {
      for x in 0..<size.width { result.setSample(codes.code(fromLuma: picture[y][x].x), plane: 0, x: x, y: y) }
    }
    if layout.components == .gray { return }
    let chroma = layout.planeSize(1, of: size)
    for y in 0..<chroma.height {
      for x in 0..<chroma.width {
        for component in 1...2 {
          let value = ChromaResampling.downsample(
            x: x, y: y, width: size.width, height: size.height, shiftX: layout.chromaShiftX,
            shiftY: layout.chromaShiftY, offset: target.format.color.chromaLocation.offset(in: field)
          ) { picture[$1][$0][component] }
          result.setSample(codes.code(fromChroma: value), plane: component, x: x, y: y)
        }
      }
    }
  }

  private func store(_ picture: [[SIMD3<Double>]], _ codes: SampleScale, in result: CodedFrame) {
    for (y, row) in picture.enumerated() {
      for (x, rgb) in row.enumerated() {
        for (plane, value) in [rgb.y, rgb.z, rgb.x].enumerated() {
          let sample =
            result.layout.samples == .half ? Int(Float16(value).bitPattern) : codes.code(fromLuma: value)
          result.setSample(sample, plane: plane, x: x, y: y)
        }
      }
    }
  }

  private func store(_ picture: [[SIMD3<Double>]], _ field: Field?, in result: LinearFrame) {
    let band = unsafe result.band(rows: 0..<picture.count, of: field)
    for (y, pixels) in picture.enumerated() {
      let row = unsafe band.row(y)
      for (x, rgb) in pixels.enumerated() {
        unsafe (row.red[x], row.green[x], row.blue[x]) = (Float16(rgb.x), Float16(rgb.y), Float16(rgb.z))
      }
    }
  }

  /// Returns the linear light of the coded pixel at (x, y), before any stage.
  public func light(_ frame: CodedFrame, _ x: Int, _ y: Int) -> SIMD3<Double> { light(frame, nil, x, y) }

  private func light(_ frame: CodedFrame, _ field: Field?, _ x: Int, _ y: Int) -> SIMD3<Double> {
    light(components(frame, field, x, y))
  }

  /// Returns the linear light of a pixel's components, which are a signal or light.
  private func light(_ components: SIMD3<Double>) -> SIMD3<Double> {
    let (transfer, reach) = (source.transfer, source.transfer.reach(in: source.format.color.range))
    func each(_ signal: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(
        transfer.light(fromSignal: signal.x, reach: reach), transfer.light(fromSignal: signal.y, reach: reach),
        transfer.light(fromSignal: signal.z, reach: reach))
    }
    switch sourceModel {
    case .rgb: return each(components)
    case .ycbcr(let matrix): return each(matrix.rgb(fromYCbCr: components))
    case .linear(let matrix, _): return each(matrix * components)
    case .constantLuminance(let form): return each(form.rgb(fromYCbCr: components, reach: reach))
    case .ictcp(let cones):
      let rgb = ICtCp.lms.inverse * each(cones * components)
      let peak = transfer.light(fromSignal: reach, reach: reach)
      return rgb.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: peak))
    }
  }

  /// Returns the components of the coded pixel at (x, y) according to `sourceModel`: Y', Cb, Cr or similar, R'G'B', or
  /// RGB.
  private func components(_ frame: CodedFrame, _ field: Field?, _ x: Int, _ y: Int) -> SIMD3<Double> {
    let layout = source.format.layout
    let codes = SampleScale(bitDepth: layout.bitDepth, range: source.format.color.range)
    let shift = layout.sampleShift
    func sample(_ component: Int, _ x: Int, _ y: Int) -> Int {
      let place = layout.place(of: component)
      return frame.sample(plane: place.plane, x: place.first + x * place.step, y: y) >> shift
    }
    if layout.samples == .half {
      let gbr = (0..<3).map { Double(Float16(bitPattern: UInt16(sample($0, x, y)))) }
      return SIMD3(gbr[2], gbr[0], gbr[1])
    }
    if layout.components == .gray { return SIMD3(repeating: codes.luma(fromCode: sample(0, x, y))) }
    if layout.components == .rgb {
      let gbr = (0..<3).map { codes.luma(fromCode: sample($0, x, y)) }
      return SIMD3(gbr[2], gbr[0], gbr[1])
    }
    func component(_ index: Int) -> Double {
      ChromaResampling.upsample(
        x: x, y: y, width: (frame.size.width + layout.chromaShiftX) >> layout.chromaShiftX,
        height: (frame.size.height + layout.chromaShiftY) >> layout.chromaShiftY, shiftX: layout.chromaShiftX,
        shiftY: layout.chromaShiftY,
        offset: source.format.color.chromaLocation.offset(in: field)
      ) { column, row in
        let code = sample(1 + index, column, row)
        return sourceModel.hasLumaScale
          ? (Double(code) - codes.chromaOffset) / codes.lumaScale : codes.chroma(fromCode: code)
      }
    }
    return SIMD3(codes.luma(fromCode: sample(0, x, y)), component(0), component(1))
  }
}
