import ColorScience
import Frames
import Rendering
import Testing
import ToneMapping

import Measurement

/// The stage: it counts each pixel once, as the frame analyzer does, and changes none.
@Suite struct LightLevelAnalyzerTests {
  static let size = Size(width: 203, height: 301)
  static let sdr = Display(sdrWhite: 100, peak: 100, primaries: .bt709)

  /// A render to SDR whose chroma lies on luma rows, so that bands overlap, with or without a analyzer.
  private func render(_ frame: CodedFrame, workers: Int, _ analyzer: LightLevelAnalyzer?) throws -> CodedFrame {
    let content = try frame.color.content
    let mapping = DisplayMapping(
      DisplayMapping.Settings(metadata: content.metadata, primaries: content.primaries, display: Self.sdr))
    var color = ColorDescription.bt709
    color.chromaLocation = .topLeft
    let target = PixelFormat(size: frame.size, layout: PixelLayout(.ycbcr420, bitDepth: 10), color: color)
    let meters: [any Stage] = analyzer.map { [$0] } ?? []
    let renderer = try FrameRenderer(
      source: FrameRenderer.Endpoint(format: frame.format, transfer: content.transfer), stages: meters + [mapping],
      target: FrameRenderer.Endpoint(format: target, transfer: .bt1886(peak: 1)), pool: WorkerPool(count: workers))
    let result = CodedFrame(size: target.size, layout: target.layout, color: target.color)
    try renderer.render(frame, into: result)
    return result
  }

  private func samples(_ frame: CodedFrame) -> [Int] {
    (0..<frame.layout.planeCount).flatMap { plane in
      let extent = frame.layout.planeSize(plane, of: frame.size)
      return (0..<extent.height).flatMap { y in
        (0..<extent.width).map { frame.sample(plane: plane, x: $0, y: y) }
      }
    }
  }

  @Test(arguments: [ColorDescription.bt2100PQ, .bt2100HLG, .bt709], [1, 3])
  func countsEachPixelOnceAndChangesNone(_ color: ColorDescription, _ workers: Int) throws {
    let layout = PixelLayout(.ycbcr420, bitDepth: 10)
    let frames = (0..<2).map { CodedFrame.scrambled(Self.size, layout, color, seed: $0) }
    let analyzer = LightLevelAnalyzer(size: Self.size, content: try color.content, gamut: .bt709, workers: workers)
    let frameMeter = try FrameLightAnalyzer(
      format: frames[0].format, content: color.content, pool: WorkerPool(count: 2))
    var expected = LightHistogram(nitsPerUnit: 100)
    for frame in frames {
      #expect(samples(try render(frame, workers: workers, analyzer)) == samples(try render(frame, workers: 2, nil)))
      expected.merge(try frameMeter.measure(frame).histogram)
    }
    #expect(analyzer.result.histogram == expected)
    #expect(analyzer.result.histogram.count == 2 * Self.size.width * Self.size.height)
    #expect(analyzer.result == analyzer.result)
  }

  /// Y'CbCr of pure colours of BT.709 inside BT.2020, coded in ten bits from 1 to 1000 cd/m², are inside of BT.709;
  /// BT.2020's own green and half of the way to it are outside, and inside of BT.2020.
  @Test(arguments: [ColorDescription.bt2100PQ, .bt2100HLG])
  func gamut(_ color: ColorDescription) throws {
    let toWide = RGBSpace.conversion(from: .bt709, to: .bt2020)
    let edges = [
      SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(1, 1, 0), SIMD3(0, 1, 1), SIMD3(1, 0, 1), SIMD3(1, 1, 1),
    ].map { toWide * $0 }
    let (wideGreen, halfWay) = (SIMD3(0.0, 1, 0), (edges[1] + SIMD3(0, 1, 0)) / 2)
    for nits in [1.0, 10, 100, 300] {
      #expect(try outside(edges, nits, color, .bt709) == 0)
      #expect(try outside([wideGreen, halfWay] + edges, nits, color, .bt709) == 2)
      #expect(try outside([wideGreen, halfWay] + edges, nits, color, .bt2020) == 0)
    }
    // So dark that nobody sees it.
    #expect(try outside([wideGreen], 0.01, color, .bt709) == 0)
  }

  /// Colours that the analyzer finds outside of `gamut`, each a pixel whose brightest component has this light.
  private func outside(
    _ colors: [SIMD3<Double>], _ nits: Double, _ color: ColorDescription, _ gamut: RGBSpace
  ) throws -> Int {
    let size = Size(width: colors.count, height: 1)
    let frame = CodedFrame(size: size, layout: PixelLayout(.ycbcr444, bitDepth: 10), color: color)
    let matrix = try #require(YCbCrMatrix(color.matrix))
    let codes = SampleScale(bitDepth: 10, range: color.range)
    for (x, rgb) in colors.enumerated() {
      let light = rgb / rgb.max() * nits
      let scene = HLG.inverseOOTF(light, peak: 1000, gamma: 1.2)
      let signal = (0..<3).map { color.transfer == .pq ? PQ.inverseEOTF(light[$0]) : HLG.oetf(scene[$0]) }
      let coded = matrix.ycbcr(fromRGB: SIMD3(signal[0], signal[1], signal[2]))
      frame.setSample(codes.code(fromLuma: coded.x), plane: 0, x: x, y: 0)
      frame.setSample(codes.code(fromChroma: coded.y), plane: 1, x: x, y: 0)
      frame.setSample(codes.code(fromChroma: coded.z), plane: 2, x: x, y: 0)
    }
    let analyzer = LightLevelAnalyzer(size: size, content: try color.content, gamut: gamut, workers: 2)
    _ = try render(frame, workers: 2, analyzer)
    return analyzer.result.outside
  }
}
