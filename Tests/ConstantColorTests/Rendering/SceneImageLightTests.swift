import ColorScience
import ConstantColor
import Frames
import Rendering
import Testing

/// Scene images as frames, and reduced.
@Suite struct SceneImageLightTests {
  private let pool = WorkerPool(count: 2)

  private func image(_ width: Int, _ height: Int, _ value: (Int, Int, Int) -> Float) -> SceneImage {
    let image = SceneImage(
      size: Size(width: width, height: height), description: SceneDescription(components: .rgb(.bt709)))
    for channel in 0..<3 {
      for y in 0..<height { for x in 0..<width { image[channel, x, y] = value(channel, x, y) } }
    }
    return image
  }

  @Test func componentsAreMultipliedByTheMatrix() {
    let light = image(33, 19) { channel, x, y in Float(channel + 1) * Float(x) / 64 + Float(y) / 32 }
    let frame = light.linearFrame(
      by: Matrix3(SIMD3(1, 0.5, 0), SIMD3(0, 2, 0), SIMD3(0, 0, -1)), pool: pool)
    let (red, green, blue) = (light[0, 20, 17], light[1, 20, 17], light[2, 20, 17])
    #expect(frame.row(17, .red)[20] == Float16(red + green / 2))
    #expect(frame.row(17, .green)[20] == Float16(2 * green))
    #expect(frame.row(17, .blue)[20] == Float16(-blue))
  }

  @Test func whatHalvesDoNotHoldIsClipped() {
    let values: [Float] = [.nan, .infinity, -.infinity, 1e9]
    let frame = image(4, 1) { _, x, _ in values[x] }.linearFrame(by: Matrix3(diagonal: SIMD3(repeating: 1)), pool: pool)
    let row = (0..<4).map { frame.row(0, .green)[$0] }
    #expect(!row.contains { !$0.isFinite })
    #expect(row[3] == .greatestFiniteMagnitude)
  }

  @Test func blocksAreAveraged() {
    let small = image(10, 7) { channel, x, y in Float(channel) + Float(x + 10 * y) }.reduced(toColumns: 5, pool: pool)
    #expect(small.size == Size(width: 5, height: 3))
    // (x, y) of 2...3 and 4...5.
    #expect(small[1, 1, 2] == 1 + 47.5)
    #expect(image(10, 7) { _, _, _ in 1 }.reduced(toColumns: 10, pool: pool).size == Size(width: 10, height: 7))
  }

  @Test func meanLeavesOutWhatIsNoNumber() {
    let mean = image(4, 2) { channel, x, _ in x == 0 ? .infinity : Float(channel) }.mean
    #expect(mean == SIMD3(0, 1, 2))
  }

  @Test func mapsAreGrey() {
    let map = ConfidenceMap(size: Size(width: 3, height: 2), values: [1, 0.25, 0.25, 0.25, -1, 2])
    let (codes, light) = (map.codedFrame(pool: pool), map.linearFrame(pool: pool))
    for plane in 0..<3 {
      #expect(codes.sample(plane: plane, x: 0, y: 0) == 65_535 && codes.sample(plane: plane, x: 1, y: 0) == 16_384)
      #expect(codes.sample(plane: plane, x: 1, y: 1) == 0 && codes.sample(plane: plane, x: 2, y: 1) == 65_535)
    }
    #expect(light.row(0, .red)[1] == 0.25 && light.row(0, .blue)[2] == 0.25)
    let means = map.reduced(toColumns: 1).values
    #expect(means.count == 1 && abs(means[0] - 2.75 / 6) < 1e-6)
  }
}
