package import Frames

/// The pixels of a window: the last picture, centred on black, with boxes of text drawn over it for presenting.
package struct WindowCanvas {
  /// A rectangle of pixels; its origin may be outside the canvas.
  package struct Box: Sendable, Hashable {
    package var x, y, width, height: Int

    func clipped(to size: Size) -> Box {
      let (left, top) = (max(x, 0), max(y, 0))
      return Box(
        x: left, y: top, width: max(min(x + width, size.width) - left, 0),
        height: max(min(y + height, size.height) - top, 0))
    }
  }

  package let format: PackedFormat
  package private(set) var size: Size
  /// Row by row, without padding.
  package private(set) var pixels: [UInt32]
  /// The position of the last picture; nil: none yet.
  package private(set) var picture: Box?

  /// Creates a black canvas.
  package init(size: Size, format: PackedFormat) {
    (self.size, self.format) = (size, format)
    pixels = Array(repeating: format.black, count: size.width * size.height)
  }

  /// Resizes the canvas; crops or extends with black, keeping the picture centred.
  package mutating func resize(to newSize: Size) {
    guard newSize != size else { return }
    var resized = WindowCanvas(size: newSize, format: format)
    if let picture {
      let place = Self.centered(Size(width: picture.width, height: picture.height), in: newSize)
      resized.copy(from: self, dx: place.x - picture.x, dy: place.y - picture.y, within: place)
      resized.picture = place
    }
    self = resized
  }

  private mutating func copy(from other: WindowCanvas, dx: Int, dy: Int, within place: Box) {
    let source = Box(x: place.x - dx, y: place.y - dy, width: place.width, height: place.height)
      .clipped(to: other.size)
    let target = Box(x: source.x + dx, y: source.y + dy, width: source.width, height: source.height)
      .clipped(to: size)
    for y in target.y..<target.y + target.height {
      let (to, from) = (y * size.width + target.x, (y - dy) * other.size.width + target.x - dx)
      pixels.replaceSubrange(to..<to + target.width, with: other.pixels[from..<from + target.width])
    }
  }

  static func centered(_ picture: Size, in size: Size) -> Box {
    // Shifts round down for larger pictures, too, so that the picture does not jump by a pixel.
    Box(
      x: (size.width - picture.width) >> 1, y: (size.height - picture.height) >> 1,
      width: picture.width,
      height: picture.height)
  }

  /// Shows a centred picture; crops its edges if it is larger than the canvas.
  /// - Parameter frame: A frame in the layout of `format`.
  package mutating func show(_ frame: CodedFrame) {
    let place = Self.centered(frame.size, in: size)
    if picture != place { clear() }
    picture = place
    let visible = place.clipped(to: size)
    guard visible.width > 0, visible.height > 0 else { return }
    let (format, width) = (format, size.width)
    let (left, top) = (visible.x - place.x, visible.y - place.y)
    unsafe pixels.withUnsafeMutableBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      unsafe frame.withPlane(0) { green in
        unsafe frame.withPlane(1) { blue in
          unsafe frame.withPlane(2) { red in
            for y in 0..<visible.height {
              let rows = unsafe (red.row(top + y), green.row(top + y), blue.row(top + y))
              unsafe format.pack(
                rows, from: left, into: base + (visible.y + y) * width + visible.x,
                count: visible.width)
            }
          }
        }
      }
    }
  }

  private mutating func clear() { pixels = Array(repeating: format.black, count: pixels.count) }

  /// Replaces pixels of a row.
  mutating func replace(from first: Int, with part: ArraySlice<UInt32>) {
    pixels.replaceSubrange(first..<first + part.count, with: part)
  }

  /// Changes pixels of a row; `body` also gets their index from the first.
  mutating func change(_ range: Range<Int>, _ body: (UInt32, Int) -> UInt32) {
    var span = pixels.mutableSpan
    for index in range { span[index] = body(span[index], index - range.lowerBound) }
  }
}
