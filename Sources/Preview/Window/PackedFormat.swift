package import Frames

/// The positions of a pixel's components in a 32-bit word.
package struct PackedFormat: Sendable, Hashable {
  /// Bits per component: 8 or 10.
  package let bitDepth: Int
  /// Shift of each component.
  package let redShift, greenShift, blueShift: UInt32
  /// The alpha bits, which are set in every pixel.
  package let opaque: UInt32

  /// X'R'G'B' with 8 bits per component.
  package static let xrgb8 = PackedFormat(
    bitDepth: 8, redShift: 16, greenShift: 8, blueShift: 0, opaque: 0)

  private init(
    bitDepth: Int, redShift: UInt32, greenShift: UInt32, blueShift: UInt32, opaque: UInt32
  ) {
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
}

extension PackedFormat {
  /// Rows of planar samples: R', G', B'.
  typealias Rows = (
    red: UnsafeMutableRawPointer, green: UnsafeMutableRawPointer, blue: UnsafeMutableRawPointer
  )

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
          UInt32(red[x]) &<< redShift | UInt32(green[x]) &<< greenShift | UInt32(blue[x])
          &<< blueShift | opaque
      }
    } else {
      let red = unsafe rows.red.assumingMemoryBound(to: UInt16.self) + first
      let green = unsafe rows.green.assumingMemoryBound(to: UInt16.self) + first
      let blue = unsafe rows.blue.assumingMemoryBound(to: UInt16.self) + first
      for x in 0..<count {
        let (r, g, b) = unsafe (
          UInt32(red[x] & 0x3FF), UInt32(green[x] & 0x3FF), UInt32(blue[x] & 0x3FF)
        )
        unsafe row[x] = r &<< redShift | g &<< greenShift | b &<< blueShift | opaque
      }
    }
  }
}
