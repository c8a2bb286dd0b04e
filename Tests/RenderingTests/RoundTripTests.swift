import ColorScience
import Frames
import Testing

import Rendering

/// Codes to linear half float and back, no stage between.
@Suite struct RoundTripTests {
  static let signals = [ColorDescription.bt2100PQ, .bt2100HLG, .bt709]

  /// A ramp of greys, one code a column, eight columns of neutral chroma each so that no siting matters.
  private func ramp(_ codes: ClosedRange<Int>, _ layout: PixelLayout, _ color: ColorDescription) -> CodedFrame {
    let size = Size(width: codes.count, height: 4)
    let frame = CodedFrame(size: size, layout: layout, color: color)
    for plane in 0..<3 {
      let extent = layout.planeSize(plane, of: size)
      let neutral = 1 << (layout.bitDepth - 1)
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          frame.setSample(plane == 0 ? codes.lowerBound + x : neutral, plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }

  static func nominal(_ bitDepth: Int, _ range: VideoRange) -> ClosedRange<Int> {
    let scale = SampleScale(bitDepth: bitDepth, range: range)
    return Int(scale.lumaOffset)...Int(scale.lumaOffset + scale.lumaScale)
  }

  static func unchanged(_ color: ColorDescription, _ layout: PixelLayout, _ size: Size) -> Comparison {
    let endpoint = Signal.endpoint(size, layout, color)
    return Comparison(source: endpoint, stages: [], target: endpoint)
  }

  @Test(arguments: signals, VideoRange.allCases)
  func greys(_ color: ColorDescription, _ range: VideoRange) throws {
    let color = color.with(range: range)
    // At eight bit without dither: light that half float moved by a little is dithered by a little.
    for bitDepth in [8, 10] {
      for components in [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444] {
        let layout = PixelLayout(components, bitDepth: bitDepth)
        let frame = ramp(Self.nominal(bitDepth, range), layout, color)
        for tier in KernelTier.supported {
          let comparison = Self.unchanged(color, layout, frame.size)
          let difference = CodeDifference(try comparison.fast(frame, tier), frame)
          #expect(difference.largest == 0, "\(layout) \(tier) \(difference)")
        }
      }
    }
  }

  /// Twelve bit to ten: the nearest code, either of two where both are as near. In full range, where codes are no
  /// multiples, half float shifts the decision by up to 0.11 code.
  @Test(arguments: [ColorDescription.bt2100PQ, .bt2100HLG], VideoRange.allCases)
  func twelveBitGreys(_ color: ColorDescription, _ range: VideoRange) throws {
    let color = color.with(range: range)
    let (from, to) = (SampleScale(bitDepth: 12, range: range), SampleScale(bitDepth: 10, range: range))
    let codes = Self.nominal(12, range)
    let frame = ramp(codes, PixelLayout(.ycbcr444, bitDepth: 12), color)
    let comparison = Comparison(
      source: Signal.endpoint(frame.size, frame.layout, color), stages: [],
      target: Signal.endpoint(frame.size, PixelLayout(.ycbcr444, bitDepth: 10), color))
    for tier in KernelTier.supported {
      let result = try comparison.fast(frame, tier)
      var farthest = 0.0
      for x in 0..<codes.count {
        let exact = from.luma(fromCode: codes.lowerBound + x) * to.lumaScale + to.lumaOffset
        farthest = max(farthest, (Double(result.sample(plane: 0, x: x, y: 1)) - exact).magnitude)
        #expect(result.sample(plane: 1, x: x, y: 1) == 512 && result.sample(plane: 2, x: x, y: 1) == 512)
      }
      #expect(farthest <= (range == .narrow ? 0.5 + 1e-9 : 0.61))
    }
  }

  /// Y'CbCr of a grid of R'G'B', those that rounding did not take out of the gamut.
  @Test(arguments: signals, VideoRange.allCases)
  func colours(_ color: ColorDescription, _ range: VideoRange) throws {
    let color = color.with(range: range)
    let matrix = try #require(YCbCrMatrix(color.matrix))
    let scale = SampleScale(bitDepth: 10, range: range)
    let levels = (0...40).map { Double($0) / 40 }
    let colours = levels.flatMap { r in levels.flatMap { g in levels.map { SIMD3(r, g, $0) } } }.compactMap {
      rgb -> SIMD3<Int>? in
      let signal = matrix.ycbcr(fromRGB: rgb)
      let codes = SIMD3(
        scale.code(fromLuma: signal.x), scale.code(fromChroma: signal.y), scale.code(fromChroma: signal.z))
      let decoded = matrix.rgb(
        fromYCbCr: SIMD3(
          scale.luma(fromCode: codes.x), scale.chroma(fromCode: codes.y), scale.chroma(fromCode: codes.z)))
      return decoded.min() >= 0 && decoded.max() <= 1 ? codes : nil
    }
    let width = 251
    let size = Size(width: width, height: colours.count / width)
    let frame = CodedFrame(size: size, layout: PixelLayout(.ycbcr444, bitDepth: 10), color: color)
    for (index, codes) in colours.prefix(size.width * size.height).enumerated() {
      for plane in 0..<3 { frame.setSample(codes[plane], plane: plane, x: index % width, y: index / width) }
    }
    for tier in KernelTier.supported {
      let result = try Self.unchanged(color, frame.layout, size).fast(frame, tier)
      let difference = CodeDifference(result, frame)
      // PQ and HLG come back exactly; BT.1886 moved 2e-5 of the codes by one.
      #expect(difference.largest <= (color.transfer == .bt709 ? 1 : 0) && difference.mean < 1e-4)
    }
  }
}
