import ColorScience
import Frames
import TestSupport
import Testing
import ToneMapping

import Rendering

/// Every input layout, range and siting, to every output layout, at awkward sizes.
@Suite struct LayoutTests {
  static let inputs: [PixelLayout] =
    [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444, .rgb].flatMap { components in
      [8, 10, 12].map { PixelLayout(components, bitDepth: $0) }
    } + [8, 10].map { PixelLayout(.ycbcr420, bitDepth: $0, packing: .semiplanar) } + captured
  /// Layouts that capture devices have besides.
  static let captured =
    [PixelLayout(.ycbcr422, bitDepth: 8, packing: .semiplanar), PixelLayout(.ycbcr422, bitDepth: 10, packing: .yuyv)]
    + [PixelLayout.Packing.yuyv, .uyvy].map { PixelLayout(.ycbcr422, bitDepth: 8, packing: $0) }
    + [.rgb, .bgr, .rgbx, .bgrx, .xrgb].map { PixelLayout(.rgb, bitDepth: 8, packing: $0) }
  static let outputs = [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444].flatMap { components in
    [8, 10].map { PixelLayout(components, bitDepth: $0) }
  }
  static let small = [(1, 1), (2, 2), (3, 5), (17, 9), (2, 67)].map(Size.init)
  static let large = Size(width: 66, height: 35)

  /// The siting of the output goes through the same list backwards, so that it differs from the input's.
  static let locations = Array(zip(ChromaLocation.allCases, ChromaLocation.allCases.reversed()))
  static let mappings = [ColorDescription.bt2100PQ, .bt2100HLG].map { Signal.mapping($0) }

  @Test(arguments: inputs, VideoRange.allCases)
  func everySize(_ layout: PixelLayout, _ range: VideoRange) throws {
    for (index, location) in Self.locations.enumerated() {
      for (turn, output) in Self.outputs.enumerated() {
        // Chroma at full resolution on both sides has no siting.
        if index > 0, layout.chromaShiftX == 0, output.chromaShiftX == 0 { continue }
        let isHLG = (index + turn) % 2 == 1
        let color = (isHLG ? ColorDescription.bt2100HLG : .bt2100PQ).with(range: range, location: location.0)
        let target = ColorDescription.bt709.with(range: turn % 3 == 0 ? .full : .narrow, location: location.1)
        // The short run has every siting of subsampled outputs in the large size, with one of two bit depths, and small sizes in turn.
        let hasLarge = LongTests.areWanted || index == 0 || turn < 4 && turn % 2 == index / 2 % 2
        for size in LongTests.share(of: Self.small, turn: index + turn) + (hasLarge ? [Self.large] : []) {
          let comparison = Comparison(
            source: Signal.endpoint(size, layout, layout.components == .rgb ? color.with(matrix: .rgb) : color),
            stages: [Self.mappings[isHLG ? 1 : 0]], target: Signal.endpoint(size, output, target))
          let frame = CodedFrame.random(comparison.source.format, seed: UInt64(size.width + index))
          for difference in try comparison.differences(frame) {
            #expect(difference.largest <= 1, "\(location) \(output) \(size) \(color.transfer)")
            #expect(size != Self.large || difference.mean < 0.05, "\(location) \(output) \(size) \(color.transfer)")
          }
        }
      }
    }
  }
}

extension Size {
  fileprivate init(_ extent: (Int, Int)) { self.init(width: extent.0, height: extent.1) }
}
