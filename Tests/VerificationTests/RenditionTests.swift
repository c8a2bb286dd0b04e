import ColorScience
import Frames
import Patterns
import Testing
import Verification

/// Pictures that should be what a mapping makes of a pattern.
@Suite struct RenditionTests {
  private static let (pq, sdr) = (PatternSignal(.hdr10), PatternSignal(.sdr, bitDepth: 8))
  private static let toBT709 = RGBSpace.conversion(from: .bt2020, to: .bt709)

  /// Light up to 203 cd/m² is white, in BT.709.
  @Sendable private static func map(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    let light = (toBT709 * pq.nits(signal) / 203).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
    return sdr.signal(nits: 100 * light)
  }

  private static let expectation = PatternExpectation("to 203 cd/m²", of: pq, as: sdr, map: map)

  private func rendition(_ name: String, _ change: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>) throws
    -> CodedFrame
  {
    let painted = try Painted(name, Self.pq)
    let drawing = painted.pattern.pattern.drawing(on: painted.pattern.canvas(size: painted.size, signal: Self.pq))
    let frame = CodedFrame(
      size: painted.size, layout: PixelLayout(.ycbcr420, bitDepth: 8), color: .bt709)
    PatternPainter(drawing.distorted { change(Self.map($0)) }).paint(into: frame)
    return frame
  }

  @Test(arguments: ["bt2111-pq", "steps", "colorchecker", "ramp", "gamut", "edr"])
  func theExpectedRenditionPasses(_ name: String) throws {
    let verification = try Painted(name, Self.pq).verify([rendition(name) { $0 }], expectation: Self.expectation)
    #expect(verification.faults == [])
    #expect(verification.expectation == "to 203 cd/m²")
    #expect(verification.canvas.signal == Self.pq)
  }

  @Test(arguments: ["bt2111-pq", "colorchecker", "ramp", "gamut"])
  func faultsOfRenditionsAreNamed(_ name: String) throws {
    let painted = try Painted(name, Self.pq)
    func names(_ frame: CodedFrame) throws -> [String] {
      try painted.verify([frame], expectation: Self.expectation).faultNames
    }
    let matrix = try rendition(name) { YCbCrMatrix.bt709.rgb(fromYCbCr: YCbCrMatrix.bt2020.ycbcr(fromRGB: $0)) }
    #expect(try names(matrix) == ["matrix.2020-for-709"])
    let dark = try rendition(name) { 0.95 * $0 }
    #expect(try names(dark) == ["gain"])
    // The pattern itself is not the rendition.
    let pattern = painted.frame()
    #expect(try names(pattern) != [])
  }

  /// A pattern of eight bits has the levels of eight bits in a rendition of ten.
  @Test func renditionsHaveTheLevelsOfTheirPattern() throws {
    var painted = try Painted("ramp", Self.sdr)
    painted.size = Size(width: 1920, height: 1080)
    @Sendable func map(_ signal: SIMD3<Double>) -> SIMD3<Double> {
      let light = Self.sdr.nits(signal)
      return Self.pq.signal(nits: RGBSpace.conversion(from: .bt709, to: .bt2020) * light)
    }
    let expectation = PatternExpectation("in PQ", of: Self.sdr, as: Self.pq, map: map)
    let drawing = painted.pattern.pattern.drawing(on: painted.pattern.canvas(size: painted.size, signal: Self.sdr))
    /// - Parameter step: From one code to the next.
    func faults(step: Int) throws -> [String] {
      let frame = CodedFrame(
        size: painted.size, layout: PixelLayout(.ycbcr420, bitDepth: 10),
        color: ColorDescription(
          primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, range: .narrow, chromaLocation: .topLeft))
      PatternPainter(drawing.distorted { map(Self.sdr.signal(codes: Self.sdr.codes($0) / step &* step)) })
        .paint(into: frame)
      return try painted.verify([frame], expectation: expectation).faultNames
    }
    #expect(try faults(step: 1) == [])
    #expect(try faults(step: 2) == ["ramps"])
  }

  @Test func pictureThatWasScaledPasses() throws {
    var painted = try Painted("bt2111-pq", Self.pq)
    let size = Size(width: 1280, height: 720)
    painted.size = size
    let large = painted.frame()
    // The mean of four is a picture of half the size.
    let small = CodedFrame(size: Size(width: 640, height: 360), layout: large.layout, color: large.color)
    for plane in 0..<3 {
      let extent = small.layout.planeSize(plane, of: small.size)
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) {
            $0 + large.sample(plane: plane, x: 2 * x + $1.0, y: 2 * y + $1.1)
          }
          small.setSample((sum + 2) / 4, plane: plane, x: x, y: y)
        }
      }
    }
    let verifier = Verifier(
      pattern: painted.pattern, canvasSize: size, expectation: PatternExpectation(Self.pq),
      input: Verifier.Input(name: "scaled"), expectedMetadata: ExpectedMetadata(isRequired: false))
    try verifier.add(small)
    let verification = try #require(verifier.finish())
    #expect(verification.faults == [])
    #expect(verification.placement?.scale == SIMD2(0.5, 0.5))
    #expect(verification.patches.allSatisfy { $0.measured != nil })
  }
}
