import ColorScience
import Frames
import Rendering
import Testing

/// Coded pictures of noise, in which no reading of chroma is above the peak afterwards.
@Suite struct PeakLimiterTests {
  static let size = Size(width: 37, height: 24)
  static let pool = WorkerPool(count: 2)

  struct Case: Sendable {
    var layout: PixelLayout
    var range = VideoRange.narrow
    var site = ChromaLocation.topLeft
    var fieldOrder: FieldOrder?
  }

  static let cases: [Case] =
    [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444, .rgb].flatMap { components in
      [8, 10, 12].map { Case(layout: PixelLayout(components, bitDepth: $0)) }
    }
    + [ChromaLocation.left, .center, .top, .bottomLeft].map {
      Case(layout: PixelLayout(.ycbcr420, bitDepth: 10), site: $0)
    } + [
      Case(layout: PixelLayout(.ycbcr420, bitDepth: 10), range: .full),
      Case(layout: PixelLayout(.ycbcr420, bitDepth: 10), fieldOrder: .topFirst),
    ]

  private static func format(_ test: Case) -> PixelFormat {
    let matrix: MatrixCoefficients = test.layout.components == .rgb ? .rgb : .bt2020NCL
    return PixelFormat(
      size: size, layout: test.layout,
      color: ColorDescription(
        primaries: .bt2020, transfer: .pq, matrix: matrix, range: test.range, chromaLocation: test.site))
  }

  /// The largest signal of a pixel, chroma interpolated from its siting or repeated.
  private func brightest(_ frame: CodedFrame, _ field: Field? = nil) -> Double {
    let (layout, color) = (frame.layout, frame.color)
    let codes = SampleScale(bitDepth: layout.bitDepth, range: color.range)
    let chroma = layout.planeSize(1, of: frame.size)
    var result = 0.0
    for y in 0..<frame.size.height {
      for x in 0..<frame.size.width {
        if layout.components == .rgb {
          for plane in 0..<3 { result = max(result, codes.luma(fromCode: frame.sample(plane: plane, x: x, y: y))) }
          continue
        }
        let luma = codes.luma(fromCode: frame.sample(plane: 0, x: x, y: y))
        let sited = (1...2).map { plane in
          ChromaResampling.upsample(
            x: x, y: y, width: chroma.width, height: chroma.height, shiftX: layout.chromaShiftX,
            shiftY: layout.chromaShiftY, offset: color.chromaLocation.offset(in: field)
          ) { codes.chroma(fromCode: frame.sample(plane: plane, x: $0, y: $1)) }
        }
        let repeated = (1...2).map {
          codes.chroma(
            fromCode: frame.sample(plane: $0, x: x >> layout.chromaShiftX, y: y >> layout.chromaShiftY))
        }
        for pair in [sited, repeated] {
          result = max(result, YCbCrMatrix.bt2020.rgb(fromYCbCr: SIMD3(luma, pair[0], pair[1])).max())
        }
      }
    }
    return result
  }

  @Test(arguments: cases, [300.0, 1000])
  func noReadingIsAbove(_ test: Case, _ peak: Double) throws {
    let format = Self.format(test)
    let frame = CodedFrame.random(format, fieldOrder: test.fieldOrder, seed: 7)
    // Light as it can be coded: chroma that black could not carry is left out.
    if format.layout.components != .rgb { halveChroma(of: frame) }
    let before = frame.samples(of: 0)
    let limit = PQ.inverseEOTF(peak)
    #expect(brightest(frame) > limit)
    try PeakLimiter(format: format, peak: peak).limit(frame, pool: Self.pool)
    #expect(brightest(frame) <= limit + 1e-9)
    if test.fieldOrder != nil {
      for field in Field.allCases { #expect(brightest(frame.field(field), field) <= limit + 1e-9) }
    }
    let after = frame.samples(of: 0)
    #expect(zip(before, after).allSatisfy { $0 >= $1 } && before != after)
  }

  /// A picture below the peak stays as it is; grey at the peak loses no more than the rounding of its code.
  @Test func whatIsBelowStays() throws {
    let format = Self.format(Case(layout: PixelLayout(.ycbcr420, bitDepth: 10)))
    for (code, expected) in [(400, 400), (722, 722), (723, 722), (900, 722)] {
      let frame = CodedFrame(format)
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width { frame.setSample(code, plane: 0, x: x, y: y) }
      }
      for plane in 1...2 {
        let chroma = format.layout.planeSize(plane, of: Self.size)
        for y in 0..<chroma.height { for x in 0..<chroma.width { frame.setSample(512, plane: plane, x: x, y: y) } }
      }
      try PeakLimiter(format: format, peak: 1000).limit(frame, pool: Self.pool)
      #expect(frame.samples(of: 0).allSatisfy { $0 == expected })
      #expect(frame.samples(of: 1).allSatisfy { $0 == 512 })
    }
  }

  private func halveChroma(of frame: CodedFrame) {
    let zero = 1 << (frame.layout.bitDepth - 1)
    for plane in 1...2 {
      let size = frame.layout.planeSize(plane, of: frame.size)
      for y in 0..<size.height {
        for x in 0..<size.width {
          frame.setSample(zero + (frame.sample(plane: plane, x: x, y: y) - zero) / 4, plane: plane, x: x, y: y)
        }
      }
    }
  }
}

extension CodedFrame {
  fileprivate func samples(of plane: Int) -> [Int] {
    let size = layout.planeSize(plane, of: size)
    return (0..<size.height).flatMap { y in (0..<size.width).map { sample(plane: plane, x: $0, y: y) } }
  }
}
