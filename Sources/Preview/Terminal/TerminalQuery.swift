internal import Frames

/// Queries the capabilities of a terminal.
enum TerminalQuery {
  /// The replies of a terminal.
  struct Answers {
    /// Supports images in kitty's protocol.
    var hasKittyGraphics = false
    /// Supports sixels.
    var hasSixel = false
    /// Cell size in pixels; nil: not reported.
    var cell: Size?
    /// Keys pressed in the meantime.
    var presses: [PreviewKey.Press] = []
    /// The parser state at the end of the last reply.
    var input = TerminalInput()
  }

  /// The image ID in the query.
  static let image = 31

  /// Queries kitty image support, the pixel sizes of a cell and of all cells, and finally the primary device
  /// attributes: nearly every terminal replies to that, and after it no other reply will come.
  private static let questions =
    "\u{1B}_Gi=\(image),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[14t\u{1B}[c"

  /// Sends the queries and waits for the replies.
  /// - Parameters:
  ///   - device: In raw mode.
  ///   - geometry: The terminal's size in cells.
  ///   - patience: The timeout for replies.
  /// - Throws: `TerminalError.isGone`.
  static func ask(
    _ device: TerminalDevice, _ geometry: TerminalGeometry, patience: Duration
  ) throws(TerminalError) -> Answers {
    var answers = Answers()
    let end = ContinuousClock.now + patience
    guard try device.send(Array(questions.utf8), patience: patience) == questions.utf8.count else { return answers }
    var isComplete = false
    while !isComplete {
      let left = Int((end - .now) / .milliseconds(1))
      guard left > 0 else { break }
      let patience = answers.input.patience
      let bytes = try device.receive(milliseconds: Int32(min(left, patience ?? left)))
      if bytes.isEmpty, let patience, patience < left, let event = answers.input.flush() {
        answers.take(event, geometry)
      }
      for byte in bytes {
        guard let event = answers.input.take(byte) else { continue }
        answers.take(event, geometry)
        if case .attributes = event { isComplete = true }
      }
    }
    return answers
  }
}

extension TerminalQuery.Answers {
  fileprivate mutating func take(_ event: TerminalInput.Event, _ geometry: TerminalGeometry) {
    switch event {
    // Limits the number of keys: more were not typed.
    case .press(let press): if presses.count < 64 { presses.append(press) }
    case .kittyGraphics(let isThere): hasKittyGraphics = isThere
    case .attributes(let attributes): hasSixel = attributes.contains(4)
    case .cellSize(let size): cell = TerminalGeometry.cell(width: size.width, height: size.height) ?? cell
    case .textAreaSize(let size):
      cell =
        cell
        ?? TerminalGeometry.cell(width: size.width / geometry.columns, height: size.height / geometry.rows)
    }
  }
}
