internal import Foundation
public import Frames

/// Pictures of one size in a grid, each with its time below, on a dark background.
public struct ContactSheet {
  /// Samples between pictures and around them.
  private static let gap = 8
  /// Width and height of a glyph's dot, and rows between a picture and its time.
  private static let (dot, leading) = (2, 4)
  /// Signals of background and text, 0...1.
  private static let (ground, ink) = (0.12, 0.75)

  private static var captionHeight: Int { leading + TimeGlyphs.height * dot }

  /// The sheet, to which pictures are added.
  public let frame: CodedFrame
  private let cell: Size
  private let columns: Int
  private let highest: Double

  /// Size of a sheet.
  /// - Parameters:
  ///   - cell: Size of each picture.
  ///   - columns: Pictures across.
  ///   - rows: Pictures down.
  public static func size(cell: Size, columns: Int, rows: Int) -> Size {
    Size(
      width: columns * (cell.width + gap) + gap, height: rows * (cell.height + captionHeight + gap) + gap)
  }

  /// An empty sheet.
  /// - Parameters:
  ///   - format: Format of the pictures: R'G'B' code values.
  ///   - columns: Pictures across.
  ///   - rows: Pictures down.
  ///   - metadata: HDR metadata of the sheet.
  public init(cells format: PixelFormat, columns: Int, rows: Int, metadata: HDRMetadata) {
    precondition(format.layout.components == .rgb && format.layout.samples == .integer)
    cell = format.size
    self.columns = columns
    highest = Double(1 << format.layout.bitDepth - 1)
    let size = Self.size(cell: cell, columns: columns, rows: rows)
    frame = CodedFrame(size: size, layout: format.layout, color: format.color, metadata: metadata)
    fill(Self.ground, x: 0..<size.width, y: 0..<size.height)
  }

  /// Adds a picture at `index` in row-major order, with its time below.
  public func add(_ picture: CodedFrame, at index: Int, seconds: Double) {
    precondition(picture.size == cell && picture.layout == frame.layout)
    let left = Self.gap + index % columns * (cell.width + Self.gap)
    let top = Self.gap + index / columns * (cell.height + Self.captionHeight + Self.gap)
    let bytes = frame.layout.bytesPerSample
    for plane in 0..<3 {
      unsafe picture.withPlane(plane) { source in
        unsafe frame.withPlane(plane) { target in
          for y in 0..<cell.height {
            unsafe (target.row(top + y) + left * bytes).copyMemory(
              from: source.row(y), byteCount: cell.width * bytes)
          }
        }
      }
    }
    write(Self.words(seconds), left: left, top: top + cell.height + Self.leading)
  }

  /// "-0:01:23.456"
  static func words(_ seconds: Double) -> String {
    let milliseconds = Int((min(max(seconds, -1e9), 1e9) * 1000).rounded())
    let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    let sign = milliseconds < 0 ? "-" : ""
    return sign
      + String(
        format: "%llu:%02llu:%02llu.%03llu", UInt64(whole / 3600), UInt64(whole / 60 % 60),
        UInt64(whole % 60), UInt64(rest))
  }

  private func write(_ text: String, left: Int, top: Int) {
    let advance = (TimeGlyphs.width + 1) * Self.dot
    for (place, character) in text.enumerated() {
      // Characters that do not fit below the picture are dropped.
      guard (place + 1) * advance <= cell.width, let rows = TimeGlyphs.rows(of: character) else { return }
      for (row, bits) in rows.enumerated() {
        for column in 0..<TimeGlyphs.width where bits >> (TimeGlyphs.width - 1 - column) & 1 == 1 {
          let (x, y) = (left + place * advance + column * Self.dot, top + row * Self.dot)
          fill(Self.ink, x: x..<(x + Self.dot), y: y..<(y + Self.dot))
        }
      }
    }
  }

  private func fill(_ signal: Double, x columns: Range<Int>, y rows: Range<Int>) {
    let code = Int((signal * highest).rounded())
    for plane in 0..<3 {
      for y in rows {
        for x in columns { frame.setSample(code, plane: plane, x: x, y: y) }
      }
    }
  }
}

/// Digits, colon, point and minus as dots, five wide and seven high.
enum TimeGlyphs {
  static let (width, height) = (5, 7)

  /// Rows from the top; a set bit is a dot, with the highest of five on the left. nil: blank.
  static func rows(of character: Character) -> [UInt8]? { table[character] }

  private static let table: [Character: [UInt8]] = [
    "0": [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "2": [0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111],
    "3": [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110],
    "4": [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    "6": [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    "8": [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    "9": [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    ":": [0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000],
    ".": [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00100, 0b00100],
    "-": [0b00000, 0b00000, 0b00000, 0b01110, 0b00000, 0b00000, 0b00000],
  ]
}
