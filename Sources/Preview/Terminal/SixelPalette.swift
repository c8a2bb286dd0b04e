internal import CSixel
internal import Frames

/// A picture with at most 256 colours.
///
/// libsixel selects the colours, but with 5 bits per component, which would make white (248, 248, 248). Here each
/// colour becomes the mean of its pixels, and pictures with few colours keep them.
struct SixelPalette {
  /// Interleaved R', G', B'.
  private(set) var colors: [UInt8] = []
  /// The palette index of each pixel.
  private(set) var indices: [UInt8] = []

  private static let most = 256

  /// - Throws: `TerminalError.cannotEncode`.
  mutating func take(_ picture: RGBPicture) throws(TerminalError) {
    let count = picture.size.width * picture.size.height
    if indices.count != count { indices = Array(repeating: 0, count: count) }
    if takeExactly(picture) { return }
    colors = try Self.adaptive(picture)
    takeNearest(picture)
  }

  /// - Returns: false if there are too many colours.
  private mutating func takeExactly(_ picture: RGBPicture) -> Bool {
    var found: [UInt32] = []
    // An open-addressed hash table of palette indices; -1: empty.
    let places = 1024
    var table = [Int16](repeating: -1, count: places)
    var (last, lastIndex) = (UInt32.max, UInt8(0))
    for index in indices.indices {
      let color = Self.color(picture.bytes, index)
      if color != last {
        // Fibonacci hashing: the upper ten bits of the product.
        var place = Int((color &* 0x9E37_79B1) >> 22)
        while table[place] >= 0, found[Int(table[place])] != color { place = (place + 1) % places }
        if table[place] < 0 {
          guard found.count < Self.most else { return false }
          table[place] = Int16(found.count)
          found.append(color)
        }
        (last, lastIndex) = (color, UInt8(table[place]))
      }
      indices[index] = lastIndex
    }
    colors = found.flatMap { [UInt8($0 >> 16), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
    return true
  }

  private static func color(_ bytes: [UInt8], _ index: Int) -> UInt32 {
    UInt32(bytes[3 * index]) << 16 | UInt32(bytes[3 * index + 1]) << 8 | UInt32(bytes[3 * index + 2])
  }

  /// The upper five bits of each component.
  private static func bucket(_ color: UInt32) -> Int {
    let (red, green, blue) = (color >> 19 & 0x1F, color >> 11 & 0x1F, color >> 3 & 0x1F)
    return Int(red << 10 | green << 5 | blue)
  }

  /// Returns the colours that libsixel's median cut selects.
  private static func adaptive(_ picture: RGBPicture) throws(TerminalError) -> [UInt8] {
    var made: OpaquePointer?
    var status = unsafe sixel_dither_new(&made, Int32(most), nil)
    guard status & 0x1000 == 0, let dither = unsafe made else { throw .cannotEncode(status: status) }
    defer { unsafe sixel_dither_unref(dither) }
    var pixels = picture.bytes
    status = unsafe sixel_dither_initialize(
      dither, &pixels, Int32(picture.size.width), Int32(picture.size.height), SIXEL_PIXELFORMAT_RGB888,
      SIXEL_LARGE_AUTO, SIXEL_REP_AUTO, SIXEL_QUALITY_HIGH)
    guard status & 0x1000 == 0, let palette = unsafe sixel_dither_get_palette(dither) else {
      throw .cannotEncode(status: status)
    }
    let count = min(max(Int(unsafe sixel_dither_get_num_of_palette_colors(dither)), 1), most)
    return unsafe Array(UnsafeBufferPointer(start: palette, count: 3 * count))
  }

  /// Assigns the nearest colour to each pixel, then sets each colour to the mean of its pixels.
  private mutating func takeNearest(_ picture: RGBPicture) {
    var nearest = [Int16](repeating: -1, count: 1 << 15)
    var sums = [Int](repeating: 0, count: colors.count)
    var counts = [Int](repeating: 0, count: colors.count / 3)
    for index in indices.indices {
      let color = Self.color(picture.bytes, index)
      let bucket = Self.bucket(color)
      if nearest[bucket] < 0 { nearest[bucket] = Int16(self.nearest(to: color & 0xF8_F8F8)) }
      let chosen = Int(nearest[bucket])
      indices[index] = UInt8(chosen)
      counts[chosen] += 1
      sums[3 * chosen] += Int(color >> 16)
      sums[3 * chosen + 1] += Int(color >> 8 & 0xFF)
      sums[3 * chosen + 2] += Int(color & 0xFF)
    }
    for index in colors.indices where counts[index / 3] > 0 {
      colors[index] = UInt8((sums[index] + counts[index / 3] / 2) / counts[index / 3])
    }
  }

  /// Returns the index of the nearest colour.
  private func nearest(to color: UInt32) -> Int {
    let (red, green, blue) = (Int(color >> 16), Int(color >> 8 & 0xFF), Int(color & 0xFF))
    var (best, bestDistance) = (0, Int.max)
    for index in 0..<colors.count / 3 {
      let (r, g, b) = (Int(colors[3 * index]), Int(colors[3 * index + 1]), Int(colors[3 * index + 2]))
      let distance = (r - red) * (r - red) + (g - green) * (g - green) + (b - blue) * (b - blue)
      if distance < bestDistance { (best, bestDistance) = (index, distance) }
    }
    return best
  }
}
