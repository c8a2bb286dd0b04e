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
      x: (size.width - picture.width) >> 1, y: (size.height - picture.height) >> 1, width: picture.width,
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
                rows, from: left, into: base + (visible.y + y) * width + visible.x, count: visible.width)
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

/// The positions of a pixel's components in a 32-bit word.
package struct PackedFormat: Sendable, Hashable {
  /// Bits per component: 8 or 10.
  package let bitDepth: Int
  /// Shift of each component.
  package let redShift, greenShift, blueShift: UInt32
  /// The alpha bits, which are set in every pixel.
  package let opaque: UInt32

  /// X'R'G'B' with 8 bits per component.
  package static let xrgb8 = PackedFormat(bitDepth: 8, redShift: 16, greenShift: 8, blueShift: 0, opaque: 0)

  private init(bitDepth: Int, redShift: UInt32, greenShift: UInt32, blueShift: UInt32, opaque: UInt32) {
    (self.bitDepth, self.opaque, maximum) = (bitDepth, opaque, (1 << UInt32(bitDepth)) - 1)
    (self.redShift, self.greenShift, self.blueShift) = (redShift, greenShift, blueShift)
  }

  /// Creates a format from masks; nil: the components do not all have 8 or 10 bits.
  package init?(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32 = 0) {
    let masks = [red, green, blue]
    guard
      let depth = [8, 10].first(where: { depth in masks.allSatisfy { $0.nonzeroBitCount == depth } }
      ),
      masks.allSatisfy({ ($0 >> UInt32($0.trailingZeroBitCount)) == (1 << depth) - 1 }),
      red & green == 0, green & blue == 0, red & blue == 0, (red | green | blue) & alpha == 0
    else { return nil }
    self.init(
      bitDepth: depth, redShift: UInt32(red.trailingZeroBitCount),
      greenShift: UInt32(green.trailingZeroBitCount),
      blueShift: UInt32(blue.trailingZeroBitCount), opaque: alpha)
  }

  /// The layout of the pictures to pack.
  package var layout: PixelLayout { PixelLayout(.rgb, bitDepth: bitDepth) }

  /// The maximum component value.
  let maximum: UInt32

  /// Black.
  var black: UInt32 { opaque }

  /// Packs code values into a pixel.
  package func pixel(red: UInt32, green: UInt32, blue: UInt32) -> UInt32 {
    red << redShift | green << greenShift | blue << blueShift | opaque
  }

  /// Returns the code values of a pixel: R', G', B'.
  package func components(of pixel: UInt32) -> SIMD3<UInt32> {
    SIMD3(pixel >> redShift & maximum, pixel >> greenShift & maximum, pixel >> blueShift & maximum)
  }

  /// Blends grey over a pixel.
  /// - Parameters:
  ///   - grey: The code value of its components, from 0 to `maximum`.
  ///   - alpha: The opacity, from 0 to 255.
  func blend(_ pixel: UInt32, with grey: UInt32, alpha: UInt32) -> UInt32 {
    let (rest, added) = (255 &- alpha, grey &* alpha &+ 127)
    let red = (((pixel &>> redShift) & maximum) &* rest &+ added) / 255
    let green = (((pixel &>> greenShift) & maximum) &* rest &+ added) / 255
    let blue = (((pixel &>> blueShift) & maximum) &* rest &+ added) / 255
    return red &<< redShift | green &<< greenShift | blue &<< blueShift | opaque
  }

  /// Rows of planar samples: R', G', B'.
  typealias Rows = (red: UnsafeMutableRawPointer, green: UnsafeMutableRawPointer, blue: UnsafeMutableRawPointer)

  /// Packs a row of planar samples: bytes, or 10 bits in the low bits of words.
  /// - Parameters:
  ///   - first: Index of the first sample.
  ///   - row: Room for `count` pixels.
  @unsafe
  func pack(_ rows: Rows, from first: Int, into row: UnsafeMutablePointer<UInt32>, count: Int) {
    if bitDepth == 8 {
      let red = unsafe rows.red.assumingMemoryBound(to: UInt8.self) + first
      let green = unsafe rows.green.assumingMemoryBound(to: UInt8.self) + first
      let blue = unsafe rows.blue.assumingMemoryBound(to: UInt8.self) + first
      for x in 0..<count {
        unsafe row[x] =
          UInt32(red[x]) &<< redShift | UInt32(green[x]) &<< greenShift | UInt32(blue[x]) &<< blueShift | opaque
      }
    } else {
      let red = unsafe rows.red.assumingMemoryBound(to: UInt16.self) + first
      let green = unsafe rows.green.assumingMemoryBound(to: UInt16.self) + first
      let blue = unsafe rows.blue.assumingMemoryBound(to: UInt16.self) + first
      for x in 0..<count {
        let (r, g, b) = unsafe (UInt32(red[x] & 0x3FF), UInt32(green[x] & 0x3FF), UInt32(blue[x] & 0x3FF))
        unsafe row[x] = r &<< redShift | g &<< greenShift | b &<< blueShift | opaque
      }
    }
  }
}
