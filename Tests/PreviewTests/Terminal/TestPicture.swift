import ColorScience
import Frames
import TestSupport

/// A picture whose pixels a test knows.
struct TestPicture: Hashable {
  let size: Size
  /// 0xRRGGBB, row by row.
  var pixels: [Int]

  /// - Parameter colors: How many colours there are; nil: any.
  init(_ size: Size, seed: UInt64, colors: Int? = nil) {
    var random = Xorshift(seed: seed)
    let palette = (0..<(colors ?? 1)).map { _ in Int.random(in: 0...0xFF_FFFF, using: &random) }
    self.size = size
    pixels = (0..<size.width * size.height).map { index in
      guard colors != nil else { return Int.random(in: 0...0xFF_FFFF, using: &random) }
      return index < palette.count ? palette[index] : palette.randomElement(using: &random) ?? 0
    }
  }

  /// Smooth colours.
  init(gradient size: Size) {
    self.size = size
    pixels = (0..<size.width * size.height).map { index in
      let (x, y) = (index % size.width, index / size.width)
      return (x * 255 / size.width) << 16 | (y * 255 / size.height) << 8 | (x + y) * 255 / (size.width + size.height)
    }
  }

  func pixel(_ x: Int, _ y: Int) -> Int? {
    (0..<size.width).contains(x) && (0..<size.height).contains(y) ? pixels[y * size.width + x] : nil
  }

  var frame: CodedFrame {
    let frame = CodedFrame(size: size, layout: PixelLayout(.rgb, bitDepth: 8), color: .bt709)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = pixels[y * size.width + x]
        for (plane, shift) in [(0, 8), (1, 0), (2, 16)] {
          frame.setSample(pixel >> shift & 0xFF, plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }
}

extension ScreenEmulator {
  /// Whether half cells show exactly a picture in the middle of a terminal, and nothing around it.
  /// - Parameter rows: Rows that are compared: those above the status line.
  func shows(_ picture: TestPicture, columns: Int, rows: Int) -> Bool {
    let left = (columns - picture.size.width) / 2
    let top = 2 * ((rows - (picture.size.height + 1) / 2) / 2)
    for row in 0..<rows {
      for column in 0..<columns {
        let upper = picture.pixel(column - left, 2 * row - top)
        let lower = picture.pixel(column - left, 2 * row + 1 - top)
        let cell = cell(row, column)
        switch cell.glyph {
        case "▀": if cell.foreground != upper || cell.background != lower { return false }
        case " ": if cell.background != upper || cell.background != lower { return false }
        default: return false
        }
      }
    }
    return true
  }
}
