internal import Frames

/// Asks a terminal what it can show.
enum TerminalQuery {
  /// What a terminal has answered.
  struct Answers {
    /// It shows images of kitty's protocol.
    var hasKittyGraphics = false
    /// It shows sixels.
    var hasSixel = false
    /// Pixels of a cell; nil: it does not say.
    var cell: Size?
    /// Keys that were pressed meanwhile.
    var presses: [PreviewKey.Press] = []
    /// Where the last answer was cut.
    var input = TerminalInput()
  }

  /// The image that is asked about.
  static let image = 31

  /// Whether a kitty image can be sent, the pixels of a cell and of all cells, and last the primary device attributes: nearly every terminal
  /// answers for those, and when it has, no other answer will come.
  private static let questions =
    "\u{1B}_Gi=\(image),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[14t\u{1B}[c"

  /// Asks, and waits for the answers.
  /// - Parameters:
  ///   - device: In raw mode.
  ///   - geometry: Its size in cells.
  ///   - patience: After which a terminal is taken not to answer.
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
    // A flood of keys is none that anybody has typed.
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
