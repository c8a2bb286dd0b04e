import ColorScience
import Frames
import Media
import Rendering
import Testing

import Subtitles

/// Text, drawn by libass.
@Suite struct TextDrawingTests {
  private static let size = Size(width: 640, height: 360)
  private static let light = GraphicsLight(primaries: .bt709)

  private static func renderer(
    _ script: SubtitleScript, _ geometry: SubtitleGeometry = SubtitleGeometry(size: size, storage: size)
  ) throws -> SubtitleRenderer {
    try SubtitleRenderer(SubtitleTrack(.script(script)), geometry, light)
  }

  private static let box = PictureArea(x: 100, y: 200, width: 60, height: 40)

  @Test func boxesAreWhereTheScriptSays() throws {
    let renderer = try Self.renderer(.ass([(0, 1000, SubtitleScript.box(Self.box))]))
    let drawn = Drawn(try renderer.overlay(at: .at(500)))
    // libass covers a little of the rows above and below.
    #expect(drawn.area?.inset(0, 1) == Self.box)
    #expect(drawn.at(130, 220) == SIMD4(1, 1, 1, 1))
    #expect(drawn.at(99, 220) == .zero)
  }

  /// A frame shows what begins at its time or before it, and ends after it.
  @Test func timesAreHalfOpen() throws {
    let renderer = try Self.renderer(.ass([(1001, 999, SubtitleScript.box(Self.box))]))
    #expect(try renderer.overlay(at: .at(1000)) == nil)
    #expect(try renderer.overlay(at: .at(1001)) != nil)
    #expect(try renderer.overlay(at: .at(1999)) != nil)
    #expect(try renderer.overlay(at: .at(2000)) == nil)
    // Frame 24 of 24000/1001: 1.001 s exactly, which seconds as `Double` would miss.
    let film = Rational(1001, 24_000)
    #expect(try renderer.overlay(at: FrameTime(presentation: 24, duration: 1, timeBase: film)) != nil)
    #expect(try renderer.overlay(at: FrameTime(presentation: 23, duration: 1, timeBase: film)) == nil)
    #expect(try renderer.overlay(at: .at(-5)) == nil)
  }

  @Test func coloursAreThoseOfSRGB() throws {
    // ASS has blue first.
    let red = SubtitleScript.box(Self.box, color: "&H0000BC&")
    let drawn = Drawn(try Self.renderer(.ass([(0, 9, red)])).overlay(at: .at(0)))
    let expected = Float(SRGB.eotf(Double(0xBC) / 255))
    #expect(abs(drawn.at(130, 220).x - expected) < 1e-6 && drawn.at(130, 220).y == 0)
    let wide = try SubtitleRenderer(
      SubtitleTrack(.script(.ass([(0, 9, red)]))), SubtitleGeometry(size: Self.size, storage: Self.size),
      GraphicsLight(primaries: .bt2020))
    let converted = RGBSpace.conversion(from: .bt709, to: .bt2020) * SIMD3(Double(expected), 0, 0)
    let sample = Drawn(try wide.overlay(at: .at(0))).at(130, 220)
    #expect(abs(Double(sample.x) - converted.x) < 1e-6 && abs(Double(sample.y) - converted.y) < 1e-6)
  }

  /// Coverage is a share of light: half of white is half its light.
  @Test func transparencyIsOfLight() throws {
    let half = SubtitleScript.box(Self.box).replacing("\\bord0", with: "\\bord0\\1a&H80&")
    let sample = Drawn(try Self.renderer(.ass([(0, 9, half)])).overlay(at: .at(0))).at(130, 220)
    #expect(abs(sample.w - 127.0 / 255) < 0.005 && sample.x == sample.w)
  }

  @Test func layersLieOverOneAnother() throws {
    let lines: [(Int64, Int64, String)] = [
      (0, 9, SubtitleScript.box(Self.box)), (0, 9, SubtitleScript.box(Self.box, color: "&H000000&")),
    ]
    #expect(Drawn(try Self.renderer(.ass(lines)).overlay(at: .at(0))).at(130, 220) == SIMD4(0, 0, 0, 1))
  }

  /// Text of other formats has FFmpeg's style, which scales with the picture, and keeps its shape where pixels are not
  /// square.
  @Test func textIsScaledWithThePicture() throws {
    func area(_ size: Size, aspect: Double = 1) throws -> PictureArea {
      var script = SubtitleScript.ass([(0, 9, "OOOO")])
      script.isNative = false
      let geometry = SubtitleGeometry(size: size, storage: size, pixelAspect: aspect)
      return try #require(Drawn(try Self.renderer(script, geometry).overlay(at: .at(0))).area)
    }
    let (small, large) = (try area(Self.size), try area(Size(width: 1280, height: 720)))
    #expect(abs(large.height - 2 * small.height) <= 3 && abs(large.width - 2 * small.width) <= 6)
    let squeezed = try area(Size(width: 320, height: 360), aspect: 2)
    #expect(abs(squeezed.height - small.height) <= 1 && abs(2 * squeezed.width - small.width) <= 6)
  }

  /// A player that turns the picture shows the text upright.
  @Test(arguments: Orientation.allCases) func textIsUprightOnceTurned(_ turn: Orientation) throws {
    let script = SubtitleScript.ass([(0, 9, "Ab"), (0, 9, SubtitleScript.box(Self.box, color: "&H0000FF&"))])
    let upright = Drawn(try Self.renderer(script).overlay(at: .at(0)))
    let geometry = SubtitleGeometry(size: Self.size, storage: Self.size, turn: turn)
    let coded = Drawn(try Self.renderer(script, geometry).overlay(at: .at(0)))
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let place = turn.source(x: x, y: y, in: turn.rotated(Self.size))
        if coded.at(place.x, place.y) != upright.at(x, y) {
          Issue.record("\(x), \(y)")
          return
        }
      }
    }
  }

  @Test func lettersThatNoFontHasAreNoticed() throws {
    let known = try Self.renderer(.ass([(0, 9, "abc")]))
    #expect(try known.overlay(at: .at(0)) != nil && !known.lacksGlyphs)
    // A private code point.
    let unknown = try Self.renderer(.ass([(0, 9, "a\u{10FFF0}")]))
    #expect(try unknown.overlay(at: .at(0)) != nil && unknown.lacksGlyphs)
  }

  /// What is meant to exhaust the machine ends, in an error or a picture.
  @Test(arguments: [
    "{\\fscx100000\\fscy100000}A", "{\\blur1000\\be1000}A", "{\\bord10000\\shad10000}A",
    "{\\p1}m 0 0 l 1000000000 0 1000000000 1000000000 0 1000000000", "{\\fs1e30}A", "{\\frx89.999\\fry89.999}A",
    "{\\p20}m -2147483648 -2147483648 b 1 1 2147483647 2147483647 3 3", "{\\t(0,1,\\fscx1e9)}A",
    "{\\fax1e9\\fay1e9}AAAA", "\\N\\N\\N" + String(repeating: "A\\N", count: 5000),
    String(repeating: "{\\k1}A", count: 20_000), "{\\clip(8,m 0 0 l 1e9 0 1e9 1e9)}A", "\0\u{FFFF}{\\", "",
  ])
  func hostileScriptsEnd(_ text: String) throws {
    guard let renderer = try? Self.renderer(.ass([(0, 10, text)])) else { return }
    for time in 0..<3 { _ = try? renderer.overlay(at: .at(Int64(time))) }
  }

  /// libass would take gigabytes, or minutes; large signs are fine.
  @Test func sizesAreLimited() throws {
    for text in [
      "{\\fscx100000\\fscy100000}A", "{\\bord10000}A", "{\\t(0,500,\\fscy9e9)}A",
      "{\\fs400\\bord200}" + String(repeating: "@", count: 2000),
      "{\\p1}m 0 0 l 30000 0 30000 30000 0 30000", "{\\fs+9e9}A",
    ] {
      #expect(throws: SubtitleError.tooLarge(seconds: 0.07), "\(text)") {
        try Self.renderer(.ass([(0, 5, "A"), (70, 5, text)]))
      }
    }
    let sign = "{\\fs1\\fscx9000\\fscy9000\\bord10\\blur5\\pos(320,180)}Large sign"
    let strips = (0..<180).map { row -> (Int64, Int64, String) in
      (0, 5, SubtitleScript.box(PictureArea(x: 0, y: 2 * row, width: 640, height: 2)))
    }
    #expect(try Self.renderer(.ass(strips + [(0, 5, sign)])).overlay(at: .at(1)) != nil)
  }

  @Test func headersMayBeAnything() throws {
    for header in ["", "[V4+ Styles]", "[Script Info]\nPlayResX: 99999999999\nPlayResY: -1", "\u{1}\u{2}"] {
      let script = SubtitleScript(
        header: [UInt8](header.utf8), isNative: true,
        lines: [SubtitleScript.Line(start: 0, duration: 9, text: [UInt8]("0,0,Default,,0,0,0,,A".utf8))],
        fonts: [SubtitleScript.Font(name: "no font", bytes: [1, 2, 3]), SubtitleScript.Font(name: "", bytes: [])])
      _ = try Self.renderer(script).overlay(at: .at(1))
    }
  }

  @Test func tooMuchIsRefused() throws {
    #expect(throws: SubtitleError.tooManyAtOnce(5001, seconds: 0)) {
      try Self.renderer(.ass((0..<5001).map { _ in (0, 9, "A") }))
    }
    // As many one after another are fine.
    _ = try Self.renderer(.ass((0..<5001).map { (Int64($0) * 9, 9, "A") }))
    let whole = SubtitleScript.box(PictureArea(Size(width: 640, height: 360)))
    let layers = try Self.renderer(.ass((0..<400).map { _ in (0, 9, whole) }))
    #expect(throws: SubtitleError.tooManyLayers(seconds: 0.005)) { try layers.overlay(at: .at(5)) }
  }
}
