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
  /// - Parameters:
  ///   - size: Window size in pixels.
  ///   - scale: Pixels per point.
  mutating func boxes(size: Size, scale: Double) -> [TextBox] {
    typesetter.begin(height: Self.lineHeight * scale)
    defer { typesetter.end() }
    let place = OverlayPlace(size: size, scale: scale)
    var boxes: [TextBox] = []
    let help = showsHelp ? typesetter.help(in: place) : nil
    if showsStatus, let status,
      let box = typesetter.paragraph(status.parts, in: place, at: .bottomLeft),
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
