import ColorScience
import Frames
import Rendering
import TestSupport
import Testing
import ToneMapping

/// Ten-bit SDR codes of the fast pipeline against those of the reference: none off by more than one where the gamut map
/// is well conditioned, and on average by less than an eighth. Random codes have large areas of one colour, the corners of
/// the gamut, which are off by one together.
@Suite struct FastAgainstReferenceTests {
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

  @Test(arguments: cases)
  func tenBitSDR(_ test: Case) throws {
    let size = LongTests.areWanted ? Size(width: 227, height: 130) : Size(width: 99, height: 58)
    let mapping = DisplayMapping(
      DisplayMapping.Settings(
        metadata: .describing(transfer: test.color.transfer, metadata: HDRMetadata()), curve: test.curve,
        display: Signal.sdr))
    let comparison = Comparison(
      source: Signal.endpoint(size, test.layout, test.color), stages: [mapping],
      target: Signal.endpoint(size, PixelLayout(test.layout.components, bitDepth: 10), .bt709))
    let frame = CodedFrame.random(comparison.source.format, seed: 7)
    for (tier, difference) in zip(KernelTier.supported, try comparison.conditionedDifferences(frame)) {
      print("\(test) \(tier): \(difference)")
      #expect(difference.outliers == 0)
      #expect(difference.mean < 0.125)
    }
  }
}

extension CodedFrame {
  convenience init(_ format: PixelFormat, fieldOrder: FieldOrder? = nil) {
    self.init(size: format.size, layout: format.layout, color: format.color, fieldOrder: fieldOrder)
  }
}
