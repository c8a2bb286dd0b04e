import ColorScience
import Frames
import Rendering
import Testing
import ToneMapping

import Measurement

/// The larger of two readings of subsampled chroma, against `Double`.
@Suite struct CodedLightAnalyzerTests {
  static let pool = WorkerPool(count: 2)

  /// A checkerboard of codes whose chroma does not fit its luma.
  private func frame(_ components: PixelLayout.Components, _ fieldOrder: FieldOrder?) -> CodedFrame {
    let size = Size(width: 38, height: 24)
    let frame = CodedFrame(
      size: size, layout: PixelLayout(components, bitDepth: 10), color: .bt2100PQ, fieldOrder: fieldOrder)
    for plane in 0..<3 {
      let plain = frame.layout.planeSize(plane, of: size)
      for y in 0..<plain.height {
        for x in 0..<plain.width {
          let noise = (x &* 2_654_435 &+ y &* 40_503 &+ plane &* 977) % 211
          frame.setSample(plane == 0 ? 300 + noise : 420 + noise, plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }

  private func reading(_ frame: CodedFrame, _ field: Field?, repeats: Bool) -> (peak: Double, average: Double) {
    let (layout, codes) = (frame.layout, SampleScale(bitDepth: 10, range: .narrow))
    let chroma = layout.planeSize(1, of: frame.size)
    var (peak, sum) = (0.0, 0.0)
    for y in 0..<frame.size.height {
      for x in 0..<frame.size.width {
        let pair = (1...2).map { plane in
          let code = { (x: Int, y: Int) in codes.chroma(fromCode: frame.sample(plane: plane, x: x, y: y)) }
          return repeats
            ? code(x >> layout.chromaShiftX, y >> layout.chromaShiftY)
            : ChromaResampling.upsample(
              x: x, y: y, width: chroma.width, height: chroma.height, shiftX: layout.chromaShiftX,
              shiftY: layout.chromaShiftY, offset: frame.color.chromaLocation.offset(in: field), plane: code)
        }
        let luma = codes.luma(fromCode: frame.sample(plane: 0, x: x, y: y))
        let light = PQ.eotf(min(YCbCrMatrix.bt2020.rgb(fromYCbCr: SIMD3(luma, pair[0], pair[1])).max(), 1))
        peak = max(peak, light)
        sum += light
      }
    }
    return (peak, sum / Double(frame.size.width * frame.size.height))
  }

  @Test(arguments: [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444], [nil, FieldOrder.topFirst])
  func largerOfTheReadings(_ components: PixelLayout.Components, _ fieldOrder: FieldOrder?) throws {
    let frame = frame(components, fieldOrder)
    var expected = [false, true].map { reading(frame, nil, repeats: $0) }
    if fieldOrder != nil, components == .ycbcr420 {
      for repeats in [false, true] {
        let fields = Field.allCases.map { reading(frame.field($0), $0, repeats: repeats) }
        expected.append(
          (fields.map(\.peak).max() ?? 0, fields.map(\.average).reduce(0, +) / Double(fields.count)))
      }
    }
    let content = try ContentInterpretation(color: frame.color)
    let result = try CodedLightAnalyzer(format: frame.format, content: content, pool: Self.pool).measure(frame)
    let (peak, average) = (expected.map(\.peak).max() ?? 0, expected.map(\.average).max() ?? 0)
    #expect(abs(result.peak / peak - 1) < 5e-4 && abs(result.average / average - 1) < 5e-4)
    #expect(Double(result.contentLight.maxCLL) >= peak && Double(result.contentLight.maxFALL) >= average)
  }

  /// 0 would be "unknown".
  @Test func blackHasALightLevel() {
    #expect(CodedLightAnalyzer.Result().contentLight == ContentLight(maxCLL: 1, maxFALL: 0))
  }
}
