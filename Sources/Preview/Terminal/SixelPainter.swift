internal import CSixel
internal import Frames

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
