import ColorScience
import Foundation
import Frames
import Rendering
import TestSupport
import Testing
import ToneMapping

import Filters

/// Every colour of eight-bit sRGB and P3 (one in eight in the short run), coded as PQ in twelve bits 4:4:4 with white at 100 cd/m², through the highlight.
@Suite struct WideColorTests {
  private static let rows = 64
  private static let size = Size(width: 4096, height: rows)
  private static let color = ColorDescription.bt2100PQ
  private static let transfer = (0..<256).map { SRGB.eotf(Double($0) / 255) }

  /// PQ signals of light from 0 to 100 cd/m²: a table, as there are millions of them, by a square root that is fine enough
  /// near black; the nearest of its entries is off by less than a hundredth of a twelve-bit code.
  private static let signals = (0...1_000_000).map { index in
    PQ.inverseEOTF(100 * pow(Double(index) / 1_000_000, 4))
  }
  private static func signal(_ nits: Double) -> Double {
    signals[min(Int((max(nits, 0) / 100).squareRoot().squareRoot() * 1_000_000 + 0.5), 1_000_000)]
  }

  /// Colours number `first` and on, red fastest.
  private static func frame(_ space: RGBSpace, first: Int) -> CodedFrame {
    let frame = CodedFrame(size: size, layout: PixelLayout(.ycbcr444, bitDepth: 12), color: color)
    let toWide = RGBSpace.conversion(from: space, to: .bt2020)
    let codes = SampleScale(bitDepth: 12, range: .narrow)
    DispatchQueue.concurrentPerform(iterations: rows) { y in
      for x in 0..<size.width {
        let number = first + y * size.width + x
        let rgb = SIMD3(transfer[number & 255], transfer[number >> 8 & 255], transfer[number >> 16 & 255])
        let wide = toWide * rgb * 100
        let ycbcr = YCbCrMatrix.bt2020.ycbcr(fromRGB: SIMD3(signal(wide.x), signal(wide.y), signal(wide.z)))
        frame.setSample(Int(codes.code(fromLuma: ycbcr.x)), plane: 0, x: x, y: y)
        frame.setSample(Int(codes.code(fromChroma: ycbcr.y)), plane: 1, x: x, y: y)
        frame.setSample(Int(codes.code(fromChroma: ycbcr.z)), plane: 2, x: x, y: y)
      }
    }
    return frame
  }

  /// Calls `body` with each pixel's light before and after the highlight.
  private static func forEach(
    _ space: RGBSpace, _ filter: String,
    _ body: @Sendable (_ number: Int, _ before: SIMD3<Float16>, _ after: SIMD3<Float16>) -> Bool
  ) throws -> Int {
    let content = try ContentInterpretation(color: color)
    let context = FilterContext(content: content, mapping: nil, sdrWhite: 100, size: size, workers: 2)
    let stage = try HighlightStageTests.stage(filter, context)
    let format = PixelFormat(size: size, layout: PixelLayout(.ycbcr444, bitDepth: 12), color: color)
    let end = FrameRenderer.Endpoint(format: format, transfer: content.transfer)
    let plain = try FrameRenderer(source: end, outputs: [.init(end: .linear)], pool: WorkerPool(count: 2))
    let filtered = try FrameRenderer(
      source: end, outputs: [.init(stages: [stage], end: .linear)], pool: WorkerPool(count: 2))
    var wrong = 0
    for number in 0..<64 where LongTests.areWanted || number % 9 == 0 {
      let first = number * rows * size.width
      let frame = frame(space, first: first)
      let (before, after) = (try plain.linearFrame(frame), try filtered.linearFrame(frame))
      for y in 0..<rows {
        let (r, g, b) = (before.row(y, .red), before.row(y, .green), before.row(y, .blue))
        let (r2, g2, b2) = (after.row(y, .red), after.row(y, .green), after.row(y, .blue))
        for x in 0..<size.width
        where !body(first + y * size.width + x, SIMD3(r[x], g[x], b[x]), SIMD3(r2[x], g2[x], b2[x])) {
          wrong += 1
        }
      }
    }
    return wrong
  }

  @Test(arguments: ["highlight", "highlight=by=range"])
  func everySRGBColourTurnsGrey(_ filter: String) throws {
    let wrong = try Self.forEach(.bt709, filter) { _, _, after in
      after.x == after.y && after.y == after.z
    }
    #expect(wrong == 0)
  }

  /// What the true colours say, not the filter's own matrices: outside by twice the tolerance stays to the bit, and
  /// inside turns grey. Between the two the coding decides.
  @Test(arguments: ["highlight", "highlight=by=range"])
  func everyP3ColourOutsideOfSRGBStays(_ filter: String) throws {
    // P3-D65 to BT.709 as published to four digits (SMPTE EG 432-1 and ITU-R BT.709 primaries).
    let matrix = Matrix3(
      SIMD3(1.2249, -0.2247, 0), SIMD3(-0.0420, 1.0419, 0), SIMD3(-0.0197, -0.0786, 1.0979))
    let (byRange, tolerance) = (filter.hasSuffix("range"), 0.01)
    let (transfer, stays) = (Self.transfer, Counter())
    let wrong = try Self.forEach(.displayP3, filter) { number, before, after in
      let rgb = matrix * SIMD3(transfer[number & 255], transfer[number >> 8 & 255], transfer[number >> 16 & 255])
      let (below, above, sum) = (-rgb.min(), byRange ? rgb.max() - 1 : 0, rgb.sum())
      let floor = 0.01 / 100
      if below > 2 * tolerance * sum + 2 * floor || above > 2 * tolerance * sum {
        stays.add()
        return before.x.bitPattern == after.x.bitPattern && before.y.bitPattern == after.y.bitPattern
          && before.z.bitPattern == after.z.bitPattern
      }
      if below < 0.0005 * sum, above < 0.0005 { return after.x == after.y && after.y == after.z }
      return true
    }
    #expect(wrong == 0)
    #expect(stays.count > (LongTests.areWanted ? 1_200_000 : 150_000))
  }

  private final class Counter: @unchecked Sendable {
    // @unchecked: one thread counts.
    private(set) var count = 0
    func add() { count += 1 }
  }

  /// The classic pair: P3 red lies outside of sRGB; (0.9175, 0.2003, 0.1387) of coded P3 is sRGB red.
  @Test func theClassicPair() throws {
    let toWide = RGBSpace.conversion(from: .displayP3, to: .bt2020)
    let pair = [SIMD3(1, 0, 0), SIMD3(SRGB.eotf(0.9175), SRGB.eotf(0.2003), SRGB.eotf(0.1387))].map { toWide * $0 }
    let light = Light(Size(width: 2, height: 1)) { x, _ in pair[x] }
    for filter in ["highlight", "highlight=by=range"] {
      let stage = try HighlightStageTests.stage(filter, .of(.bt2100PQ, light.frame.size))
      let result = try light.after([stage], tier: .detected)
      #expect(result.color(0, 0) == light.color(0, 0))
      #expect(Set(result.bits(1, 0)).count == 1)
    }
    let stage = try HighlightStageTests.stage("highlight=gamut=p3", .of(.bt2100PQ, light.frame.size))
    #expect(Set(try light.after([stage], tier: .detected).bits(0, 0)).count == 1)
  }
}
