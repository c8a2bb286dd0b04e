import ColorScience
import Frames
import Testing
import ToneMapping

import Rendering

/// Targets other than SDR, and SDR with clipped components, on random frames.
@Suite struct TargetTests {
  struct Case: Sendable, CustomStringConvertible {
    var description: String
    var source: ColorDescription
    var bitDepth = 10
    var stages: [any Stage]
    var target: ColorDescription
    var transfer: SignalTransfer
    /// The largest signal of the target.
    var reach = 1.0
    /// Largest difference in codes, and the largest share of samples that differ by more than one.
    var bounds = (largest: 1, outliers: 0.0)
  }

  static let hdr600 = Display(sdrWhite: 203, peak: 600, primaries: .bt2020)
  static let hdr1000 = Display(sdrWhite: 203, peak: 1000, primaries: .bt2020)

  /// Where components are cut off at zero, one that lands near it is a small difference of large numbers: what half
  /// float rounded off them, up to 3e-4, is 30 codes of R' under the steep end of 1/2.4, and half as much of Cr. At
  /// most 8 codes were measured, and 1.2e-4 of the samples off by more than one.
  static let clipped = (largest: 16, outliers: 2e-4)

  /// HLG whose light above 1000 cd/m² stays.
  private static let superWhiteMapping: DisplayMapping = {
    var settings = DisplayMapping.Settings(metadata: .hlg, primaries: .bt2020, display: hdr1000)
    settings.superWhite = 1.83
    return DisplayMapping(settings)
  }()

  static let cases: [Case] = [
    Case(
      description: "PQ to PQ 600", source: .bt2100PQ, stages: [Signal.mapping(.bt2100PQ, hdr600)], target: .bt2100PQ,
      transfer: .pq(unit: 203)),
    Case(
      description: "PQ to HLG", source: .bt2100PQ,
      stages: [Signal.mapping(.bt2100PQ, hdr1000), InverseOOTF(display: hdr1000)], target: .bt2100HLG,
      transfer: .hlg),
    Case(
      description: "HLG to PQ", source: .bt2100HLG, stages: [Signal.mapping(.bt2100HLG, hdr1000)], target: .bt2100PQ,
      transfer: .pq(unit: 203)),
    Case(
      description: "HLG to HLG", source: .bt2100HLG,
      stages: [Signal.mapping(.bt2100HLG, hdr1000), InverseOOTF(display: hdr1000)], target: .bt2100HLG,
      transfer: .hlg),
    Case(
      description: "SDR to SDR", source: .bt709, bitDepth: 8, stages: [Signal.mapping(.bt709)], target: .bt709,
      transfer: .bt1886(peak: 1)),
    Case(
      description: "SDR to SDR, super-white", source: .bt709, stages: [Signal.mapping(.bt709)], target: .bt709,
      transfer: .bt1886(peak: 1), reach: SignalTransfer.superWhite),
    Case(
      description: "HLG to HLG, super-white", source: .bt2100HLG,
      stages: [superWhiteMapping, InverseOOTF(display: hdr1000)], target: .bt2100HLG, transfer: .hlg,
      reach: SignalTransfer.superWhite),
    Case(
      description: "HLG to PQ, super-white", source: .bt2100HLG,
      stages: [
        Signal.mapping(.bt2100HLG, Display(sdrWhite: 203, peak: 1825, primaries: .bt2020))
      ], target: .bt2100PQ, transfer: .pq(unit: 203)),
    Case(
      description: "SDR to SDR in P3", source: .bt709, bitDepth: 8,
      stages: [Signal.mapping(.bt709, Display(sdrWhite: 100, peak: 100, primaries: .displayP3))],
      target: .bt709, transfer: .sRGB(peak: 1)),
    Case(
      description: "PQ to SDR, clip", source: .bt2100PQ, stages: [Signal.mapping(.bt2100PQ, gamut: .clip)],
      target: .bt709, transfer: .bt1886(peak: 1), bounds: clipped),
    Case(
      description: "HLG to SDR, clip", source: .bt2100HLG, stages: [Signal.mapping(.bt2100HLG, gamut: .clip)],
      target: .bt709, transfer: .bt1886(peak: 1), bounds: clipped),
    Case(
      description: "PQ to SDR, compress", source: .bt2100PQ, stages: [Signal.mapping(.bt2100PQ)], target: .bt709,
      transfer: .bt1886(peak: 1)),
    Case(
      description: "HLG to SDR, compress", source: .bt2100HLG, stages: [Signal.mapping(.bt2100HLG)], target: .bt709,
      transfer: .bt1886(peak: 1)),
  ]

  @Test(arguments: cases)
  func difference(_ test: Case) throws {
    let size = Size(width: 331, height: 96)
    for components in [PixelLayout.Components.ycbcr444, .ycbcr420] {
      var comparison = Comparison(
        source: Signal.endpoint(size, PixelLayout(components, bitDepth: test.bitDepth), test.source),
        stages: test.stages,
        target: Signal.endpoint(size, PixelLayout(components, bitDepth: test.bitDepth), test.target))
      comparison.target.transfer = test.transfer
      comparison.target.reach = test.reach
      let frame = CodedFrame.random(comparison.source.format, seed: 11)
      for difference in try comparison.differences(frame) {
        #expect(difference.largest <= test.bounds.largest)
        #expect(difference.mean < 0.05)
        #expect(Double(difference.outliers) <= test.bounds.outliers * Double(size.width * size.height * 3))
      }
    }
  }

  /// Twelve-bit codes are four times as fine as ten-bit ones: what half float rounds off is up to two of them, and
  /// four times as many where components are cut off; 36 codes and 8.4e-4 of the samples were measured there.
  @Test(arguments: cases, [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444])
  func twelveBit(_ test: Case, _ components: PixelLayout.Components) throws {
    let size = Size(width: 227, height: 130)
    let layout = PixelLayout(components, bitDepth: 12)
    var comparison = Comparison(
      source: Signal.endpoint(size, layout, test.source), stages: test.stages,
      target: Signal.endpoint(size, layout, test.target))
    comparison.target.transfer = test.transfer
    let frame = CodedFrame.random(comparison.source.format, seed: 12)
    let isClipped = test.bounds.largest > 1
    for difference in try comparison.differences(frame) {
      #expect(difference.largest <= (isClipped ? 4 * Self.clipped.largest : 2))
      #expect(difference.mean < 0.1)
      #expect(Double(difference.outliers) <= (isClipped ? 1.5e-3 : 1.5e-4) * Double(size.width * size.height * 3))
    }
  }

  /// Every twelve-bit PQ grey by every curve, on displays whose peak lies at an end or in the middle of a segment of
  /// the curve's table.
  @Test(arguments: ToneCurve.all.indices, [100, 100.78125, 113, 203])
  func greys(_ curve: Int, _ white: Double) throws {
    let size = Size(width: 4096, height: 1)
    let source = Signal.endpoint(size, PixelLayout(.ycbcr444, bitDepth: 12), .bt2100PQ)
    let stage = DisplayMapping(
      DisplayMapping.Settings(
        metadata: .describing(transfer: .pq, metadata: HDRMetadata()), curve: ToneCurve.all[curve],
        display: Display(sdrWhite: white, peak: white, primaries: .bt709)))
    let comparison = Comparison(
      source: source, stages: [stage], target: Signal.endpoint(size, PixelLayout(.ycbcr444, bitDepth: 10), .bt709))
    let frame = CodedFrame(source.format)
    for plane in 0..<3 { for x in 0..<4096 { frame.setSample(plane == 0 ? x : 2048, plane: plane, x: x, y: 0) } }
    for difference in try comparison.differences(frame) {
      #expect(difference.largest <= 1 && difference.mean < 0.02)
    }
  }
}
