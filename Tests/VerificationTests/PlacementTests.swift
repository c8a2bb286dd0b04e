import Frames
import Testing
import Verification

@Suite struct PlacementTests {
  @Test(arguments: Orientation.allCases)
  func pixelsLieWhereATurnedPictureHasThem(_ orientation: Orientation) {
    let canvas = Size(width: 40, height: 30)
    let turned = orientation.rotated(canvas)
    let placement = Placement(canvas: canvas, orientation: orientation, picture: turned)
    for y in 0..<turned.height {
      for x in 0..<turned.width {
        let (column, row) = orientation.source(x: x, y: y, in: canvas)
        let position = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        #expect(placement.source(of: position) == SIMD2(Double(column) + 0.5, Double(row) + 0.5))
        #expect(placement.place(placement.source(of: position)) == position)
      }
    }
  }

  @Test func areasAreWholePixels() {
    let placement = Placement(
      canvas: Size(width: 100, height: 100), origin: SIMD2(10.5, 0), scale: SIMD2(0.5, 0.5),
      picture: Size(width: 70, height: 50))
    #expect(
      placement.pixels(of: PictureArea(x: 0, y: 0, width: 10, height: 10))
        == PictureArea(x: 11, y: 0, width: 4, height: 5))
  }
}
