import ColorScience
import Frames
import Rendering
import Testing
import ToneMapping

/// Ten-bit SDR codes of the fast pipeline against those of the reference: none off by more than one, and on average
/// by less than a twentieth.
@Suite struct FastAgainstReferenceTests {
  static let pool = WorkerPool(count: 2)

  struct Case: CustomStringConvertible, Sendable {
    var layout: PixelLayout
    var color: ColorDescription
    var curve: ToneCurve = .system
    var description: String { "\(layout) \(color.transfer) \(curve.name)" }
  }

  static let cases: [Case] =
    [PixelLayout(.ycbcr444, bitDepth: 10), PixelLayout(.ycbcr420, bitDepth: 10)].flatMap { layout in
      [ColorDescription.bt2100PQ, .bt2100HLG].flatMap { color in
        ToneCurve.all.map { Case(layout: layout, color: color, curve: $0) }
      }
    }

  @Test(arguments: cases, KernelTier.supported)
  func tenBitSDR(_ test: Case, _ tier: KernelTier) throws {
    let size = Size(width: 227, height: 130)
    let source = FrameRenderer.Endpoint(
      format: PixelFormat(size: size, layout: test.layout, color: test.color),
      transfer: test.color.transfer == .hlg ? .hlg : .pq(unit: 100))
    let target = FrameRenderer.Endpoint(
      format: PixelFormat(size: size, layout: PixelLayout(test.layout.components, bitDepth: 10), color: .bt709),
      transfer: .bt1886(peak: 1))
    let display = Display(sdrWhite: 100, peak: 100, primaries: .bt709)
    let metadata = EDRMetadata.describing(transfer: test.color.transfer, metadata: HDRMetadata())
    let stages = [DisplayMapping(DisplayMapping.Settings(metadata: metadata, curve: test.curve, display: display))]
    let renderer = try FrameRenderer(source: source, stages: stages, target: target, tier: tier, pool: Self.pool)
    let reference = try ReferencePipeline(source: source, stages: stages, target: target)
    let frame = CodedFrame.random(source.format, seed: 7)
    let (fast, exact) = (CodedFrame(target.format), CodedFrame(target.format))
    try renderer.render(frame, into: fast)
    reference.render(frame, into: exact)
    let difference = CodeDifference(fast, exact)
    print("\(test) \(tier): \(difference)")
    #expect(difference.largest <= 1)
    #expect(difference.mean < 0.05)
  }
}

extension CodedFrame {
  convenience init(_ format: PixelFormat) { self.init(size: format.size, layout: format.layout, color: format.color) }
}
