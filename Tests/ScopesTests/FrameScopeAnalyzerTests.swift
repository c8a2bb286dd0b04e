import ColorScience
import Frames
import Rendering
import Scopes
import Testing
import ToneMapping

/// Coded frames: each pixel counts once, in any format and with any number of threads.
@Suite struct FrameScopeAnalyzerTests {
  static let workers = WorkerPool(count: 2)

  private func frame(
    _ size: Size, _ layout: PixelLayout, _ color: ColorDescription, _ order: FieldOrder? = nil,
    _ code: (_ plane: Int, _ x: Int, _ y: Int) -> Int
  ) -> CodedFrame {
    let frame = CodedFrame(size: size, layout: layout, color: color, fieldOrder: order)
    for plane in 0..<layout.planeCount {
      let extent = layout.planeSize(plane, of: size)
      for y in 0..<extent.height {
        for x in 0..<extent.width { frame.setSample(code(plane, x, y), plane: plane, x: x, y: y) }
      }
    }
    return frame
  }

  private func scrambled(_ size: Size, _ layout: PixelLayout, _ color: ColorDescription) -> CodedFrame {
    frame(size, layout, color) { plane, x, y in
      let hash = UInt32(truncatingIfNeeded: plane * 65_599 + y * 8191 + x + 1) &* 0x9E37_79B1
      return Int(((hash ^ hash >> 15) &* 0x85EB_CA77) >> 16) % (1 << layout.bitDepth)
    }
  }

  private func counts(
    _ frame: CodedFrame, kinds: Set<ScopeKind> = Set(ScopeKind.allCases), tier: KernelTier = .detected,
    pool: WorkerPool = workers
  ) throws -> ScopeCounts {
    try FrameScopeAnalyzer(
      format: frame.format, content: ContentInterpretation(color: frame.color), settings: ScopeSettings(kinds: kinds),
      tier: tier, pool: pool
    ).counts(frame)
  }

  static let formats: [(PixelLayout, ColorDescription)] = [
    (PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ), (PixelLayout(.ycbcr420, bitDepth: 8), .bt709),
    (PixelLayout(.ycbcr422, bitDepth: 10), .bt2100HLG),
    (
      PixelLayout(.rgb, bitDepth: 12),
      ColorDescription(primaries: .displayP3, transfer: .pq, matrix: .rgb, range: .full)
    ),
  ]

  /// Against the reference on the light that the reference pipeline makes.
  @Test(arguments: KernelTier.supported, formats)
  func agreesWithTheReference(_ tier: KernelTier, _ format: (layout: PixelLayout, color: ColorDescription)) throws {
    let frame = scrambled(Size(width: 97, height: 45), format.layout, format.color)
    let content = try ContentInterpretation(color: format.color)
    let source = FrameRenderer.Endpoint(format: frame.format, transfer: content.transfer)
    let target = PixelFormat(size: frame.size, layout: PixelLayout(.ycbcr444, bitDepth: 10), color: .bt709)
    let reference = try ReferencePipeline(
      source: source, stages: [], target: FrameRenderer.Endpoint(format: target, transfer: .bt1886(peak: 1)))
    let light = (0..<frame.size.height).map { y in
      (0..<frame.size.width).map { x in
        let rgb = reference.light(frame, x, y)
        return SIMD3(Float16(rgb.x), Float16(rgb.y), Float16(rgb.z))
      }
    }
    let counts = try counts(frame, tier: tier)
    // The light itself is that of the reference to half a step of half float, which decides between two bins at times.
    ScopeAnalyzerTests.expect(
      counts, ReferenceCounts(light, content, .ictcp, columns: counts.columns),
      share: format.color.transfer == .hlg ? 0.08 : 0.05)
    #expect(counts.luminance.reduce(0) { $0 + Int($1) } == 97 * 45)
  }

  @Test(arguments: formats)
  func theSameForAnyNumberOfThreads(_ layout: PixelLayout, _ color: ColorDescription) throws {
    let frame = scrambled(Size(width: 515, height: 301), layout, color)
    let one = try counts(frame, pool: WorkerPool(count: 1))
    for workers in [2, 5] { #expect(try counts(frame, pool: WorkerPool(count: workers)) == one) }
  }

  /// Ten-bit narrow code 573 is 203.7 cd/m²: level 594.4 of 1023, in the middle of the plane, of the colour of D65.
  @Test(arguments: KernelTier.supported)
  func gray(_ tier: KernelTier) throws {
    let size = Size(width: 37, height: 21)
    let counts = try counts(
      frame(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ) { plane, _, _ in plane == 0 ? 573 : 512 }, tier: tier
    )
    #expect(counts.columns == 37)
    for column in 0..<37 { #expect(counts.luminance[column * 1024 + 594] == 21, "\(column)") }
    #expect(counts.luminance == counts.red && counts.luminance == counts.blue)
    let mean = try #require(counts.chromaticity.mean)
    #expect((mean.x - 0.19783).magnitude < 2e-4 && (mean.y - 0.46834).magnitude < 2e-4)
    #expect(counts.chromaticities[374 * 512 + 158] == 37 * 21)
  }

  /// Fields are separate pictures: a red one and a grey one do not mix.
  @Test func fieldsDoNotMix() throws {
    let (size, layout) = (Size(width: 34, height: 24), PixelLayout(.ycbcr420, bitDepth: 10))
    func picture(_ order: FieldOrder?, _ code: @escaping (_ row: Int) -> Int) -> CodedFrame {
      frame(size, layout, .bt2100PQ, order) { plane, _, y in plane == 2 ? code(y) : 500 }
    }
    let red = try counts(picture(nil) { _ in 700 })
    let gray = try counts(picture(nil) { _ in 512 })
    let both = try counts(picture(.topFirst) { $0.isMultiple(of: 2) ? 700 : 512 })
    for (sum, parts) in zip([both.luminance, both.red], [(red.luminance, gray.luminance), (red.red, gray.red)]) {
      #expect(zip(parts.0, parts.1).map { ($0 + $1) / 2 } == sum)
    }
  }

  /// Every third row: the rows 0, 3, 6, ... of the picture and no others, for the frame analyzer and for the stage.
  @Test(arguments: [1, 3]) func oneRowOfSoMany(_ workers: Int) throws {
    let (size, step) = (Size(width: 130, height: 200), 3)
    let frame = scrambled(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ)
    let content = try ContentInterpretation(color: frame.color)
    let settings = ScopeSettings(kinds: Set(ScopeKind.allCases), rowStep: step)
    let pool = WorkerPool(count: workers)
    let found = try FrameScopeAnalyzer(format: frame.format, content: content, settings: settings, pool: pool).counts(
      frame)
    let meter = ScopeAnalyzer(size: size, content: content, settings: settings, workers: workers)
    let source = FrameRenderer.Endpoint(format: frame.format, transfer: content.transfer)
    let light = try FrameRenderer(source: source, outputs: [.init(stages: [meter], end: .linear)], pool: pool)
      .linearFrame(frame)
    #expect(meter.takeCounts() == found)
    #expect(found.luminance.reduce(0) { $0 + Int($1) } == size.width * ((size.height + step - 1) / step))
    var reds = [Int](repeating: 0, count: ScopeCounts.levels)
    for y in stride(from: 0, to: size.height, by: step) {
      let row = light.row(y, .red)
      for x in 0..<size.width { reds[Int(PQ.inverseEOTF(Double(row[x]) * 100) * 1023 + 0.5)] += 1 }
    }
    var sums = [Int](repeating: 0, count: ScopeCounts.levels)
    for (index, count) in found.red.enumerated() { sums[index % ScopeCounts.levels] += Int(count) }
    #expect(sums == reds)
  }

  @Test func otherFormatsAreRefused() throws {
    let (layout, size) = (PixelLayout(.ycbcr420, bitDepth: 10), Size(width: 34, height: 24))
    let frame = scrambled(size, layout, .bt2100PQ)
    let meter = try FrameScopeAnalyzer(
      format: frame.format, content: ContentInterpretation(color: frame.color),
      settings: ScopeSettings(kinds: [.waveform]), pool: Self.workers)
    #expect(throws: RenderingError.self) {
      try meter.counts(scrambled(Size(width: 36, height: 24), layout, .bt2100PQ))
    }
  }
}
