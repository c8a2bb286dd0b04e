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
