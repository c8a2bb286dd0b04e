import ColorScience
import Frames
import Testing
import ToneMapping

import Rendering

/// The matrices that kernels do not know, and grey: the fast path against the reference.
@Suite struct ComponentRowsTests {
  struct Case: CustomStringConvertible, Sendable {
    var color: ColorDescription
    var description: String { "\(color.matrix) \(color.transfer)" }
  }

  private static let wide = ColorDescription(primaries: .bt2020, transfer: .bt2020TenBit, matrix: .bt2020CL)

  static let cases: [Case] =
    [
      (ColorDescription.bt709, [MatrixCoefficients.ycgco, .chromaticityDerivedNCL, .chromaticityDerivedCL]),
      (.bt2100PQ, [.ycgco, .smpteST2085, .bt2020CL, .chromaticityDerivedNCL, .chromaticityDerivedCL, .ictcp]),
      (.bt2100HLG, [.bt2020CL, .ictcp]), (wide, [.bt2020CL]),
    ].flatMap { color, matrices in matrices.map { Case(color: color.with(matrix: $0)) } }

  static let layouts =
    [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444].map { PixelLayout($0, bitDepth: 10) }
    + [
      PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar), PixelLayout(.ycbcr420, bitDepth: 8),
      PixelLayout(.ycbcr444, bitDepth: 12),
    ]

  private func comparison(_ size: Size, _ layout: PixelLayout, _ color: ColorDescription, to target: PixelLayout)
    -> Comparison
  {
    Comparison(
      source: Signal.endpoint(size, layout, color), stages: [Signal.mapping(color)],
      target: Signal.endpoint(size, target, .bt709))
  }

  @Test(arguments: cases, layouts)
  func tenBitSDR(_ test: Case, _ layout: PixelLayout) throws {
    let pictures: [(Size, VideoRange, FieldOrder?)] = [
      (Size(width: 131, height: 66), .narrow, nil), (Size(width: 34, height: 16), .full, .topFirst),
    ]
    for (size, range, order) in pictures {
      let comparison = comparison(
        size, layout, test.color.with(range: range), to: PixelLayout(.ycbcr444, bitDepth: 10))
      let frame = CodedFrame.random(comparison.source.format, fieldOrder: order, seed: 11)
      for difference in try comparison.differences(frame) {
        #expect(difference.largest <= 1, "\(test) \(layout) \(size): \(difference)")
        #expect(difference.mean < 0.05)
      }
    }
  }

  /// The same bits whatever number of workers and whatever tier unpacks.
  @Test func workersDoNotMatter() throws {
    let comparison = comparison(
      Size(width: 90, height: 200), PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ.with(matrix: .ictcp),
      to: PixelLayout(.ycbcr420, bitDepth: 10))
    let frame = CodedFrame.random(comparison.source.format, seed: 3)
    let one = try comparison.fast(frame, .detected, pool: WorkerPool(count: 1))
    for count in [2, 3, 5] {
      let many = try comparison.fast(frame, .detected, pool: WorkerPool(count: count))
      #expect(CodeDifference(one, many).largest == 0)
    }
  }

  static let grays = [8, 9, 10, 12, 14, 16].map { PixelLayout(.gray, bitDepth: $0) }

  /// Grey in: R = G = B to the bit, in either range.
  @Test(arguments: grays, VideoRange.allCases)
  func grayIn(_ layout: PixelLayout, _ range: VideoRange) throws {
    for color in [ColorDescription.bt2100PQ, .bt2100HLG, .bt709] {
      let size = Size(width: 67, height: 21)
      var comparison = comparison(size, layout, color.with(range: range), to: PixelLayout(.ycbcr444, bitDepth: 10))
      let frame = CodedFrame.random(comparison.source.format, seed: 5)
      for difference in try comparison.differences(frame) { #expect(difference.largest <= 1) }
      comparison.stages = []
      comparison.target = FrameRenderer.Endpoint(
        format: PixelFormat(size: size, layout: .linearRGB, color: color.with(matrix: .rgb)), transfer: .linear(unit: 1)
      )
      let light = try comparison.fast(frame, .detected)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let components = (0..<3).map { light.sample(plane: $0, x: x, y: y) }
          #expect(components[0] == components[1] && components[1] == components[2])
        }
      }
    }
  }

  /// Grey out is the luma of 4:4:4.
  @Test(arguments: [8, 10, 12])
  func grayOut(_ bitDepth: Int) throws {
    let size = Size(width: 67, height: 21)
    let layouts = (PixelLayout(.gray, bitDepth: bitDepth), PixelLayout(.ycbcr444, bitDepth: bitDepth))
    let comparison = comparison(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ, to: layouts.0)
    let colored = self.comparison(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ, to: layouts.1)
    let frame = CodedFrame.random(comparison.source.format, seed: 5)
    for difference in try comparison.differences(frame) { #expect(difference.largest <= 1) }
    let (gray, color) = (try comparison.fast(frame, .detected), try colored.fast(frame, .detected))
    for y in 0..<size.height {
      for x in 0..<size.width { #expect(gray.sample(plane: 0, x: x, y: y) == color.sample(plane: 0, x: x, y: y)) }
    }
  }

  /// Planes of 4:4:4 by the identity matrix are G', B' and R', and the other way round.
  @Test func layoutsByMatrix() {
    let ycbcr = PixelLayout(.ycbcr444, bitDepth: 10), rgb = PixelLayout(.rgb, bitDepth: 10)
    #expect(ycbcr.read(by: .rgb) == rgb && rgb.read(by: .bt709) == ycbcr)
    #expect(ycbcr.read(by: .bt2020NCL) == ycbcr && rgb.read(by: .unspecified) == rgb && rgb.read(by: .rgb) == rgb)
    let subsampled = PixelLayout(.ycbcr420, bitDepth: 10)
    #expect(subsampled.read(by: .rgb) == subsampled && PixelLayout.linearRGB.read(by: .bt709) == .linearRGB)
  }

  /// Neither subsampled R'G'B' nor I, Ct and Cp of SDR exist.
  @Test(arguments: [
    (ColorDescription.bt709.with(matrix: .rgb), PixelLayout.Components.ycbcr420),
    (.bt709.with(matrix: .ictcp), .ycbcr444), (.bt709.with(matrix: .unspecified), .ycbcr444),
  ])
  func whatIsRefused(_ color: ColorDescription, _ components: PixelLayout.Components) {
    let size = Size(width: 8, height: 8)
    #expect(throws: RenderingError.self) {
      try FrameRenderer(
        source: Signal.endpoint(size, PixelLayout(components, bitDepth: 10), color), outputs: [.init(end: .linear)],
        pool: WorkerPool(count: 1))
    }
    #expect(throws: RenderingError.self) {
      try ReferencePipeline(
        source: Signal.endpoint(size, PixelLayout(components, bitDepth: 10), color), stages: [],
        target: Signal.endpoint(size, PixelLayout(.ycbcr444, bitDepth: 10), .bt709))
    }
  }
}
