/// The coverage of a line while glyphs are drawn.
struct InkCanvas {
  let width: Int
  let height: Int
  private(set) var values: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    values = Array(repeating: 0, count: width * height)
  }

  /// Adds a row of ink, clipped to the canvas; overlapping ink is added, up to full coverage.
  mutating func add(_ ink: UnsafeBufferPointer<UInt8>, x: Int, y: Int) {
    guard y >= 0, y < height else { return }
    let columns = max(-x, 0)..<max(min(ink.count, width - x), max(-x, 0))
    for column in columns {
      let place = y * width + x + column
      values[place] = UInt8(min(Int(values[place]) + Int(unsafe ink[column]), 255))
    }
  }
}
