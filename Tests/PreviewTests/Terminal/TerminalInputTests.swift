import Frames
import Preview
import TestSupport
import Testing

/// Keys and answers out of bytes.
@Suite struct TerminalInputTests {
  private static func events(_ bytes: some Sequence<UInt8>, _ input: inout TerminalInput) -> [TerminalInput.Event] {
    bytes.compactMap { input.take($0) }
  }

  private static func events(_ text: String) -> [TerminalInput.Event] {
    var input = TerminalInput()
    return events(Array(text.utf8), &input)
  }

  @Test func answers() {
    #expect(Self.events("\u{1B}[?64;4;22c") == [.attributes([64, 4, 22])])
    #expect(Self.events("\u{1B}[6;20;10t") == [.cellSize(Size(width: 10, height: 20))])
    #expect(Self.events("\u{1B}[4;480;800t") == [.textAreaSize(Size(width: 800, height: 480))])
    #expect(Self.events("\u{1B}_Gi=31;OK\u{1B}\\") == [.kittyGraphics(true)])
    #expect(Self.events("\u{1B}_Gi=31;ENODATA:x\u{1B}\\") == [.kittyGraphics(false)])
    #expect(Self.events("\u{1B}_Gi=32;OK\u{1B}\\\u{1B}]11;rgb:0/0/0\u{07}\u{1B}P1$r0m\u{1B}\\\u{1B}[8;24;80t") == [])
    // Too long to be true.
    #expect(Self.events("\u{1B}[?\(String(repeating: "4;", count: 500))4ct") == [.press(.character("t"))])
  }

  @Test func keys() {
    let presses: [PreviewKey.Press] = [.character("a"), .special(.space), .character("é"), .character("🎬")]
    #expect(Self.events("a é🎬") == presses.map { .press($0) })
    #expect(Self.events("\u{1B}[C\u{1B}OD") == [.press(.special(.right)), .press(.special(.left))])
    #expect(Self.events("\u{1B}[23~\u{1B}[24~\u{1B}t") == [.press(.special(.f11))])
  }

  @Test func anEscapeCharacterAloneIsAKey() {
    var input = TerminalInput()
    #expect(input.timeout == nil && input.flush() == nil)
    #expect(Self.events([0x1B], &input) == [] && input.timeout == 50)
    #expect(input.flush() == .press(.special(.escape)) && input.timeout == nil)
    // A sequence in pieces is one, and what is never finished swallows no key after it.
    #expect(Self.events([0x1B], &input) == [] && Self.events([0x5B], &input) == [] && input.timeout == 1000)
    #expect(Self.events([0x43], &input) == [.press(.special(.right))])
    #expect(Self.events(Array("\u{1B}_Gi=31".utf8), &input) == [] && input.flush() == nil)
    #expect(Self.events(Array("q".utf8), &input) == [.press(.character("q"))])
    #expect(Self.events([0x1B, 0x1B], &input) == [.press(.special(.escape))])
  }

  @Test func anythingMayBeSent() {
    var random = Xorshift(seed: 1)
    var input = TerminalInput()
    let common = Array("\u{1B}[]_P\\?;0123456789ctGi=31;OK~".utf8)
    for round in 0..<2000 {
      for _ in 0..<200 {
        _ = input.take(
          Bool.random(using: &random)
            ? UInt8.random(in: 0...255, using: &random) : common.randomElement(using: &random) ?? 0)
      }
      _ = input.flush()
      #expect(Self.events(Array("q".utf8), &input) == [.press(.character("q"))], "round \(round)")
    }
  }
}
