import Foundation
import Frames
import Testing

import Media

/// Descriptions of inputs and outputs, as values.
@Suite struct DescriptionTests {
  @Test func names() {
    for name in ["-", "http://host/a.mkv", "pipe:3", "fd:"] { #expect(MediaName.path(name) == nil) }
    #expect(MediaName.path("12:30.mp4") == "12:30.mp4")
    #expect(MediaName.path("file:a.mp4") == "a.mp4")
  }

  /// As `ffprobe` shows them.
  @Test(arguments: [0.0, 45, 90, -90, 180, 30.5]) func rotations(_ degrees: Double) {
    let matrix = DisplayMatrix(counterclockwise: degrees)
    let difference = (matrix.rotation - degrees).remainder(dividingBy: 360)
    #expect(abs(difference) < 0.01)
    #expect(!matrix.isMirrored)
    #expect((matrix.orientation == nil) == (degrees.remainder(dividingBy: 90) != 0))
  }

  @Test func orientationsAreMatrices() {
    for swapsAxes in [false, true] {
      for columns in [false, true] {
        for rows in [false, true] {
          let orientation = Orientation(swapsAxes: swapsAxes, reversesColumns: columns, reversesRows: rows)
          #expect(DisplayMatrix(orientation).orientation == orientation)
        }
      }
    }
  }

  @Test func chaptersOfAPart() throws {
    let chapter = Chapter(id: 1, start: 1000, end: 3000, timeBase: Rational(1, 1000), tags: ["title": "One"])
    let part = try #require(chapter.inside(begin: 2, end: 10))
    #expect((part.start, part.end) == (0, 1000) && part.tags == chapter.tags)
    #expect(chapter.inside(begin: 3, end: nil) == nil)
    #expect(chapter.inside(begin: 0, end: 1) == nil)
  }

  @Test func scalingIsCodable() throws {
    let scaling = try #require(PictureScaling(width: .samples(1280), height: .ratio(multiple: 2)))
    #expect(try JSONDecoder().decode(PictureScaling.self, from: JSONEncoder().encode(scaling)) == scaling)
    #expect(PictureScaling(width: .samples(8), height: .samples(64)) == nil)
  }
}
