import ColorScience
import Compositing
import Frames
import Media
import Testing

@Suite struct PicturePaddingTests {
  private let area = PictureArea(x: 2, y: 1, width: 4, height: 4)

  private func padded(_ size: Size) -> CodedFrame? {
    let color = ColorDescription(primaries: .bt709, transfer: .sRGB, matrix: .rgb, range: .full)
    let frame = CodedFrame(size: size, layout: PixelLayout(.rgb, bitDepth: 8), color: color)
    for plane in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width { frame.setSample(100, plane: plane, x: x, y: y) }
      }
    }
    let padding = PicturePadding(around: area, size: Size(width: 8, height: 6), light: SIMD3(0, 1, 0))
    return padding.padded(frame, ColorTags())
  }

  /// Planes are green, blue, red.
  @Test func theBorderHasItsColor() throws {
    let frame = try #require(padded(Size(width: 4, height: 4)))
    #expect(frame.size == Size(width: 8, height: 6))
    for y in 0..<6 {
      for x in 0..<8 {
        let samples = (0..<3).map { frame.sample(plane: $0, x: x, y: y) }
        let isInside = (2..<6).contains(x) && (1..<5).contains(y)
        #expect(samples == (isInside ? [100, 100, 100] : [255, 0, 0]), "\(x), \(y)")
      }
    }
  }

  @Test func picturesOfAnotherSizeHaveNone() { #expect(padded(Size(width: 6, height: 4)) == nil) }
}
