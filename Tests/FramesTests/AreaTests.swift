import Frames
import Testing

/// Parts of pictures and of rotated pictures.
@Suite struct AreaTests {
  private static let size = Size(width: 9, height: 5)

  @Test(arguments: Orientation.allCases)
  func areasAreRotatedAsPixelsAre(_ orientation: Orientation) {
    let rotated = orientation.rotated(Self.size)
    let area = PictureArea(x: 1, y: 2, width: 3, height: 2)
    let source = orientation.source(of: area, in: Self.size)
    for y in 0..<rotated.height {
      for x in 0..<rotated.width {
        let pixel = orientation.source(x: x, y: y, in: Self.size)
        #expect(area.contains(x: x, y: y) == source.contains(x: pixel.x, y: pixel.y))
        let back = orientation.inverse.source(x: pixel.x, y: pixel.y, in: rotated)
        #expect(back.x == x && back.y == y)
      }
    }
    #expect(orientation.inverse.source(of: source, in: rotated) == area)
    #expect(orientation.followed(by: orientation.inverse) == .identity)
  }

  @Test(arguments: [
    (PixelLayout.Components.ycbcr420, Size(width: 2, height: 2), Size(width: 2, height: 4)),
    (.ycbcr422, Size(width: 2, height: 1), Size(width: 2, height: 2)),
    (.ycbcr444, Size(width: 1, height: 1), Size(width: 1, height: 2)),
    (.rgb, Size(width: 1, height: 1), Size(width: 1, height: 2)),
  ])
  func multiplesAreThoseOfChroma(_ components: PixelLayout.Components, _ frame: Size, _ field: Size) {
    let layout = PixelLayout(components, bitDepth: 10)
    #expect(layout.cropMultiples(byField: false) == frame && layout.cropMultiples(byField: true) == field)
  }

  @Test func oddEdgesOfThePictureAreNoCut() {
    let multiples = Size(width: 2, height: 2)
    #expect(PictureArea(x: 2, y: 2, width: 7, height: 3).divides(Self.size, multiples: multiples))
    #expect(!PictureArea(x: 2, y: 2, width: 5, height: 2).divides(Self.size, multiples: multiples))
    #expect(!PictureArea(x: 2, y: 1, width: 4, height: 4).divides(Self.size, multiples: multiples))
    #expect(!PictureArea(x: 2, y: 2, width: 8, height: 2).divides(Self.size, multiples: multiples))
    #expect("\(PictureArea(x: 2, y: 3, width: 8, height: 4))" == "8x4+2+3")
  }
}
