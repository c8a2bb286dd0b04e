import Foundation
import Frames
import Glibc
import Preview
import Synchronization
import TestSupport
import Testing

extension TerminalTests {
  /// A terminal as a screen: what it is asked, keys, text, sizes, and its end.
  @Suite struct ScreenTests {
    /// What a screen has reported.
    final class Inputs: Sendable {
      private let list = Mutex<[ScreenInput]>([])
      var all: [ScreenInput] { list.withLock { $0 } }
      func add(_ input: ScreenInput) { list.withLock { $0.append(input) } }
    }

    private static let trueColor = TerminalEnvironment(type: "xterm-256color", color: "truecolor")

    private static func open(
      _ terminal: PseudoTerminal, _ graphics: TerminalScreen.Graphics? = nil,
      timeout: Duration = .seconds(60)
    ) throws -> (screen: TerminalScreen, inputs: Inputs) {
      let inputs = Inputs()
      let screen = TerminalScreen(
        graphics: graphics, descriptor: terminal.slave, environment: trueColor, timeout: timeout)
      try screen.open { inputs.add($0) }
      return (screen, inputs)
    }

    @Test func itIsAskedWhatItShows() throws {
      let esc = "\u{1B}"
      let cases: [(PseudoTerminal.Answer, TerminalScreen.Graphics)] = [
        (.kitty, .kitty), (.sixel, .sixel), (.plain, .halfBlocks),
        // Sixels, but nobody knows the size of a cell.
        (.init(text: "\(esc)[?64;4c"), .halfBlocks),
        // A refusal.
        (.init(text: "\(esc)_Gi=31;EINVAL:no\(esc)\\\(esc)[?62;22c"), .halfBlocks),
        // Both, and the size of all cells only.
        (.init(text: "\(esc)_Gi=31;OK\(esc)\\\(esc)[4;480;800t\(esc)[?62;4c"), .kitty),
        // Garbage, numbers that are none, and an answer cut by another.
        (
          .init(text: "\(esc)[\(esc)]\u{07}\(esc)[99999999999999999999999;-1;4t\(esc)_Gi=\(esc)[6;20;10t\(esc)[?4c"),
          .sixel
        ),
        (.init(text: "\(esc)[6;0;0t\(esc)[4;9999999;1t\(esc)[?4c"), .halfBlocks),
        // In two parts.
        (.init(text: "\(esc)_Gi=31;O", rest: (0.05, "K\(esc)\\\(esc)[?62c")), .kitty),
      ]
      for (answer, graphics) in cases {
        let terminal = try PseudoTerminal(answer: answer)
        let (screen, inputs) = try Self.open(terminal)
        #expect(screen.graphics == graphics, "\(answer)")
        screen.close()
        #expect(inputs.all == [], "\(answer)")
      }
    }

    @Test func anAnswerThatComesTooLateIsNoKey() throws {
      let answer = PseudoTerminal.Answer(
        text: "", rest: (1, "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4cq"))
      let terminal = try PseudoTerminal(answer: answer)
      let (screen, inputs) = try Self.open(terminal, timeout: .milliseconds(50))
      defer { screen.close() }
      #expect(screen.graphics == .halfBlocks)
      #expect(comesTrue { inputs.all == [.command(.quit)] }, "\(inputs.all)")
      // Cut where timeout ended: the rest must not be taken for the key of false colour.
      let cut = try PseudoTerminal(answer: .init(text: "\u{1B}[?6", rest: (0.1, "2;4cq")))
      let (other, keys) = try Self.open(cut, timeout: .milliseconds(50))
      defer { other.close() }
      #expect(comesTrue { keys.all == [.command(.quit)] }, "\(keys.all)")
    }

    @Test func aTerminalThatDoesNotAnswerIsNotWaitedFor() throws {
      let terminal = try PseudoTerminal(answer: .nothing)
      let (screen, _) = try Self.open(terminal, timeout: .milliseconds(50))
      #expect(screen.graphics == .halfBlocks)
      screen.close()
    }

    @Test func keysThatAreTypedMeanwhileAreNotLost() throws {
      let terminal = try PseudoTerminal(
        answer: .init(text: "t\u{1B}_Gi=31;OK\u{1B}\\w\u{1B}[6;20;10t\u{1B}[C\u{1B}[?62ch"))
      let (screen, inputs) = try Self.open(terminal)
      defer { screen.close() }
      #expect(screen.graphics == .kitty)
      let expected = [PreviewCommand.nextCurve, .lowerSDRWhite, .raiseHeadroom, .toggleHighlight]
      #expect(comesTrue { inputs.all == expected.map(ScreenInput.command) }, "\(inputs.all)")
    }

    @Test func everyKeyDoesWhatHelpSays() throws {
      let terminal = try PseudoTerminal()
      let (screen, inputs) = try Self.open(terminal)
      defer { screen.close() }
      let handled: Set<PreviewCommand> = [.toggleHelp, .toggleStatus, .toggleFullScreen]
      var expected: [ScreenInput] = []
      for key in PreviewKey.all where !handled.contains(key.command) {
        for press in key.presses {
          let sequences: [String] =
            switch press {
            case .character(let character): [String(character)]
            case .special(.space): [" "]
            case .special(.left): ["\u{1B}[D", "\u{1B}OD"]
            case .special(.right): ["\u{1B}[C", "\u{1B}OC"]
            case .special(.up): ["\u{1B}[A", "\u{1B}OA"]
            case .special(.down): ["\u{1B}[B", "\u{1B}OB"]
            case .special(.escape): ["\u{1B}"]
            case .special(.f11): ["\u{1B}[23~"]
            }
          for sequence in sequences {
            expected.append(.command(key.command))
            terminal.type(sequence)
            #expect(comesTrue { inputs.all.count >= expected.count }, "\(press)")
          }
        }
      }
      // Keys of no meaning: with Alt, of other sequences, of other scripts, broken UTF-8, full screen.
      for junk in ["\u{1B}t", "\u{1B}[1;5C", "\u{1B}[15~", "é漢🎬", "\u{1B}[23~f", "\r\t\u{7F}"] { terminal.type(junk) }
      terminal.type([0xE6, 0xBC, 0xC3, 0xFF, 0x80])
      terminal.type("]")
      expected.append(.command(.raiseHeadroom))
      #expect(comesTrue { inputs.all == expected }, "\(inputs.all)")
    }

    @Test func statusMessagesAndHelpAreShown() throws {
      let terminal = try PseudoTerminal(columns: 60, rows: 30)
      let (screen, inputs) = try Self.open(terminal)
      defer { screen.close() }
      var status = PreviewStatus()
      status.source = "P010 \u{1B}[31m 1920x1080 " + String(repeating: "x", count: 200)
      screen.show(status)
      // Shown without a picture too; control characters are not obeyed, and what is too long is cut.
      #expect(terminal.wait { $0.text(row: 29, columns: 60).hasPrefix("P010  [31m 1920x1080 xxx") })
      #expect(terminal.screen.cells.keys.allSatisfy { $0.column < 60 && $0.row < 30 })
      let picture = TestPicture(Size(width: 60, height: 58), seed: 1)
      try screen.write(picture.frame)
      #expect(terminal.wait { $0.shows(picture, columns: 60, rows: 29) })
      screen.say("Recording to a.mkv")
      // It is gone again after some seconds, which a busy machine may let pass unseen.
      #expect(comesTrue { terminal.received.contains("Recording to a.mkv  ".utf8) })
      #expect(terminal.wait { $0.text(row: 29, columns: 60).hasPrefix("P010") })
      terminal.type("i")
      #expect(terminal.wait { $0.text(row: 29, columns: 60) == String(repeating: " ", count: 60) })
      terminal.type("?")
      for key in PreviewKey.all {
        #expect(
          terminal.wait { screen in
            (0..<29).contains { row in
              let text = screen.text(row: row, columns: 60)
              return text.contains(key.help) && key.presses.allSatisfy { text.contains($0.label) }
            }
          }, "\(key.help)")
      }
      terminal.type("?")
      #expect(terminal.wait { $0.shows(picture, columns: 60, rows: 29) })
      #expect(inputs.all == [.areaChanged, .areaChanged] && terminal.screen.unknown == [])
    }

    @Test func aTerminalThatPausesWhileTextIsDrawnLosesNothing() throws {
      let terminal = try PseudoTerminal(columns: 60, rows: 30)
      let (screen, _) = try Self.open(terminal)
      defer { screen.close() }
      let picture = TestPicture(Size(width: 60, height: 58), seed: 1)
      try screen.write(picture.frame)
      terminal.type("?")
      #expect(terminal.wait { $0.text(row: 14, columns: 60).contains(/[a-z]/) })
      // Far longer than text waits for, and more than the terminal's queue holds: the picture under the help.
      terminal.setReading(false)
      terminal.type("?")
      usleep(1_500_000)
      terminal.setReading(true)
      #expect(terminal.wait { $0.shows(picture, columns: 60, rows: 29) })
      let other = TestPicture(Size(width: 60, height: 58), seed: 2)
      try screen.write(other.frame)
      #expect(terminal.wait { $0.shows(other, columns: 60, rows: 29) && $0.unknown == [] })
    }

    @Test func aNewSizeIsReportedAndDrawn() throws {
      let terminal = try PseudoTerminal(columns: 40, rows: 12)
      let (screen, inputs) = try Self.open(terminal)
      defer { screen.close() }
      try screen.write(TestPicture(screen.area.size, seed: 1).frame)
      terminal.resize(columns: 30, rows: 20, pixels: (300, 400))
      #expect(comesTrue { inputs.all == [.areaChanged] })
      #expect(screen.area == ScreenArea(size: Size(width: 30, height: 38), pixelAspect: 1))
      let picture = TestPicture(Size(width: 30, height: 17), seed: 2)
      try screen.write(picture.frame)
      #expect(terminal.wait { $0.shows(picture, columns: 30, rows: 19) })
      // A terminal that lies costs no more memory than a large one.
      terminal.resize(columns: 65_535, rows: 65_535)
      #expect(comesTrue { inputs.all.count == 2 })
      #expect(screen.area.size == Size(width: 2048, height: 2046))
      terminal.resize(columns: 1, rows: 1)
      #expect(comesTrue { inputs.all.count == 3 })
      #expect(screen.area.size == Size(width: 1, height: 2))
      try screen.write(TestPicture(Size(width: 5, height: 5), seed: 3).frame)
    }
  }
}
