import ColorScience
import Frames
import Rendering
import Testing
import ToneMapping

import Measurement

/// Frames of known light, and frames of any light against the reference that works in `Double`.
@Suite struct FrameLightAnalyzerTests {
  static let workers = WorkerPool(count: 2)

  private func measure(
    _ frame: CodedFrame, tier: KernelTier = .detected, pool: WorkerPool = workers
  ) throws -> FrameLight {
    try FrameLightAnalyzer(format: frame.format, content: frame.color.content, tier: tier, pool: pool).measure(frame)
  }

  /// Ten-bit narrow codes and their light: 58 % of PQ and 75 % of HLG are 203 cd/m² (BT.2408-7, table 1), to the rounding
  /// of the code; the others from the formulas of BT.2100 and BT.1886 in numpy.
  static let grays: [(ColorDescription, Int, Double)] = [
    (.bt2100PQ, 64, 0), (.bt2100PQ, 195, 0.99213), (.bt2100PQ, 573, 203.703), (.bt2100PQ, 723, 1004.192),
    (.bt2100PQ, 940, 10_000), (.bt2100PQ, 1019, 10_000), (.bt2100HLG, 64, 0), (.bt2100HLG, 399, 26.6411),
    (.bt2100HLG, 721, 203.152), (.bt2100HLG, 940, 1000), (.bt2100HLG, 1019, 1810.88), (.bt709, 64, 0),
    (.bt709, 504, 19.1548), (.bt709, 940, 100), (.bt709, 1019, 123.026),
  ]

  @Test(arguments: KernelTier.supported, grays)
  func knownLight(_ tier: KernelTier, _ test: (color: ColorDescription, code: Int, nits: Double)) throws {
    let light = try measure(.gray(Size(width: 37, height: 21), test.color) { _, _ in test.code }, tier: tier)
    #expect(light.histogram.count == 37 * 21)
    for nits in [light.peak, light.average, light.histogram.percentile(50)] {
      #expect((nits - test.nits).magnitude <= test.nits * 5e-4, "\(nits)")
    }
  }

  /// One bright pixel in the dark, in every corner: nothing is lost at the ends of rows and bands.
  @Test(arguments: [(0, 0), (130, 0), (0, 76), (130, 76), (64, 33)])
  func onePixel(_ x: Int, _ y: Int) throws {
    let size = Size(width: 131, height: 77)
    let light = try measure(.gray(size, .bt2100PQ) { $0 == x && $1 == y ? 723 : 64 })
    #expect((light.peak - 1004.192).magnitude < 0.5)
    #expect((light.average - 1004.192 / (131 * 77)).magnitude < 1e-4)
    #expect(light.histogram.count(above: 0.1) == 1)
  }

  static let formats: [(PixelLayout, ColorDescription)] = [
    (PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ), (PixelLayout(.ycbcr420, bitDepth: 8), .bt709),
    (PixelLayout(.ycbcr422, bitDepth: 10), .bt2100HLG), (PixelLayout(.ycbcr444, bitDepth: 12), .bt2100PQ),
    (PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar), .bt2100HLG),
    (
      PixelLayout(.rgb, bitDepth: 10),
      ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .rgb, range: .full)
    ),
  ]

  @Test(arguments: KernelTier.supported, formats)
  func agreesWithTheReference(_ tier: KernelTier, _ format: (layout: PixelLayout, color: ColorDescription)) throws {
    let size = Size(width: 133, height: 45)
    let frame = CodedFrame.scrambled(size, format.layout, format.color)
    let content = try format.color.content
    let reference = try ReferencePipeline(
      source: FrameRenderer.Endpoint(format: frame.format, transfer: content.transfer), stages: [],
      target: FrameRenderer.Endpoint(
        format: PixelFormat(size: size, layout: PixelLayout(.ycbcr444, bitDepth: 10), color: .bt709),
        transfer: .bt1886(peak: 1)))
    // The unit of bands is 100 cd/m² for PQ and SDR; HLG's scene light is shown by a display of 1000 cd/m².
    let expected = (0..<size.height).flatMap { y in
      (0..<size.width).map { x in
        let rgb = reference.light(frame, x, y)
        let nits = format.color.transfer == .hlg ? HLG.ootf(rgb, peak: 1000, gamma: 1.2) : rgb * 100
        return max(nits.max(), 0)
      }
    }
    let light = try measure(frame, tier: tier)
    let mean = expected.reduce(0, +) / Double(expected.count)
    let peak = expected.max() ?? 0
    #expect((light.peak / peak - 1).magnitude < 1e-3)
    #expect((light.average / mean - 1).magnitude < 2e-4)
    let sorted = expected.sorted()
    for percent in [10, 50, 90] {
      let nits = sorted[(expected.count * percent + 99) / 100 - 1]
      #expect((light.histogram.percentile(Double(percent)) - nits).magnitude < nits * 2e-3 + 1e-3)
    }
  }

  @Test(arguments: formats)
  func theSameForAnyNumberOfThreads(_ layout: PixelLayout, _ color: ColorDescription) throws {
    let frame = CodedFrame.scrambled(Size(width: 515, height: 301), layout, color)
    let one = try measure(frame, pool: WorkerPool(count: 1))
    for workers in [2, 7] { #expect(try measure(frame, pool: WorkerPool(count: workers)) == one) }
  }

  /// What the frame before had is gone.
  @Test func framesAreMeasuredByThemselves() throws {
    let size = Size(width: 70, height: 40)
    let (bright, dark) = (
      CodedFrame.gray(size, .bt2100PQ) { _, _ in 723 }, CodedFrame.gray(size, .bt2100PQ) { _, _ in 195 }
    )
    let analyzer = try FrameLightAnalyzer(format: bright.format, content: bright.color.content, pool: Self.workers)
    let before = try analyzer.measure(dark)
    _ = try analyzer.measure(bright)
    #expect(try analyzer.measure(dark) == before)
    #expect(throws: RenderingError.self) {
      try analyzer.measure(.gray(Size(width: 72, height: 40), .bt2100PQ) { _, _ in 64 })
    }
  }

  /// Of a red field and a grey one half the pixels each are as in a picture of that colour alone: nothing between.
  @Test func fieldsDoNotMix() throws {
    let size = Size(width: 34, height: 24)
    func picture(_ order: FieldOrder?, _ code: (_ row: Int) -> Int) -> CodedFrame {
      let frame = CodedFrame(
        size: size, layout: PixelLayout(.ycbcr420, bitDepth: 10), color: .bt2100PQ, fieldOrder: order)
      for plane in 0..<3 {
        let extent = frame.layout.planeSize(plane, of: size)
        for y in 0..<extent.height {
          for x in 0..<extent.width { frame.setSample(plane == 2 ? code(y) : 500, plane: plane, x: x, y: y) }
        }
      }
      return frame
    }
    let (red, gray) = (try measure(picture(nil) { _ in 700 }), try measure(picture(nil) { _ in 512 }))
    let both = try measure(picture(.topFirst) { $0.isMultiple(of: 2) ? 700 : 512 })
    #expect(both.peak == red.peak && red.peak > 1.5 * gray.peak)
    #expect(abs(both.average - (red.average + gray.average) / 2) < 1e-9)
    #expect(both.histogram.count(above: (red.peak + gray.peak) / 2) == size.width * size.height / 2)
  }
}
