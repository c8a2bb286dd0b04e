internal import Frames

/// Pictures in kitty's graphics protocol: exact pixels, in base64 (four bytes for three).
///
/// Alternates between two images, and deletes the older one once the newer is shown: replacing an image in place would
/// flicker.
///
/// Source: kitty, "Terminal graphics protocol".
struct KittyPainter: TerminalPainter {
  private static let images = [18_500, 18_501]
  /// Maximum base64 characters per sequence.
  private static let most = 4096
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

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
    let chunk = Self.most / 4 * 3
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
      appendBase64(picture.bytes[start..<end], &output)
      output.append("\u{1B}\\")
      start = end
    }
  }

  /// - Parameter bytes: A multiple of three bytes, as pixels are.
  private func appendBase64(_ bytes: ArraySlice<UInt8>, _ output: inout TerminalOutput) {
    var index = bytes.startIndex
    while index + 2 < bytes.endIndex {
      let word = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
      for shift in [18, 12, 6, 0] { output.append(Self.alphabet[word >> shift & 63]) }
      index += 3
    }
  }

  private func delete(_ image: Int, _ output: inout TerminalOutput) {
    output.append("\u{1B}_Ga=d,d=I,q=2,i=")
    output.append(number: image)
    output.append("\u{1B}\\")
  }
}
