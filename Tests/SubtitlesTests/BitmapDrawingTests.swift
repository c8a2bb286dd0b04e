import ColorScience
import Frames
import Media
import Rendering
import Testing

import Subtitles

/// Pictures of subtitles.
@Suite struct BitmapDrawingTests {
  private static let white = SIMD4<UInt8>(255, 255, 255, 255)

  /// A box of one colour with a transparent pixel around it.
  private static func picture(
    _ width: Int, _ height: Int, color: SIMD4<UInt8> = white
  ) -> PalettePicture {
    PalettePicture(size: Size(width: width + 2, height: height + 2), palette: [.zero, color]) { y in
      (0..<width + 2).map { x in (1...width ~= x && 1...height ~= y) ? 1 : 0 }
    }
  }

  private static func show(
    _ box: PictureArea, canvas: Size?, square: Bool = true, start: Int64 = 0, end: Int64? = nil
  ) -> SubtitlePicture {
    SubtitlePicture(
      start: start, end: end, canvas: canvas, hasSquarePixels: square,
      parts: [SubtitlePicture.Part(x: box.x - 1, y: box.y - 1, picture(box.width, box.height))])
  }

  private static func drawn(
    _ pictures: [SubtitlePicture], _ size: Size, storage: Size? = nil, aspect: Double = 1, at time: Int64 = 0
  ) throws -> Drawn {
    let geometry = SubtitleGeometry(size: size, storage: storage ?? size, pixelAspect: aspect)
    let renderer = try SubtitleRenderer(
      SubtitleTrack(.pictures(pictures)), geometry, GraphicsLight(primaries: .bt709))
    return Drawn(try renderer.overlay(at: .at(time)))
  }

  private static let canvas = Size(width: 192, height: 108)

  @Test func runsAreThePicture() {
    let rows: [[UInt8]] = [[1, 1, 0, 2], [0, 0, 0, 0], [3, 3, 3, 3]]
    let picture = PalettePicture(
      size: Size(width: 4, height: 3),
      palette: [.zero, Self.white, SIMD4(1, 2, 3, 4)]
    ) { rows[$0] }
    var found: [[Int]] = []
    picture.forEachRun { x, y, count, color in found.append([x, y, count, Int(color.w)]) }
    // Colour 3 is not in the palette.
    #expect(found == [[0, 0, 2, 255], [3, 0, 1, 4]])
    #expect(picture.visibleArea == PictureArea(x: 0, y: 0, width: 4, height: 1))
    #expect(PalettePicture(size: Size(width: 1, height: 1), palette: []) { _ in [0] }.visibleArea == nil)
  }

  @Test func positionsAreThoseOfTheCanvas() throws {
    let box = PictureArea(x: 60, y: 90, width: 70, height: 10)
    let same = try Self.drawn([Self.show(box, canvas: Self.canvas)], Self.canvas)
    #expect(same.area == box && same.at(100, 95) == SIMD4(1, 1, 1, 1))
    let double = try Self.drawn([Self.show(box, canvas: Self.canvas)], Size(width: 384, height: 216))
    let area = try #require(double.area)
    #expect(area == PictureArea(x: 120, y: 180, width: 140, height: 20))
    #expect(double.at(200, 190) == SIMD4(1, 1, 1, 1))
    // Without a canvas of its own, that of the video, which may have been scaled.
    let unknown = try Self.drawn(
      [Self.show(box, canvas: nil)], Size(width: 384, height: 216), storage: Self.canvas)
    #expect(unknown.area == area)
  }

  /// A film that was cropped after its subtitles were made: what lay in its black bars is moved into the picture.
  @Test func nothingIsLostInCroppedPictures() throws {
    let cropped = Size(width: 192, height: 80)
    let middle = PictureArea(x: 60, y: 50, width: 70, height: 10)
    #expect(
      try Self.drawn([Self.show(middle, canvas: Self.canvas)], cropped).area
        == PictureArea(x: 60, y: 36, width: 70, height: 10))
    let bottom = PictureArea(x: 60, y: 97, width: 70, height: 10)
    #expect(
      try Self.drawn([Self.show(bottom, canvas: Self.canvas)], cropped).area
        == PictureArea(x: 60, y: 70, width: 70, height: 10))
    // One at the top and one at the bottom have no room as they stand.
    var both = Self.show(bottom, canvas: Self.canvas)
    both.parts.append(SubtitlePicture.Part(x: 59, y: 0, Self.picture(70, 10)))
    let drawn = try Self.drawn([both], cropped)
    #expect(drawn.area == PictureArea(x: 60, y: 0, width: 70, height: 80))
    #expect(drawn.at(100, 40) == .zero)
    // What is larger than the picture is made smaller.
    let narrow = Size(width: 100, height: 108)
    let wide = PictureArea(x: 10, y: 90, width: 172, height: 10)
    let shrunk = try #require(try Self.drawn([Self.show(wide, canvas: Self.canvas)], narrow).area)
    #expect(abs(shrunk.width - 90) <= 1 && abs(shrunk.height - 5) <= 1 && shrunk.maxX <= 100)
  }

  @Test func pixelsThatAreNotSquare() throws {
    let box = PictureArea(x: 60, y: 90, width: 70, height: 10)
    // PGS over anamorphic video, and the pictures of a DVD, which are anamorphic themselves.
    let half = Size(width: 96, height: 108)
    let anamorphic = try Self.drawn([Self.show(box, canvas: Self.canvas)], half, aspect: 2)
    #expect(anamorphic.area == PictureArea(x: 30, y: 90, width: 35, height: 10))
    let disc = try Self.drawn([Self.show(box, canvas: Self.canvas, square: false)], half, aspect: 2)
    #expect(disc.area == PictureArea(x: 30, y: 90, width: 35, height: 10))
    let same = try Self.drawn([Self.show(box, canvas: Self.canvas, square: false)], Self.canvas, aspect: 2)
    #expect(same.area == box)
  }

  /// Edges of scaled pictures are between nothing and white, and premultiplied.
  @Test func edgesHaveNoFringes() throws {
    let box = PictureArea(x: 50, y: 50, width: 21, height: 11)
    let drawn = try Self.drawn([Self.show(box, canvas: Self.canvas)], Size(width: 288, height: 162))
    for y in 70..<100 {
      for x in 70..<112 {
        let sample = drawn.at(x, y)
        #expect(0...1.00001 ~= sample.w && sample.x == sample.w && sample.z == sample.w)
      }
    }
  }

  @Test func eachReplacesTheOneBefore() throws {
    let (first, second) = (
      PictureArea(x: 10, y: 10, width: 5, height: 5), PictureArea(x: 20, y: 20, width: 5, height: 5)
    )
    let pictures = [
      Self.show(first, canvas: Self.canvas, start: 1_000_000), Self.show(second, canvas: Self.canvas, start: 2_000_000),
      SubtitlePicture(start: 3_000_000, end: nil, canvas: Self.canvas, hasSquarePixels: true, parts: []),
      Self.show(first, canvas: Self.canvas, start: 4_000_000, end: 5_000_000),
    ]
    func area(_ time: Int64) throws -> PictureArea? { try Self.drawn(pictures, Self.canvas, at: time).area }
    #expect(try area(999) == nil)
    #expect(try area(1000) == first)
    #expect(try area(1999) == first)
    #expect(try area(2000) == second)
    #expect(try area(3000) == nil)
    #expect(try area(4999) == first)
    #expect(try area(5000) == nil)
  }

  /// Far beside the canvas, larger than anything, or empty.
  @Test func positionsMayBeAnything() throws {
    for box in [
      PictureArea(x: 100_000, y: -100_000, width: 5, height: 5), PictureArea(x: -3, y: -3, width: 300, height: 300),
      PictureArea(x: 1, y: 1, width: 1, height: 1),
    ] {
      for canvas in [Size(width: 1, height: 1), Size(width: 8192, height: 1), nil] {
        for square in [true, false] {
          let drawn = try Self.drawn([Self.show(box, canvas: canvas, square: square)], Self.canvas)
          #expect(drawn.area.map { $0.isInside(Self.canvas) } ?? true)
        }
      }
    }
  }
}
