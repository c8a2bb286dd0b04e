import Foundation
import Lettering
import Testing

/// Numbers of glyphs are those of DejaVu Sans 2.37 (tables `hmtx`, `glyf`, `hhea`): 2048 units per em, ascender 1901,
/// descender -483, so that at a height of 2384 a unit is a pixel.
@Suite struct TypefaceTests {
  private static let unitHeight = 2384.0
  private let face = try! Typeface(path: Typeface.default(chosen: nil).path)

  @Test func widthsAreThoseOfTheFont() {
    #expect(face.width(of: "0", height: Self.unitHeight) == 1303)
    #expect(face.width(of: "0123456789", height: Self.unitHeight) == 13030)
    #expect(face.width(of: " ", height: Self.unitHeight) == 651)
    #expect(abs(face.width(of: "nits", height: 100) - face.width(of: "nits", height: 10) * 10) < 1e-9)
    #expect(face.width(of: "nits!", height: 20) > face.width(of: "nits", height: 20))
  }

  @Test func digitsHaveOneWidth() {
    let widths = Set("0123456789".map { face.line(String($0), height: 37).width })
    #expect(widths == [21])  // 1303 / 2384 * 37 = 20.2
  }

  /// The glyph I is a rectangle: columns 201 to 403, as high as capitals, 1493.
  @Test func inkLiesWhereTheFontSays() {
    let line = face.line("I", height: Self.unitHeight)
    #expect(line.width == 604 && line.height == 2384)
    #expect(face.baseline(height: Self.unitHeight) == 1901)
    for y in 0..<line.height {
      for x in 0..<line.width {
        let inside = (201..<403).contains(x) && (1901 - 1493..<1901).contains(y)
        guard line.values[y * line.width + x] == (inside ? 255 : 0) else {
          Issue.record("at \(x), \(y)")
          return
        }
      }
    }
  }

  /// The ink of a small line is the area of the rectangle, whatever part of a pixel it begins at.
  @Test(arguments: [7.0, 12.5, 40, 99.9])
  func edgesAreAntialiased(_ height: Double) {
    let line = face.line("III", height: height)
    let ink = line.values.reduce(0.0) { $0 + Double($1) / 255 }
    let scale = height / Self.unitHeight
    #expect(abs(ink / (3 * 202 * 1493 * scale * scale) - 1) < 0.03)
    #expect(line.height == Int(height.rounded(.up)))
  }

  @Test func linesOfAHeightAlign() {
    let (lines, baseline) = (["H", "Hxg", "x"].map { face.line($0, height: 50) }, face.baseline(height: 50))
    #expect(lines.allSatisfy { $0.height == 50 } && baseline == 40)
    for line in [lines[0], lines[2]] {
      #expect((0..<line.width).contains { line.values[(baseline - 1) * line.width + $0] > 0 })
      #expect((0..<line.width).allSatisfy { line.values[baseline * line.width + $0] == 0 })
    }
    #expect((0..<lines[1].width).contains { lines[1].values[(baseline + 4) * lines[1].width + $0] > 0 })
  }

  @Test func kerningMovesGlyphsTogether() {
    let (kerned, plain) = (
      face.width(of: "AV", height: 100), face.width(of: "AV", height: 100, isKerned: false)
    )
    #expect(kerned < plain && plain == face.width(of: "A", height: 100) + face.width(of: "V", height: 100))
    // The order of a pair counts.
    #expect(face.width(of: "To", height: 100) < face.width(of: "oT", height: 100))
    #expect(face.line("AV", height: 100).width < face.line("AV", height: 100, isKerned: false).width)
  }

  /// The glyph j hangs out to the left of its origin.
  @Test func inkBeyondTheOriginIsNotCut() {
    let line = face.line("j", height: 400)
    let alone = line.values.reduce(0) { $0 + Int($1) }
    let after = face.line(" j", height: 400).values.reduce(0) { $0 + Int($1) }
    #expect(abs(Double(alone) / Double(after) - 1) < 0.01)
  }

  @Test func emptyTextIsAnEmptyLine() {
    let line = face.line("", height: 20)
    #expect(line.width == 0 && line.height == 20 && line.values.isEmpty)
    #expect(face.width(of: "", height: 20) == 0)
  }

  @Test func whatTheFontLacksIsABox() {
    let (missing, other) = (face.line("\u{1F9EA}", height: 30), face.line("\u{10FFFF}", height: 30))
    #expect(missing == other && missing.values.contains { $0 > 128 })
    #expect(face.line("a\u{200D}b", height: 30) == face.line("ab", height: 30))
    #expect(face.line("a\nb\tc", height: 30) == face.line("a b c", height: 30))
  }

  @Test func heightsAndWidthsAreLimited() {
    #expect(face.line("8", height: 1e9).height == 4096)
    #expect(face.line("8", height: .infinity).height == 4096)
    #expect(face.line("8", height: .nan).height == 1)
    #expect(face.line("8", height: -3).height == 1)
    let long = face.line(String(repeating: "M", count: 100_000), height: 8)
    #expect(long.width == Typeface.maximumWidth && long.values.count == long.width * 8)
  }

  @Test func threadsShareATypeface() {
    let expected = face.line("10000 cd/m²", height: 33)
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      _ = face.line("\(index)", height: Double(index))
      #expect(face.line("10000 cd/m²", height: 33) == expected)
    }
  }
}
