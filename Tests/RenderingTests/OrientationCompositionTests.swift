import Frames
import Testing

@Suite struct OrientationCompositionTests {
  /// One turn after another takes each pixel to where the two take it.
  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func followed(_ first: Orientation, _ second: Orientation) {
    let size = Size(width: 5, height: 3)
    let (middle, both) = (first.rotated(size), first.followed(by: second))
    let end = second.rotated(middle)
    #expect(both.rotated(size) == end)
    for y in 0..<end.height {
      for x in 0..<end.width {
        let step = second.source(x: x, y: y, in: middle)
        let source = first.source(x: step.x, y: step.y, in: size)
        #expect(both.source(x: x, y: y, in: size) == source)
      }
    }
  }

  /// Where the first row and the first column of the stored picture are to be seen, by Exif's words for its numbers.
  @Test func exifNumbers() throws {
    let size = Size(width: 4, height: 3)
    let corners: [Int: (x: Int, y: Int)] = [
      1: (0, 0), 2: (3, 0), 3: (3, 2), 4: (0, 2), 5: (0, 0), 6: (0, 2), 7: (3, 2), 8: (3, 0),
    ]
    for (code, corner) in corners {
      let orientation = try #require(Orientation(exif: code))
      #expect(orientation.source(x: 0, y: 0, in: size) == corner, "\(code)")
      #expect(orientation.swapsAxes == (code > 4))
    }
    #expect(Orientation(exif: 0) == nil && Orientation(exif: 9) == nil)
  }
}
