package import Frames

/// Parses keys and replies from a terminal, byte by byte. Source: ECMA-48 (06/1991), 5.4; xterm, ctlseqs; kitty,
/// graphics protocol.
package struct TerminalInput: Sendable {
  /// An event from a terminal.
  package enum Event: Sendable, Hashable {
    /// A key was pressed.
    case press(PreviewKey.Press)
    /// Whether the terminal supports images in kitty's protocol.
    case kittyGraphics(Bool)
    /// Its primary device attributes: 4 is sixel.
    case attributes([Int])
    /// Cell size in pixels.
    case cellSize(Size)
    /// Size of all cells in pixels.
    case textAreaSize(Size)
  }

  private enum State: Sendable {
    case ground
    /// After an escape character.
    case escape
    /// In a control sequence.
    case control
    /// After the introducer of a function key (SS3).
    case function
    /// In a string terminated by an escape sequence.
    case string
    /// After an escape character in a string.
    case stringEscape
    /// In a multibyte character: the number of missing bytes.
    case character(Int)
  }

  private var state = State.ground
  /// The current sequence; discarded if it is too long to be valid.
  private var bytes: [UInt8] = []

  private static let maxLength = 128

  /// Creates a parser in its initial state.
  package init() {}

  /// Milliseconds without a byte after which to call `flush()`; nil: nothing is pending.
  package var timeout: Int? {
    switch state {
    case .ground: nil
    case .escape: 50
    // On a slow line a reply can be interrupted anywhere; its rest must not be mistaken for keys.
    default: 1000
    }
  }

  /// Ends an unfinished sequence: a lone escape character was the Esc key.
  package mutating func flush() -> Event? {
    defer { state = .ground }
    if case .escape = state { return .press(.special(.escape)) }
    return nil
  }

  /// Parses the next byte.
  package mutating func take(_ byte: UInt8) -> Event? {
    switch state {
    case .ground: return ground(byte)
    case .escape: return escape(byte)
    case .control: return control(byte)
    case .function:
      state = .ground
      return Self.arrow(byte).map { .press(.special($0)) }
    case .string: return string(byte)
    case .stringEscape:
      state = .ground
      if byte == UInt8(ascii: "\\") { return answer() }
      // Anything else starts a new sequence: the string was cut off.
      return escape(byte)
    case .character(let missing): return character(byte, missing)
    }
  }

  private mutating func ground(_ byte: UInt8) -> Event? {
    switch byte {
    case 0x1B: state = .escape
    case 0x20: return .press(.special(.space))
    case 0x21...0x7E: return .press(.character(Character(Unicode.Scalar(byte))))
    case 0xC2...0xDF: begin(.character(1), byte)
    case 0xE0...0xEF: begin(.character(2), byte)
    case 0xF0...0xF4: begin(.character(3), byte)
    default: break
    }
    return nil
  }

  private mutating func begin(_ state: State, _ byte: UInt8? = nil) {
    self.state = state
    bytes.removeAll(keepingCapacity: true)
    if let byte { bytes.append(byte) }
  }

  private mutating func escape(_ byte: UInt8) -> Event? {
    switch byte {
    case 0x1B:
      // Two in a row: the first one was a key.
      state = .escape
      return .press(.special(.escape))
    case UInt8(ascii: "["): begin(.control)
    case UInt8(ascii: "O"): begin(.function)
    case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      begin(.string, byte)
    // Alt with a key is unassigned.
    default: state = .ground
    }
    return nil
  }

  private mutating func control(_ byte: UInt8) -> Event? {
    switch byte {
    case 0x20...0x3F:
      if bytes.count < Self.maxLength { bytes.append(byte) }
      return nil
    case 0x40...0x7E:
      state = .ground
      return bytes.count < Self.maxLength ? sequence(byte) : nil
    case 0x1B: state = .escape
    default: state = .ground
    }
    return nil
  }

  private mutating func string(_ byte: UInt8) -> Event? {
    switch byte {
    case 0x1B: state = .stringEscape
    case 0x07, 0x18, 0x1A: state = .ground
    default: if bytes.count < Self.maxLength { bytes.append(byte) }
    }
    return nil
  }

  private mutating func character(_ byte: UInt8, _ missing: Int) -> Event? {
    guard byte & 0xC0 == 0x80 else {
      state = .ground
      return ground(byte)
    }
    bytes.append(byte)
    state = missing > 1 ? .character(missing - 1) : .ground
    guard missing == 1, let text = String(validating: bytes, as: UTF8.self), let first = text.first else { return nil }
    return .press(.character(first))
  }

  /// Interprets a control sequence that ends with `last`.
  private func sequence(_ last: UInt8) -> Event? {
    if bytes.isEmpty { return Self.arrow(last).map { .press(.special($0)) } }
    let isPrivate = bytes.first == UInt8(ascii: "?")
    let text = String(decoding: bytes.dropFirst(isPrivate ? 1 : 0), as: UTF8.self)
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch (last, isPrivate) {
    case (UInt8(ascii: "~"), false): return text == "23" ? .press(.special(.f11)) : nil
    case (UInt8(ascii: "c"), true): return .attributes(numbers)
    case (UInt8(ascii: "t"), false):
      guard numbers.count == 3, numbers.dropFirst().allSatisfy((1...100_000).contains) else { return nil }
      let size = Size(width: numbers[2], height: numbers[1])
      return numbers[0] == 6 ? .cellSize(size) : numbers[0] == 4 ? .textAreaSize(size) : nil
    default: return nil
    }
  }

  /// Interprets a string.
  private func answer() -> Event? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("_Gi=\(TerminalQuery.image);") || text.hasPrefix("_Gi=\(TerminalQuery.image),")
    else { return nil }
    return .kittyGraphics(text.hasSuffix(";OK"))
  }

  private static func arrow(_ byte: UInt8) -> PreviewKey.Special? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }
}

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
  /// - Parameter device: In raw mode.
  static func send(
    _ device: TerminalDevice, _ geometry: TerminalGeometry, timeout: Duration
  ) throws(TerminalError) -> Answers {
    var answers = Answers()
    let end = ContinuousClock.now + timeout
    guard try device.send(Array(questions.utf8), timeout: timeout) == questions.utf8.count else { return answers }
    var isComplete = false
    while !isComplete {
      let left = Int((end - .now) / .milliseconds(1))
      guard left > 0 else { break }
      let pause = answers.input.timeout
      let bytes = try device.receive(milliseconds: Int32(min(left, pause ?? left)))
      if bytes.isEmpty, let pause, pause < left, let event = answers.input.flush() {
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
