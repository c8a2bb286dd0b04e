import ColorScience
import Testing

/// Code values and chroma siting.
struct SampleTests {
  /// Depth, range, codes of luma 0 and 1, of chroma -0.5, 0 and 0.5, and the limits.
  static let scales: [(Int, VideoRange, [Int])] = [
    (8, .narrow, [16, 235, 16, 128, 240, 1, 254]), (10, .narrow, [64, 940, 64, 512, 960, 4, 1019]),
    (12, .narrow, [256, 3760, 256, 2048, 3840, 16, 4079]), (8, .full, [0, 255, 1, 128, 255, 0, 255]),
    (10, .full, [0, 1023, 1, 512, 1023, 0, 1023]), (12, .full, [0, 4095, 1, 2048, 4095, 0, 4095]),
  ]

  @Test(arguments: scales)
  func `Codes of the ends and limits`(depth: Int, range: VideoRange, codes: [Int]) {
    let scale = SampleScale(bitDepth: depth, range: range)
    let found =
      [0.0, 1].map(scale.code(fromLuma:)) + [-0.5, 0, 0.5].map(scale.code(fromChroma:))
      + [-9.0, 9].map(scale.code(fromLuma:))
    #expect(found == codes)
    #expect(scale.code(fromLuma: .nan) == codes[5] && scale.code(fromChroma: .infinity) == codes[6])
    for code in scale.videoCodes {
      #expect(scale.code(fromLuma: scale.luma(fromCode: code)) == code)
      #expect(scale.code(fromChroma: scale.chroma(fromCode: code)) == code)
    }
  }

  @Test(arguments: ChromaLocation.allCases)
  func `A ramp survives down and up at every siting`(location: ChromaLocation) {
    let (width, height) = (16, 12)
    func ramp(_ x: Double, _ y: Double) -> Double { 3 * x - 2 * y }
    for shiftY in [0, 1] {
      let size = (width: width / 2, height: height >> shiftY)
      let halved = (0..<size.height).map { y in
        (0..<size.width).map { x in
          ChromaResampling.downsample(
            x: x, y: y, width: width, height: height, shiftX: 1, shiftY: shiftY, offset: location.offset
          ) { ramp(Double($0), Double($1)) }
        }
      }
      let offset = shiftY == 1 ? location.offset : SIMD2(location.offset.x, 0)
      #expect(abs(halved[2][3] - ramp(6 + offset.x, Double(2 << shiftY) + offset.y)) < 1e-12)
      for y in 4..<(height - 4) {
        for x in 4..<(width - 4) {
          let value = ChromaResampling.upsample(
            x: x, y: y, width: size.width, height: size.height, shiftX: 1, shiftY: shiftY, offset: location.offset
          ) { halved[$1][$0] }
          #expect(abs(value - ramp(Double(x), Double(y))) < 1e-12)
        }
      }
    }
  }

  @Test func `Weights, and edges that repeat`() {
    #expect(ChromaResampling.downsampling(chroma: 3, shift: 1, offset: 0).weights == [0.25, 0.5, 0.25])
    #expect(ChromaResampling.downsampling(chroma: 3, shift: 1, offset: 0).first == 5)
    #expect(ChromaResampling.downsampling(chroma: 3, shift: 1, offset: 0.5).first == 6)
    #expect(ChromaResampling.upsampling(luma: 0, shift: 1, offset: 0.5).weights == [0.25, 0.75])
    #expect(ChromaResampling.upsampling(luma: 0, shift: 1, offset: 0.5).first == -1)
    // A single sample is its own neighbourhood, whatever the siting.
    for location in ChromaLocation.allCases {
      let up = ChromaResampling.upsample(
        x: 1, y: 1, width: 1, height: 1, shiftX: 1, shiftY: 1, offset: location.offset
      ) { x, y in x == 0 && y == 0 ? 7 : .nan }
      #expect(up == 7)
    }
  }
}
