internal import Frames
internal import Lettering

/// Lines of text on a dark translucent box.
struct TextBox: Sendable, Hashable {
  /// A text, and the position of its box relative to the text box.
  struct Line: Sendable, Hashable {
    var x: Int
    var y: Int
    var ink: Coverage
    /// Dimmer than the others.
    var isDim = false
  }

  /// The position in the window.
  var box: WindowCanvas.Box
  var lines: [Line]

  /// Opacity of the box, of 255.
  static let fill: UInt32 = 184
}

extension WindowCanvas {
  /// The pixels under a box.
  struct Patch {
    var box: Box
    var pixels: [UInt32]
  }

  /// Draws a box, clipped to the canvas.
  /// - Returns: The pixels underneath.
  mutating func draw(_ text: TextBox) -> Patch {
    let box = text.box.clipped(to: size)
    var patch = Patch(box: box, pixels: [])
    patch.pixels.reserveCapacity(box.width * box.height)
    for y in box.y..<box.y + box.height {
      let row = y * size.width + box.x
      patch.pixels += pixels[row..<row + box.width]
      change(row..<row + box.width) { [format] pixel, _ in
        format.blend(pixel, with: 0, alpha: TextBox.fill)
      }
    }
    for line in text.lines { draw(line, from: (text.box.x, text.box.y), within: box) }
    return patch
  }

  private mutating func draw(_ line: TextBox.Line, from corner: (x: Int, y: Int), within box: Box) {
    let brightness = line.isDim ? format.maximum * 3 / 4 : format.maximum
    let (left, top) = (corner.x + line.x, corner.y + line.y)
    let first = max(box.x - left, 0)
    let count = max(min(line.ink.width, box.x + box.width - left) - first, 0)
    for row in 0..<line.ink.height where top + row >= box.y && top + row < box.y + box.height {
      let (start, ink) = ((top + row) * size.width + left + first, row * line.ink.width + first)
      change(start..<start + count) { [format] pixel, index in
        let alpha = line.ink.values[ink + index]
        return alpha == 0 ? pixel : format.blend(pixel, with: brightness, alpha: UInt32(alpha))
      }
    }
  }

  /// Removes a box: in reverse order of drawing.
  mutating func restore(_ patch: Patch) {
    for row in 0..<patch.box.height {
      let start = (patch.box.y + row) * size.width + patch.box.x
      replace(from: start, with: patch.pixels[row * patch.box.width..<(row + 1) * patch.box.width])
    }
  }
}
