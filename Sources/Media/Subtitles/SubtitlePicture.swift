public import Frames

/// Pictures that are displayed over a film for a while.
public struct SubtitlePicture: Sendable {
  /// A picture on the canvas.
  public struct Part: Sendable {
    /// The leftmost column on the canvas.
    public var x: Int
    /// The topmost row on the canvas.
    public var y: Int
    /// The picture.
    public var picture: PalettePicture

    /// - Parameters:
    ///   - x: The leftmost column on the canvas.
    ///   - y: The topmost row on the canvas.
    ///   - picture: The picture.
    public init(x: Int, y: Int, _ picture: PalettePicture) { (self.x, self.y, self.picture) = (x, y, picture) }
  }

  /// When it appears, in microseconds of the input's clock.
  public var start: Int64
  /// When it disappears, in microseconds; nil: when the next one appears.
  public var end: Int64?
  /// The frame that positions refer to; nil: the video frame.
  public var canvas: Size?
  /// Whether pixels of the canvas are square; otherwise they have the shape of the video's.
  public var hasSquarePixels: Bool
  /// How the colours of its palettes are coded.
  public var coding: PaletteCoding
  /// No parts: the screen is cleared.
  public var parts: [Part]

  /// A picture without parts clears the screen.
  public init(
    start: Int64, end: Int64?, canvas: Size?, hasSquarePixels: Bool, coding: PaletteCoding = .sRGB, parts: [Part]
  ) {
    (self.start, self.end, self.canvas, self.hasSquarePixels) = (start, end, canvas, hasSquarePixels)
    (self.coding, self.parts) = (coding, parts)
  }
}

/// A picture of at most 256 colours, stored as runs of pixels.
public struct PalettePicture: Sendable {
  /// Size in pixels.
  public let size: Size
  /// Three components, coded as the subtitle's `coding`, and alpha, not premultiplied; alpha 255 is opaque.
  public let palette: [SIMD4<UInt8>]
  /// Row after row: the length of a run less one, and its colour.
  private let runs: [UInt8]

  /// - Parameters:
  ///   - size: Columns and rows.
  ///   - palette: Missing colours are transparent.
  ///   - row: The colours of a row, which are `size.width` indices of the palette.
  public init(size: Size, palette: [SIMD4<UInt8>], row: (Int) -> [UInt8]) {
    (self.size, self.palette) = (size, palette)
    var runs: [UInt8] = []
    for y in 0..<size.height {
      let colors = row(y)
      precondition(colors.count == size.width)
      var start = 0
      while start < colors.count {
        var end = start + 1
        while end < colors.count, end - start < 256, colors[end] == colors[start] { end += 1 }
        runs.append(UInt8(end - start - 1))
        runs.append(colors[start])
        start = end
      }
    }
    self.runs = runs
  }

  /// Memory used by the pixels.
  public var byteCount: Int { runs.count + 4 * palette.count }

  /// Calls `body` with each run of pixels of one colour, in the order of rows; transparent ones are left out.
  public func forEachRun(_ body: (_ x: Int, _ y: Int, _ count: Int, _ color: SIMD4<UInt8>) -> Void) {
    var (x, y) = (0, 0)
    for index in stride(from: 0, to: runs.count, by: 2) {
      let (count, number) = (Int(runs[index]) + 1, Int(runs[index + 1]))
      if number < palette.count, palette[number].w > 0 { body(x, y, count, palette[number]) }
      x += count
      if x == size.width { (x, y) = (0, y + 1) }
    }
  }

  /// The colours of the pixels, except transparent ones.
  public var shownColors: Set<SIMD4<UInt8>> {
    var colors: Set<SIMD4<UInt8>> = []
    forEachRun { _, _, _, color in colors.insert(color) }
    return colors
  }

  /// The smallest area that contains all visible pixels; nil: none.
  public var visibleArea: PictureArea? {
    var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
    forEachRun { x, y, count, _ in
      (left, right, top, bottom) = (min(left, x), max(right, x + count), min(top, y), y + 1)
    }
    return right > 0 ? PictureArea(x: left, y: top, width: right - left, height: bottom - top) : nil
  }
}
