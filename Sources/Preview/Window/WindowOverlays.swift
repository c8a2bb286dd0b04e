internal import Frames
internal import Lettering

/// The text over a window's picture, and its position.
struct WindowOverlays {
  /// A message, until it expires.
  struct Message {
    var text: String
    var end: ContinuousClock.Instant
  }

  /// Duration of a message.
  static let messageTime = Duration.milliseconds(2500)
  /// Maximum number of messages shown at a time.
  static let messageLimit = 4
  /// Line height in points.
  static let lineHeight = 15.0

  var status: PreviewStatus?
  var showsStatus = true
  var showsHelp = false
  private(set) var messages: [Message] = []
  private var typesetter: Typesetter

  /// - Parameter typeface: nil: no text.
  init(typeface: Typeface?) { typesetter = Typesetter(typeface: typeface) }

  mutating func say(_ text: String, now: ContinuousClock.Instant) {
    messages.append(Message(text: text, end: now + Self.messageTime))
    messages.removeFirst(max(messages.count - Self.messageLimit, 0))
  }

  /// Removes expired messages.
  /// - Returns: Whether there were any.
  mutating func removeOldMessages(now: ContinuousClock.Instant) -> Bool {
    let count = messages.count
    messages.removeAll { $0.end <= now }
    return messages.count < count
  }

  /// Returns the boxes in drawing order.
  mutating func boxes(size: Size, scale: Double) -> [TextBox] {
    typesetter.begin(height: Self.lineHeight * scale)
    defer { typesetter.end() }
    let place = OverlayPlace(size: size, scale: scale)
    var boxes: [TextBox] = []
    let help = showsHelp ? typesetter.help(in: place) : nil
    if showsStatus, let status, let box = typesetter.paragraph(status.parts, in: place, at: .bottomLeft),
      help.map({ $0.box.y + $0.box.height <= box.box.y }) ?? true
    {
      boxes.append(box)
    }
    if let fault = status?.fault, !fault.isEmpty,
      let box = typesetter.paragraph([fault], in: place, at: .center)
    {
      boxes.append(box)
    }
    if let help { boxes.append(help) }
    if let box = typesetter.list(messages.map(\.text), in: place) { boxes.append(box) }
    return boxes
  }
}

/// A window as a container for text.
struct OverlayPlace: Hashable {
  enum Corner { case topLeft, bottomLeft, center }

  var size: Size
  var scale: Double

  /// Distance from the window's edge to a box, and from there to its text, in pixels.
  var margin: Int { pixels(8) }
  var padding: Int { pixels(6) }
  /// Maximum text width.
  var textWidth: Int { max(size.width - 2 * (margin + padding), 1) }
  var textHeight: Int { max(size.height - 2 * (margin + padding), 1) }

  func pixels(_ points: Double) -> Int { Int((points * scale).rounded()) }

  /// Returns a box around text of a size.
  func box(width: Int, height: Int, at corner: Corner) -> WindowCanvas.Box {
    let (width, height) = (width + 2 * padding, height + 2 * padding)
    return switch corner {
    case .topLeft: WindowCanvas.Box(x: margin, y: margin, width: width, height: height)
    case .bottomLeft:
      WindowCanvas.Box(x: margin, y: size.height - margin - height, width: width, height: height)
    case .center: WindowCanvas.centered(Size(width: width, height: height), in: size)
    }
  }
}

/// The layout of the keys in help.
struct HelpSheet {
  struct Entry {
    var keys: String
    var help: String
    var x: Int
    var y: Int
  }

  let columns: Int
  /// Line height in pixels.
  let height: Double
  /// Distance from the keys to their descriptions.
  let keyWidth: Int
  let width: Int
  let total: Int
  private(set) var entries: [Entry] = []

  /// - Parameter pitch: Returns the line pitch for a line height.
  init(columns: Int, height: Double, typeface: Typeface, pitch: (Double) -> Int) {
    (self.columns, self.height) = (columns, height)
    func width(_ text: String) -> Double { typeface.width(of: text, height: height) }
    let texts = PreviewKey.all.map {
      (keys: $0.presses.map(\.label).joined(separator: "  "), help: $0.help)
    }
    keyWidth = Int(((texts.map { width($0.keys) }.max() ?? 0) + height).rounded(.up))
    let helpWidth = Int((texts.map { width($0.help) }.max() ?? 0).rounded(.up))
    let gap = Int((2 * height).rounded())
    let rows = (texts.count + columns - 1) / columns
    for (index, text) in texts.enumerated() {
      let x = index / rows * (keyWidth + helpWidth + gap)
      entries.append(Entry(keys: text.keys, help: text.help, x: x, y: index % rows * pitch(height)))
    }
    self.width = columns * (keyWidth + helpWidth + gap) - gap
    total = (rows - 1) * pitch(height) + Int(height.rounded(.up))
  }

  /// Returns the factor by which it could grow in a window.
  func fit(in place: OverlayPlace) -> Double {
    min(Double(place.textWidth) / Double(max(width, 1)), Double(place.textHeight) / Double(max(total, 1)))
  }
}

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
