internal import CSixel
internal import Foundation
internal import Frames

/// A method of showing pictures in a terminal.
protocol TerminalPainter: Sendable {
  /// Appends the output that shows a picture in the centre of the terminal, or draws it into the canvas.
  /// - Parameters:
  ///   - picture: At most as large as the area of the terminal.
  ///   - output: The output to send before the cells.
  mutating func paint(
    _ picture: RGBPicture, _ geometry: TerminalGeometry, _ canvas: inout TerminalCanvas, _ output: inout TerminalOutput
  ) throws(TerminalError)

  /// Appends whatever else is needed to erase the screen.
  mutating func erase(_ output: inout TerminalOutput)
}

extension TerminalScreen.Graphics {
  /// Creates a painter.
  var painter: any TerminalPainter {
    switch self {
    case .halfBlocks: HalfBlockPainter()
    case .sixel: SixelPainter()
    case .kitty: KittyPainter()
    }
  }
}

/// Pictures in half cells: foreground colour for the upper pixel, background for the lower.
struct HalfBlockPainter: TerminalPainter {
  private var place: TerminalGeometry.Place?

  mutating func paint(
    _ picture: RGBPicture, _ geometry: TerminalGeometry, _ canvas: inout TerminalCanvas, _ output: inout TerminalOutput
  ) {
    let place = geometry.place(picture.size, cell: Size(width: 1, height: 2))
    if place != self.place { canvas.clearPicture() }
    self.place = place
    for row in 0..<place.rows.count {
      var index = (place.rows.lowerBound + row) * canvas.columns + place.columns.lowerBound
      for x in 0..<place.columns.count {
        let upper = picture.pixel(x: x, y: 2 * row)
        // The last row of an odd height has no lower pixel.
        let lower = 2 * row + 1 < picture.size.height ? picture.pixel(x: x, y: 2 * row + 1) : TerminalCell.ownColor
        canvas.picture[index] = TerminalCell(upper: upper, lower: lower)
        index += 1
      }
    }
  }

  mutating func erase(_ output: inout TerminalOutput) { place = nil }
}

/// Pictures in kitty's graphics protocol: exact pixels, in base64 (four bytes for three).
///
/// Alternates between two images, and deletes the older one once the newer is shown: replacing an image in place would
/// flicker. Source: kitty, "Terminal graphics protocol".
struct KittyPainter: TerminalPainter {
  private static let images = [18_500, 18_501]
  /// Maximum base64 characters per sequence.
  private static let maxChunk = 4096
  /// The index of the visible image.
  private var current: Int?

  mutating func paint(
    _ picture: RGBPicture, _ geometry: TerminalGeometry, _ canvas: inout TerminalCanvas, _ output: inout TerminalOutput
  ) {
    let place = geometry.place(picture.size, cell: geometry.cell ?? TerminalGeometry.assumedCell)
    let next = current == 0 ? 1 : 0
    output.move(row: place.rows.lowerBound, column: place.columns.lowerBound)
    send(picture, as: Self.images[next], &output)
    if let current { delete(Self.images[current], &output) }
    current = next
  }

  mutating func erase(_ output: inout TerminalOutput) {
    if let current { delete(Self.images[current], &output) }
    current = nil
  }

  /// Sends an image below the cells, even those with a background colour (z below -2^30), and suppresses the reply.
  private func send(_ picture: RGBPicture, as image: Int, _ output: inout TerminalOutput) {
    let chunk = Self.maxChunk / 4 * 3
    var start = 0
    while start < picture.bytes.count {
      let end = min(start + chunk, picture.bytes.count)
      output.append("\u{1B}_G")
      if start == 0 {
        output.append("a=T,f=24,p=1,C=1,z=-1073741825,i=")
        output.append(number: image)
        output.append(",s=")
        output.append(number: picture.size.width)
        output.append(",v=")
        output.append(number: picture.size.height)
        output.append(",")
      }
      output.append("q=2,m=")
      output.append(number: end < picture.bytes.count ? 1 : 0)
      output.append(";")
      output.append(contentsOf: Data(picture.bytes[start..<end]).base64EncodedString().utf8)
      output.append("\u{1B}\\")
      start = end
    }
  }

  private func delete(_ image: Int, _ output: inout TerminalOutput) {
    output.append("\u{1B}_Ga=d,d=I,q=2,i=")
    output.append(number: image)
    output.append("\u{1B}\\")
  }
}

/// Pictures as sixels in 256 colours, encoded by libsixel without dithering, which flickers in moving pictures and
/// takes half as long again. 640x360 pixels take 7 to 17 ms of one core, more than two thirds of that in libsixel.
struct SixelPainter: TerminalPainter {
  private var palette = SixelPalette()
  private var place: TerminalGeometry.Place?
  private var size: Size?

  mutating func paint(
    _ picture: RGBPicture, _ geometry: TerminalGeometry, _ canvas: inout TerminalCanvas, _ output: inout TerminalOutput
  ) throws(TerminalError) {
    let place = geometry.place(picture.size, cell: geometry.cell ?? TerminalGeometry.assumedCell)
    if place != self.place || picture.size != size {
      // Otherwise pixels of the last picture would remain around this one.
      output.append("\u{1B}[0m\u{1B}[2J")
      canvas.erase()
      (self.place, size) = (place, picture.size)
    }
    try palette.take(picture)
    output.move(row: place.rows.lowerBound, column: place.columns.lowerBound)
    output.append(contentsOf: try Self.encode(palette, picture.size))
    canvas.cover(place)
  }

  mutating func erase(_ output: inout TerminalOutput) { (place, size) = (nil, nil) }

  /// Returns a picture as a device control string.
  private static func encode(_ palette: SixelPalette, _ size: Size) throws(TerminalError) -> [UInt8] {
    var bytes: [UInt8] = []
    let status = unsafe withUnsafeMutablePointer(to: &bytes) { bytes in
      var output: OpaquePointer?
      var status = unsafe sixel_output_new(
        &output,
        { data, count, target in
          guard let data = unsafe data, let target = unsafe target else { return 0 }
          let bytes = unsafe target.assumingMemoryBound(to: [UInt8].self)
          unsafe bytes.pointee.append(contentsOf: UnsafeRawBufferPointer(start: data, count: Int(count)))
          return count
        }, bytes, nil)
      guard status & 0x1000 == 0, let output = unsafe output else { return status }
      defer { unsafe sixel_output_unref(output) }
      unsafe sixel_output_set_encode_policy(output, SIXEL_ENCODEPOLICY_FAST)
      var dither: OpaquePointer?
      status = unsafe sixel_dither_new(&dither, Int32(palette.colors.count / 3), nil)
      guard status & 0x1000 == 0, let dither = unsafe dither else { return status }
      defer { unsafe sixel_dither_unref(dither) }
      var (colors, indices) = (palette.colors, palette.indices)
      unsafe sixel_dither_set_palette(dither, &colors)
      unsafe sixel_dither_set_pixelformat(dither, SIXEL_PIXELFORMAT_PAL8)
      return unsafe sixel_encode(&indices, Int32(size.width), Int32(size.height), 8, dither, output)
    }
    // The failure bit.
    guard status & 0x1000 == 0 else { throw .cannotEncode(status: status) }
    return bytes
  }
}

/// A picture with at most 256 colours.
///
/// libsixel selects the colours, but with 5 bits per component, which would make white (248, 248, 248). Here each
/// colour becomes the mean of its pixels, and pictures with few colours keep them.
struct SixelPalette {
  /// Interleaved R', G', B'.
  private(set) var colors: [UInt8] = []
  /// The palette index of each pixel.
  private(set) var indices: [UInt8] = []

  private static let maxColors = 256

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
      let color = picture.pixel(index)
      if color != last {
        // Fibonacci hashing: the upper ten bits of the product.
        var place = Int((color &* 0x9E37_79B1) >> 22)
        while table[place] >= 0, found[Int(table[place])] != color { place = (place + 1) % places }
        if table[place] < 0 {
          guard found.count < Self.maxColors else { return false }
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

  /// The upper five bits of each component.
  private static func bucket(_ color: UInt32) -> Int {
    let (red, green, blue) = (color >> 19 & 0x1F, color >> 11 & 0x1F, color >> 3 & 0x1F)
    return Int(red << 10 | green << 5 | blue)
  }

  /// Returns the colours that libsixel's median cut selects.
  private static func adaptive(_ picture: RGBPicture) throws(TerminalError) -> [UInt8] {
    var made: OpaquePointer?
    var status = unsafe sixel_dither_new(&made, Int32(maxColors), nil)
    guard status & 0x1000 == 0, let dither = unsafe made else { throw .cannotEncode(status: status) }
    defer { unsafe sixel_dither_unref(dither) }
    var pixels = picture.bytes
    status = unsafe sixel_dither_initialize(
      dither, &pixels, Int32(picture.size.width), Int32(picture.size.height), SIXEL_PIXELFORMAT_RGB888,
      SIXEL_LARGE_AUTO, SIXEL_REP_AUTO, SIXEL_QUALITY_HIGH)
    guard status & 0x1000 == 0, let palette = unsafe sixel_dither_get_palette(dither)
    else { throw .cannotEncode(status: status) }
    let count = min(max(Int(unsafe sixel_dither_get_num_of_palette_colors(dither)), 1), maxColors)
    return unsafe Array(UnsafeBufferPointer(start: palette, count: 3 * count))
  }

  /// Assigns the nearest colour to each pixel, then sets each colour to the mean of its pixels.
  private mutating func takeNearest(_ picture: RGBPicture) {
    var nearest = [Int16](repeating: -1, count: 1 << 15)
    var sums = [Int](repeating: 0, count: colors.count)
    var counts = [Int](repeating: 0, count: colors.count / 3)
    for index in indices.indices {
      let color = picture.pixel(index)
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
