import ColorScience
import Frames
import SIMDShims
import Testing
import ToneMapping

import Rendering

@Suite struct DitherTests {
  private static let side = ThresholdRows.size

  /// Codes of a tile of one signal, `phase` 0 for luma.
  private func tile(_ signal: Float, phase: Int, mask: BlueNoise?, tier: KernelTier = .detected) -> [UInt8] {
    let codes = SampleScale(bitDepth: 8, range: .narrow)
    let (gain, offset) =
      phase == 0 ? (codes.lumaScale, codes.lumaOffset) : (codes.chromaScale, codes.chromaOffset)
    let quantizer = Quantizer(gain: gain, offset: offset, codes: codes, mask: mask)
    let values = [Float](repeating: signal, count: Self.side)
    return (0..<Self.side).flatMap { row -> [UInt8] in
      var result = [UInt8](repeating: 0, count: Self.side)
      unsafe values.withUnsafeBufferPointer { values in
        unsafe result.withUnsafeMutableBufferPointer { result in
          unsafe tier.kernels.quantize8(
            quantizer.parameters(row: row, phase: phase), values.baseAddress!, result.baseAddress!, Self.side)
        }
      }
      return result
    }
  }

  private func mean(_ codes: [UInt8]) -> Double { Double(codes.reduce(0) { $0 + Int($1) }) / Double(codes.count) }

  @Test(arguments: KernelTier.supported)
  func meanIsTheSignal(_ tier: KernelTier) {
    for step in 0...97 {
      let signal = Float(step) / 97
      for phase in 0..<3 {
        let exact = phase == 0 ? Double(signal) * 219 + 16 : Double(signal - 0.5) * 224 + 128
        let codes = tile(phase == 0 ? signal : signal - 0.5, phase: phase, mask: .shared, tier: tier)
        #expect((mean(codes) - exact).magnitude < 1e-3)
        #expect(codes.allSatisfy { (Double($0) - exact).magnitude < 1 })
      }
    }
  }

  @Test func exactCodesStay() {
    for code in 16...235 {
      #expect(tile((Float(code) - 16) / 219, phase: 0, mask: .shared).allSatisfy { $0 == code })
    }
    for code in 16...240 {
      #expect(tile((Float(code) - 128) / 224, phase: 1, mask: .shared).allSatisfy { $0 == code })
    }
  }

  @Test func offRounds() {
    for step in 0...1000 {
      let signal = Float(step) / 1000
      let code = SampleScale(bitDepth: 8, range: .narrow).code(fromLuma: Double(signal))
      #expect(tile(signal, phase: 0, mask: nil).allSatisfy { $0 == code })
    }
  }

  /// Codes kept for synchronisation are not reached.
  @Test func tooBright() { #expect(tile(2, phase: 0, mask: nil).allSatisfy { $0 == 254 }) }

  @Test func thresholdsAreDistinct() {
    let rows = BlueNoise.shared.rows
    let all = (0..<Self.side).flatMap { y in (0..<Self.side).map { rows[row: y, column: $0, phase: 0] } }
    #expect(Set(all).count == 4096 && all.allSatisfy { $0 > 0 && $0 < 1 })
    #expect((all.reduce(0, +) / 4096 - 0.5).magnitude < 1e-6)
    let phases = (0..<3).map { phase in (0..<Self.side).map { rows[row: 0, column: $0, phase: phase] } }
    #expect(Set(phases).count == 3)
  }

  /// Power at low frequencies against white noise of the same variance, which has the same at all: 1.5e-4.
  @Test func lowFrequenciesAreWeak() {
    let rows = BlueNoise.shared.rows
    let side = Self.side
    var (low, count) = (0.0, 0.0)
    for v in 0...6 {
      for u in -6...6 where (1...36).contains(u * u + v * v) {
        var (real, imaginary) = (0.0, 0.0)
        for y in 0..<side {
          for x in 0..<side {
            let angle = 2 * Double.pi * Double((u * x + v * y) & (side - 1)) / Double(side)
            let value = Double(rows[row: y, column: x, phase: 0]) - 0.5
            real += value * cosine(angle)
            imaginary += value * cosine(angle - .pi / 2)
          }
        }
        low += real * real + imaginary * imaginary
        count += 1
      }
    }
    let white = Double(side * side) / 12
    #expect(low / count < 1e-3 * white)
  }

  private static let sdr = Signal.endpoint(Size(width: 64, height: 64), PixelLayout(.ycbcr444, bitDepth: 10), .bt709)

  /// A flat picture in ten bits, rendered to eight.
  private func dithered(
    _ codes: [Int], at time: FrameTime = FrameTime(presentation: 0, duration: 1, timeBase: Rational(1, 24)),
    shiftedTo shown: FrameTime? = nil, stages: [any Stage] = [], source: FrameRenderer.Endpoint = sdr
  ) throws -> CodedFrame {
    let frame = CodedFrame(
      size: source.format.size, layout: source.format.layout, color: source.format.color, time: time)
    for plane in 0..<3 {
      for y in 0..<64 { for x in 0..<64 { frame.setSample(codes[plane], plane: plane, x: x, y: y) } }
    }
    let comparison = Comparison(
      source: source, stages: stages,
      target: Signal.endpoint(source.format.size, PixelLayout(.ycbcr420, bitDepth: 8), .bt709))
    return try comparison.fast(shown.map(frame.at) ?? frame, .detected, dither: true)
  }

  private func time(_ frame: Int) -> FrameTime {
    FrameTime(presentation: Int64(frame), duration: 1, timeBase: Rational(1, 24))
  }

  /// The pattern is another one in each frame, and depends on the time in the source alone.
  @Test func doesNotStandStill() throws {
    let frames = try (0..<64).map { try dithered([302, 512, 512], at: time($0)) }
    #expect(Set(frames.map(\.fnv1a)).count > 60)
    for y in 0..<64 {
      for x in 0..<64 {
        let mean = Double(frames.reduce(0) { $0 + $1.sample(plane: 0, x: x, y: y) }) / 64
        // Five standard deviations of a fair coin.
        #expect((mean - 75.5).magnitude < 5 * 0.5 / 8)
      }
    }
    let milliseconds = FrameTime(presentation: 1000, duration: 42, timeBase: Rational(1, 1000))
    #expect(try dithered([302, 512, 512], at: milliseconds).fnv1a == frames[24].fnv1a)
    #expect(try dithered([302, 512, 512], at: time(24), shiftedTo: time(3)).fnv1a == frames[24].fnv1a)
    let nowhere = FrameTime(presentation: .max, duration: 1, timeBase: Rational(1, 1))
    #expect(try dithered([302, 512, 512], at: nowhere).fnv1a == frames[0].fnv1a)
  }

  /// Grey stays grey through every gamut map.
  @Test(arguments: GamutMapping.Method.allCases)
  func graysAreNeutral(_ gamut: GamutMapping.Method) throws {
    let source = Signal.endpoint(Size(width: 64, height: 64), PixelLayout(.ycbcr444, bitDepth: 10), .bt2100PQ)
    for code in stride(from: 64, through: 940, by: 73) {
      let result = try dithered(
        [code, 512, 512], at: time(code), stages: [Signal.mapping(.bt2100PQ, gamut: gamut)], source: source)
      for plane in 1...2 {
        for y in 0..<32 { for x in 0..<32 { #expect(result.sample(plane: plane, x: x, y: y) == 128) } }
      }
    }
  }

  /// The whole pipeline: greys of ten bit, black and white among them, to eight bit.
  @Test func pipeline() throws {
    let size = Size(width: 64, height: 64)
    let source = Signal.endpoint(size, PixelLayout(.ycbcr444, bitDepth: 10), .bt709)
    for (code, tolerance) in [(64, 0), (940, 0), (65, 0.05), (301, 0.05), (502, 0.05), (777, 0.05)] {
      let frame = CodedFrame(source.format)
      for plane in 0..<3 {
        for y in 0..<64 { for x in 0..<64 { frame.setSample(plane == 0 ? code : 512, plane: plane, x: x, y: y) } }
      }
      let to8 = Comparison(
        source: source, stages: [], target: Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: 8), .bt709))
      let result = try to8.fast(frame, .detected, dither: true)
      let luma = (0..<64).flatMap { y in (0..<64).map { UInt8(result.sample(plane: 0, x: $0, y: y)) } }
      #expect((mean(luma) - Double(code) / 4).magnitude <= tolerance)
      #expect(result.fnv1a == (try to8.fast(frame, .detected, dither: true)).fnv1a)
      let plain = try to8.fast(frame, .detected, dither: false)
      #expect(Set((0..<64).map { plain.sample(plane: 0, x: $0, y: $0) }).count == 1)
      // Deeper output is never dithered.
      let to10 = Comparison(source: source, stages: [], target: source)
      #expect(CodeDifference(try to10.fast(frame, .detected, dither: true), frame).largest == 0)
    }
  }
}
