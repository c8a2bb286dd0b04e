import ColorScience
import Frames
import Testing
import ToneMapping

import Rendering

/// One way from coded frame to coded frame, rendered by every tier and by the reference.
struct Comparison {
  var source: FrameRenderer.Endpoint
  var stages: [any Stage]
  var target: FrameRenderer.Endpoint
  var orientation = Orientation.identity

  static let pool = WorkerPool(count: 2)

  func fast(
    _ frame: CodedFrame, _ tier: KernelTier, dither: Bool = false, pool: WorkerPool = pool
  ) throws -> CodedFrame {
    let renderer = try FrameRenderer(
      source: source, stages: stages, target: target, orientation: orientation, dither: dither, tier: tier, pool: pool)
    let result = CodedFrame(target.format, fieldOrder: frame.fieldOrder)
    try renderer.render(frame, into: result)
    return result
  }

  func reference(_ frame: CodedFrame) throws -> CodedFrame {
    let result = CodedFrame(target.format, fieldOrder: frame.fieldOrder)
    try ReferencePipeline(source: source, stages: stages, target: target, orientation: orientation).render(
      frame, into: result)
    return result
  }

  /// Differences of each tier on `frame`.
  func differences(_ frame: CodedFrame) throws -> [CodeDifference] {
    let exact = try reference(frame)
    return try KernelTier.supported.map { CodeDifference(try fast(frame, $0), exact) }
  }

  /// The same for a stage that is ill conditioned where a component is near zero beside bright ones: where rounding moves
  /// the reference by half a code or more, a sample may be off by as much more.
  func conditionedDifferences(_ frame: CodedFrame) throws -> [CodeDifference] {
    let exact = try reference(frame)
    let rendered = try KernelTier.supported.map { try fast(frame, $0) }
    let plain = rendered.map { CodeDifference($0, exact) }
    if plain.allSatisfy({ $0.largest <= 1 }) { return plain }
    var fine = self
    fine.target.format.layout = PixelLayout(target.format.layout.components, bitDepth: 16)
    let middle = try fine.reference(frame)
    let moved = try (0..<3).flatMap { component in
      try [false, true].map { isLast in
        try [-1.0, 1].map { way in
          var comparison = fine
          let rounding = Rounding(component: component, way: way, isLast: isLast)
          comparison.stages.insert(rounding, at: isLast ? comparison.stages.count : 0)
          return try comparison.reference(frame)
        }
      }
    }
    let unit = Double(1 << (16 - target.format.layout.bitDepth))
    return rendered.map { picture in
      CodeDifference(picture, exact) { plane, x, y in
        let code = middle.sample(plane: plane, x: x, y: y)
        let codes = moved.reduce(0) { sum, ways in
          sum + (ways.map { abs($0.sample(plane: plane, x: x, y: y) - code) }.max() ?? 0)
        }
        return Double(codes) / unit
      }
    }
  }
}

/// Moves a component by half a step of half float; as the last stage by what tables and `Float` move a component by, 2^-13
/// of the largest one. Only the reference: what is rendered fast has been rounded already.
private struct Rounding: Stage {
  let component: Int
  let way: Double
  let isLast: Bool

  func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    var result = rgb
    result[component] += way * (isLast ? 0x1p-13 * rgb.max() : 0x1p-11 * rgb[component])
    return result
  }

  @unsafe
  func process(_ band: LinearBand, tier: KernelTier, worker: Int) {}
}

/// The signals and displays that tests render from and to.
enum Signal: Sendable {
  static let sdr = Display(sdrWhite: 100, peak: 100, primaries: .bt709)

  static func transfer(_ color: ColorDescription) -> SignalTransfer {
    switch color.transfer {
    case .pq: .pq(unit: 100)
    case .hlg: .hlg
    default: .bt1886(peak: 1)
    }
  }

  static func endpoint(_ size: Size, _ layout: PixelLayout, _ color: ColorDescription) -> FrameRenderer.Endpoint {
    FrameRenderer.Endpoint(
      format: PixelFormat(size: size, layout: layout, color: color), transfer: transfer(color))
  }

  static func mapping(
    _ color: ColorDescription, _ display: Display = sdr, gamut: GamutMapping.Method = .compress
  ) -> DisplayMapping {
    DisplayMapping(
      DisplayMapping.Settings(
        metadata: .describing(transfer: color.transfer, metadata: HDRMetadata()),
        primaries: color.primaries.space ?? .bt709, gamut: gamut, display: display))
  }
}

extension ColorDescription {
  func with(range: VideoRange? = nil, location: ChromaLocation? = nil, matrix: MatrixCoefficients? = nil) -> Self {
    ColorDescription(
      primaries: primaries, transfer: transfer, matrix: matrix ?? self.matrix, range: range ?? self.range,
      chromaLocation: location ?? chromaLocation)
  }
}
