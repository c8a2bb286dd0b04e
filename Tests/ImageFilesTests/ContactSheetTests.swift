import ColorScience
import Frames
import ImageFiles
import Testing

@Suite struct ContactSheetTests {
  private static let cell = PixelFormat(
    size: Size(width: 160, height: 40), layout: PixelLayout(.rgb, bitDepth: 16), color: ImageSpace.sRGB.color)

  private static var black: CodedFrame { CodedFrame(size: cell.size, layout: cell.layout, color: cell.color) }

  /// The dots below a picture, by rows, "#" where there is ink.
  private func caption(_ seconds: Double) -> [String] {
    let sheet = ContactSheet(cells: Self.cell, columns: 2, rows: 1, metadata: HDRMetadata())
    let ground = sheet.frame.sample(plane: 0, x: 0, y: 0)
    sheet.add(Self.black, at: 0, seconds: seconds)
    return stride(from: 52, to: 66, by: 2).map { y in
      stride(from: 8, to: 8 + 12 * 12, by: 2).map { sheet.frame.sample(plane: 1, x: $0, y: y) == ground ? " " : "#" }
        .joined()
    }
  }

  @Test func picturesAndTimes() {
    let picture = Self.black
    for y in 0..<40 { for x in 0..<160 { picture.setSample(1000 * y + x, plane: 0, x: x, y: y) } }
    let sheet = ContactSheet(cells: Self.cell, columns: 2, rows: 2, metadata: HDRMetadata())
    #expect(sheet.frame.size == ContactSheet.size(cell: Self.cell.size, columns: 2, rows: 2))
    #expect(sheet.frame.size == Size(width: 344, height: 140))
    sheet.add(picture, at: 3, seconds: 0)
    for (x, y) in [(0, 0), (159, 39), (80, 7)] {
      #expect(sheet.frame.sample(plane: 0, x: 176 + x, y: 74 + y) == 1000 * y + x)
    }
    #expect(sheet.frame.sample(plane: 0, x: 175, y: 80) == sheet.frame.sample(plane: 0, x: 0, y: 0))
  }

  @Test func letters() {
    let one = ["  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "]
    let rows = caption(3600)
    for (row, dots) in zip(rows, one) { #expect(row.prefix(5) == dots) }
    // "1:00:00.000" is eleven letters of six dots.
    #expect(rows[0].count == 72 && rows.allSatisfy { $0.dropFirst(66).allSatisfy { $0 == " " } })
    #expect(caption(-1) != caption(1))
    #expect(caption(.infinity).count == 7)
  }
}
