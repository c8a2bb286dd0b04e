import ColorScience
import Frames
import Testing
import ToneMapping

import Rendering

/// Graphics over coded pictures.
@Suite struct OverlayTests {
  private static let size = Size(width: 133, height: 38)
  private static let white = 2.0

  /// A ramp of coverage from column 20 to 83 and row 11 to 20; transparent in its middle.
  private static let overlay: LightOverlay = {
    var samples: [SIMD4<Float>] = []
    for y in 0..<10 {
      for x in 0..<64 {
        let alpha: Float = x == 30 ? 0 : Float(x) / 63
        samples.append(SIMD4(alpha, 0.5 * alpha, Float(y) / 10 * alpha, alpha))
      }
    }
    let spans = (0..<10).map { LightOverlay.Span(first: 20, count: 64, offset: $0 * 64) }
    return LightOverlay(firstRow: 11, spans: spans, samples: samples, white: white)
  }()

  private static func sample(_ x: Int, _ y: Int) -> SIMD4<Double> {
    guard 20..<84 ~= x, 11..<21 ~= y else { return .zero }
    return SIMD4<Double>(overlay.samples[(y - 11) * 64 + x - 20])
  }

  private static func target(_ layout: PixelLayout, _ color: ColorDescription) -> FrameRenderer.Endpoint {
    FrameRenderer.Endpoint(
      format: PixelFormat(size: size, layout: layout, color: color),
      transfer: color.transfer == .hlg ? .hlg : color.transfer == .pq ? .pq(unit: 203) : .bt1886(peak: 1))
  }

  private static let rgb10 = PixelLayout(.rgb, bitDepth: 10)

  private static func color(_ transfer: TransferCharacteristics) -> ColorDescription {
    ColorDescription(primaries: .bt2020, transfer: transfer, matrix: .rgb, range: .full)
  }

  /// In R'G'B', whose samples are the light of one pixel alone, every code is what the formula says.
  @Test(arguments: [TransferCharacteristics.pq, .hlg, .bt709])
  func lightIsBlended(_ transfer: TransferCharacteristics) throws {
    let source = Signal.endpoint(Self.size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ)
    let frame = CodedFrame.random(source.format, seed: 7)
    let target = Self.target(Self.rgb10, Self.color(transfer))
    for tier in KernelTier.supported {
      let pool = WorkerPool(count: 2)
      let renderer = try FrameRenderer(source: source, stages: [], target: target, tier: tier, pool: pool)
      let light = try FrameRenderer(source: source, outputs: [.init(end: .linear)], tier: tier, pool: pool)
        .linearFrame(frame).coded(color: Self.color(.linear))
      let (plain, drawn) = (CodedFrame(target.format), CodedFrame(target.format))
      try renderer.render(frame, into: plain)
      try renderer.render(frame, into: [.coded(drawn, under: Self.overlay)])
      var largest = 0.0
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let sample = Self.sample(x, y)
          for (plane, index) in [(0, 1), (1, 2), (2, 0)] {
            let code = drawn.sample(plane: plane, x: x, y: y)
            if sample.w == 0 {
              #expect(code == plain.sample(plane: plane, x: x, y: y))
              continue
            }
            let half = Float16(bitPattern: UInt16(light.sample(plane: plane, x: x, y: y)))
            let below = min(max(Double(half), 0), target.transfer.peak)
            let expected = target.transfer.signal(
              fromLight: below * (1 - sample.w) + sample[index] * Self.white)
            largest = max(largest, abs(expected * 1023 - Double(code)))
          }
        }
      }
      #expect(largest < 1.3, "\(tier)")
    }
  }

  /// Rows of a frame and of its fields are the same rows.
  @Test func fieldsShowTheirRows() throws {
    let size = Size(width: 64, height: 32)
    let format = PixelFormat(
      size: size, layout: PixelLayout(.ycbcr420, bitDepth: 10), color: .bt709)
    let end = FrameRenderer.Endpoint(format: format, transfer: .bt1886(peak: 1))
    let frame = CodedFrame(format, fieldOrder: .topFirst)
    for y in 0..<32 { for x in 0..<64 { frame.setSample(64, plane: 0, x: x, y: y) } }
    for plane in 1...2 { for y in 0..<16 { for x in 0..<32 { frame.setSample(512, plane: plane, x: x, y: y) } } }
    let rows = [5, 6, 7]
    let overlay = LightOverlay(
      firstRow: 5, spans: rows.map { _ in .init(first: 3, count: 7, offset: 0) },
      samples: [SIMD4<Float>](repeating: SIMD4(1, 1, 1, 1), count: 7))
    let result = CodedFrame(format, fieldOrder: .topFirst)
    let renderer = try FrameRenderer(source: end, stages: [], target: end, pool: WorkerPool(count: 2))
    try renderer.render(frame, into: [.coded(result, under: overlay)])
    for y in 0..<32 {
      for x in 0..<64 {
        #expect(result.sample(plane: 0, x: x, y: y) == (rows.contains(y) && 3..<10 ~= x ? 940 : 64), "\(x), \(y)")
      }
    }
  }

  /// An overlay of one light, with a hole, over columns 20 to 43 and rows 20 to 29 of a picture that begins at (4, 2).
  private static func block(_ light: SIMD4<Float>) -> LightOverlay {
    var samples = [SIMD4<Float>](repeating: light, count: 24 * 10)
    for y in 4..<6 { for x in 10..<14 { samples[y * 24 + x] = .zero } }
    return LightOverlay(
      firstRow: 18, spans: (0..<10).map { .init(first: 16, count: 24, offset: $0 * 24) }, samples: samples)
  }

  private static func isCovered(_ x: Int, _ y: Int) -> Bool {
    20..<44 ~= x && 20..<30 ~= y && !(30..<34 ~= x && 24..<26 ~= y)
  }

  /// The limiter lowers what is covered and, beside a colour, what shares its chroma; nothing else, and nothing more than a whole picture's
  /// would.
  @Test(arguments: [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444, .rgb], [nil, FieldOrder.topFirst])
  func onlyWhatIsDrawnIsLimited(_ components: PixelLayout.Components, _ order: FieldOrder?) throws {
    let color = components == .rgb ? Self.color(.pq) : .bt2100PQ
    let format = PixelFormat(
      size: Size(width: 64, height: 64), layout: PixelLayout(components, bitDepth: 10), color: color)
    let pool = WorkerPool(count: 2)
    let limiter = try PeakLimiter(format: format, peak: 100)
    let area = PictureArea(x: 4, y: 2, width: 56, height: 60)
    let before = CodedFrame.random(format, fieldOrder: order, seed: 9)
    let whole = CodedFrame.random(format, fieldOrder: order, seed: 9)
    limiter.limit(whole, pool: pool)
    for (light, isColored) in [(SIMD4<Float>(1, 1, 1, 1), false), (SIMD4<Float>(1, 0, 0, 1), true)] {
      let drawn = CodedFrame.random(format, fieldOrder: order, seed: 9)
      limiter.limit(drawn, under: Self.block(light), in: area, pool: pool)
      var lowered = (covered: 0, beside: 0)
      for y in 0..<64 {
        for x in 0..<64 {
          let (code, own) = (drawn.sample(plane: 0, x: x, y: y), before.sample(plane: 0, x: x, y: y))
          if Self.isCovered(x, y) {
            #expect(whole.sample(plane: 0, x: x, y: y)...own ~= code)
            if code < own { lowered.covered += 1 }
          } else if code != own {
            lowered.beside += 1
            #expect(15..<49 ~= x && 14..<36 ~= y)
          }
        }
      }
      #expect(lowered.covered > 10)
      #expect((lowered.beside > 0) == (isColored && [.ycbcr420, .ycbcr422].contains(components)))
    }
  }

  /// Where the picture itself is above the peak, an edge is not darker than both of its sides.
  @Test func edgesStayBetweenTheirSides() throws {
    let format = PixelFormat(
      size: Size(width: 64, height: 64), layout: PixelLayout(.ycbcr420, bitDepth: 10), color: .bt2100PQ)
    let pool = WorkerPool(count: 2)
    let limiter = try PeakLimiter(format: format, peak: 300)
    let overlay = Self.block(SIMD4(1, 1, 1, 1))
    let frame = CodedFrame.random(format, seed: 1)
    // A warm film that reads as more than 600 cd/m², and white letters, between which chroma is shared.
    func fill(_ plane: Int, _ value: (Int, Int) -> UInt16) {
      unsafe frame.withPlane(plane) { samples in
        for y in unsafe 0..<samples.size.height {
          let row = unsafe samples.row(y).assumingMemoryBound(to: UInt16.self)
          for x in unsafe 0..<samples.size.width { unsafe row[x] = value(x, y) }
        }
      }
    }
    fill(0) { x, y in Self.isCovered(x, y) ? 573 : 600 }
    fill(1) { x, y in Self.isCovered(2 * x, 2 * y) ? 476 : 440 }
    fill(2) { x, y in Self.isCovered(2 * x, 2 * y) ? 566 : 620 }
    limiter.limit(frame, under: overlay, in: PictureArea(x: 4, y: 2, width: 56, height: 60), pool: pool)
    for y in 0..<64 {
      for x in 0..<64 { #expect((Self.isCovered(x, y) ? 571...573 : 600...600) ~= frame.sample(plane: 0, x: x, y: y)) }
    }
  }
}
