internal import Frames
internal import Lettering

/// Lines of text on a dark translucent box.
struct TextBox: Sendable, Hashable {
  /// A text and where its box begins, from the corner of the text box.
  struct Line: Sendable, Hashable {
    var x: Int
    var y: Int
    var ink: Coverage
    /// Less bright than the others.
    var isDim = false
  }

  /// Where it lies in the window.
  var box: WindowCanvas.Box
  var lines: [Line]

  /// How much of the picture the box hides, of 255.
  static let fill: UInt32 = 184
}

extension WindowCanvas {
  /// The pixels under a box.
  struct Patch {
    var box: Box
    var pixels: [UInt32]
  }

  /// Draws a box, and only inside of it.
  /// - Returns: What was there before.
  mutating func draw(_ text: TextBox) -> Patch {
    let box = text.box.clipped(to: size)
    var patch = Patch(box: box, pixels: [])
    patch.pixels.reserveCapacity(box.width * box.height)
    for y in box.y..<box.y + box.height {
      for x in box.x..<box.x + box.width {
        let pixel = self[x, y]
        patch.pixels.append(pixel)
        self[x, y] = format.blend(pixel, with: .zero, alpha: TextBox.fill)
      }
    }
    for line in text.lines { draw(line, from: (text.box.x, text.box.y), within: box) }
    return patch
  }

  private mutating func draw(_ line: TextBox.Line, from corner: (x: Int, y: Int), within box: Box) {
    let brightness = line.isDim ? format.maximum * 3 / 4 : format.maximum
    let tint = SIMD3<UInt32>(repeating: brightness)
    let (left, top) = (corner.x + line.x, corner.y + line.y)
    let columns =
      max(
        box.x - left, 0)..<max(min(line.ink.width, box.x + box.width - left), max(box.x - left, 0))
    for row in 0..<line.ink.height where top + row >= box.y && top + row < box.y + box.height {
      for column in columns {
        let alpha = UInt32(line.ink.values[row * line.ink.width + column])
        guard alpha > 0 else { continue }
        self[left + column, top + row] = format.blend(
          self[left + column, top + row], with: tint, alpha: alpha)
      }
    }
  }

  /// Takes a box away: the last that was drawn first.
  mutating func restore(_ patch: Patch) {
    for row in 0..<patch.box.height {
      let start = (patch.box.y + row) * size.width + patch.box.x
      replace(from: start, with: patch.pixels[row * patch.box.width..<(row + 1) * patch.box.width])
    }
  }
}
