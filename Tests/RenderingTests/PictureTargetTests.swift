import ColorScience
import Frames
import Testing
import ToneMapping

import Rendering

/// Targets that pictures are made of: R'G'B' codes and linear light; and these as sources.
@Suite struct PictureTargetTests {
  private static let size = Size(width: 133, height: 38)
  private static let wide = Display(sdrWhite: 100, peak: 100, primaries: .displayP3)

  private static func rgb(_ bits: Int, _ primaries: ColorPrimaries, _ transfer: TransferCharacteristics) -> PixelFormat
  {
    PixelFormat(
      size: size, layout: PixelLayout(.rgb, bitDepth: bits),
      color: ColorDescription(primaries: primaries, transfer: transfer, matrix: .rgb, range: .full))
  }

  private static func light(_ primaries: ColorPrimaries) -> PixelFormat {
    PixelFormat(
      size: size, layout: .linearRGB,
      color: ColorDescription(primaries: primaries, transfer: .linear, matrix: .rgb, range: .full))
  }

  /// Half float rounds light by 2^-11, which is 24 codes of 16 bit at the top of PQ, 11 of sRGB, and 16 of HLG; colours
  /// on the edge of a gamut are differences of larger numbers, at the steep end of a power.
  @Test(arguments: [8, 10, 12, 16])
  func codes(_ bits: Int) throws {
    let source = Signal.endpoint(Self.size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ)
    let frame = CodedFrame.random(source.format, seed: 3)
    let cases: [(PixelFormat, SignalTransfer, [any Stage])] = [
      (Self.rgb(bits, .bt2020, .pq), .pq(unit: 100), []),
      (Self.rgb(bits, .displayP3, .sRGB), .sRGB(peak: 1), [Signal.mapping(.bt2100PQ, Self.wide)]),
    ]
    for (format, transfer, stages) in cases {
      let comparison = Comparison(
        source: source, stages: stages, target: FrameRenderer.Endpoint(format: format, transfer: transfer))
      for difference in try comparison.differences(frame) {
        #expect(difference.largest <= max(1, 64 >> (16 - bits)), "\(format.color.transfer) \(difference)")
        #expect(difference.mean < (bits == 16 ? 8 : 0.6), "\(format.color.transfer) \(difference)")
      }
    }
  }

  /// What comes in as light is what goes out, every half float that is a number.
  @Test func lightPassesAsItIs() throws {
    let format = PixelFormat(size: Size(width: 256, height: 248), layout: .linearRGB, color: Self.light(.bt2020).color)
    let frame = CodedFrame(format)
    for bits in 0..<(256 * 248) {
      let pattern = bits < 0x7C00 ? bits : 0x8000 | (bits - 0x7C00)
      for plane in 0..<3 { frame.setSample(pattern, plane: plane, x: bits % 256, y: bits / 256) }
    }
    let end = FrameRenderer.Endpoint(format: format, transfer: .linear(unit: 1))
    let comparison = Comparison(source: end, stages: [], target: end)
    for tier in KernelTier.supported {
      let difference = CodeDifference(try comparison.fast(frame, tier), frame)
      #expect(difference.largest == 0)
    }
  }

  /// A unit of samples is one of bands, and primaries without limits go both ways.
  @Test(arguments: KernelTier.supported)
  func unitsAndPrimaries(_ tier: KernelTier) throws {
    let source = FrameRenderer.Endpoint(format: Self.light(.bt2020), transfer: .linear(unit: 2))
    let target = FrameRenderer.Endpoint(format: Self.light(.bt709), transfer: .linear(unit: 1))
    let conversion = try #require(PrimariesConversion(from: .bt2020, to: .bt709))
    #expect(PrimariesConversion(from: .bt709, to: .bt709) == nil)
    let frame = CodedFrame(source.format)
    let color = SIMD3(0.0, 0.5, 0.25)
    for (plane, value) in [color.y, color.z, color.x].enumerated() {
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          frame.setSample(Int(Float16(value).bitPattern), plane: plane, x: x, y: y)
        }
      }
    }
    let result = try Comparison(source: source, stages: [conversion], target: target).fast(frame, tier)
    // BT.2087-0: the matrix from BT.2020 to BT.709, its inverse as published.
    let expected = SIMD3(
      -0.587641 * 0.5 - 0.072850 * 0.25, 1.132900 * 0.5 - 0.008349 * 0.25, -0.100579 * 0.5 + 1.118730 * 0.25)
    for (plane, value) in [expected.y, expected.z, expected.x].enumerated() {
      let sample = Float16(bitPattern: UInt16(result.sample(plane: plane, x: 77, y: 20)))
      #expect(abs(Double(sample) - 2 * value) < 1e-3, "plane \(plane): \(sample), expected \(2 * value)")
    }
  }

  /// Codes of 16 bit to light: relative to the exact value, no more than half float rounds and 2^-13.
  @Test(arguments: KernelTier.supported)
  func sixteenBitSources(_ tier: KernelTier) throws {
    let source = FrameRenderer.Endpoint(format: Self.rgb(16, .bt2020, .pq), transfer: .pq(unit: 100))
    let target = FrameRenderer.Endpoint(format: Self.light(.bt2020), transfer: .linear(unit: 1))
    let frame = CodedFrame.random(source.format, seed: 9)
    let result = try Comparison(source: source, stages: [], target: target).fast(frame, tier)
    var worst = 0.0
    for plane in 0..<3 {
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let light = PQ.eotf(Double(frame.sample(plane: plane, x: x, y: y)) / 65535) / 100
          guard light > 1e-4 else { continue }
          let half = Float16(bitPattern: UInt16(result.sample(plane: plane, x: x, y: y)))
          worst = max(worst, abs(Double(half) / light - 1))
        }
      }
    }
    #expect(worst < 0x1p-11 + 0x1p-13)
  }
}
