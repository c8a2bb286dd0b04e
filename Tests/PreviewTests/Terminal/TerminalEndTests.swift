import Foundation
import Frames
import Glibc
import Preview
import Synchronization
import TestSupport
import Testing

/// Terminals as screens, one test after the other: giving all of them back, as for a signal, ends every screen of the process.
@Suite(.serialized) enum TerminalTests {}

extension TerminalTests {
  /// How a terminal is given back, and what happens when it stalls or goes away.
  @Suite struct EndTests {
    private static func open(
      _ terminal: PseudoTerminal, onInput: @escaping @Sendable (ScreenInput) -> Void = { _ in }
    ) throws -> TerminalScreen {
      let screen = TerminalScreen(
        graphics: .halfBlocks, descriptor: terminal.slave, environment: .init(type: "xterm", color: "truecolor"),
        timeout: .seconds(60))
      try screen.open(onInput: onInput)
      return screen
    }

    private static func bytes(_ settings: termios) -> [UInt8] {
      var settings = settings
      return unsafe withUnsafeBytes(of: &settings) { unsafe Array($0) }
    }

    /// The ways in which a screen may end.
    enum End: CaseIterable { case close, release, signal }

    @Test(arguments: End.allCases) func theTerminalIsGivenBack(end: End) throws {
      let terminal = try PseudoTerminal(columns: 40, rows: 12)
      let before = Self.bytes(terminal.settings)
      var screen: TerminalScreen? = try Self.open(terminal)
      let raw = terminal.settings.c_lflag
      #expect(raw & tcflag_t(ICANON | ECHO) == 0 && raw & tcflag_t(ISIG) != 0)
      try screen?.write(TestPicture(Size(width: 40, height: 22), seed: 1).frame)
      #expect(terminal.wait { $0.updates >= 1 && $0.modes.contains("?1049") && $0.modes.contains("hidden") })
      switch end {
      case .close: screen?.close()
      case .release: screen = nil
      case .signal: TerminalScreen.restoreAll()
      }
      #expect(Self.bytes(terminal.settings) == before)
      #expect(terminal.wait { !$0.modes.contains("?1049") && !$0.modes.contains("hidden") })
      if end == .signal {
        // Nothing is drawn afterwards, neither a picture nor the restoration once more.
        let count = terminal.received.count
        try screen?.write(TestPicture(Size(width: 40, height: 22), seed: 2).frame)
        TerminalScreen.restoreAll()
        screen?.close()
        usleep(100_000)
        #expect(terminal.received.count == count)
      }
      #expect(terminal.screen.unknown == [])
      // It can be opened again.
      let again = try Self.open(terminal)
      again.close()
      #expect(Self.bytes(terminal.settings) == before)
    }

    @Test func aTerminalThatDoesNotReadHoldsUpNothing() throws {
      let terminal = try PseudoTerminal(columns: 200, rows: 60)
      let screen = try Self.open(terminal)
      let before = terminal.received.count
      terminal.setReading(false)
      let hasEnded = Mutex(false)
      Thread.detachNewThread {
        for seed in 0..<20 { try? screen.write(TestPicture(Size(width: 200, height: 118), seed: UInt64(seed)).frame) }
        hasEnded.withLock { $0 = true }
      }
      usleep(300_000)
      #expect(!hasEnded.withLock { $0 })
      screen.interrupt()
      #expect(comesTrue { hasEnded.withLock { $0 } })
      screen.close()
      terminal.setReading(true)
      // The broken-off picture is ended and the screen given back, although the queue was full.
      #expect(terminal.wait { !$0.modes.contains("?1049") && !$0.modes.contains("hidden") })
      #expect(terminal.received.count - before < 1_000_000)
    }

    @Test func aTerminalThatGoesAwayClosesTheScreen() throws {
      let terminal = try PseudoTerminal(columns: 40, rows: 12)
      let inputs = Mutex<[ScreenInput]>([])
      let screen = try Self.open(terminal) { input in inputs.withLock { $0.append(input) } }
      terminal.hangUp()
      #expect(comesTrue { inputs.withLock { $0 } == [.closed] })
      #expect(throws: TerminalError.isGone) {
        for seed in 0..<100 { try screen.write(TestPicture(Size(width: 40, height: 22), seed: UInt64(seed)).frame) }
      }
      screen.close()
      #expect(inputs.withLock { $0 } == [.closed])
    }

    @Test func aKeyMayCloseTheScreen() throws {
      let terminal = try PseudoTerminal()
      let before = Self.bytes(terminal.settings)
      let open = Mutex<TerminalScreen?>(nil)
      let screen = try Self.open(terminal) { _ in open.withLock { $0.take() }?.close() }
      open.withLock { $0 = screen }
      terminal.type("q")
      #expect(terminal.wait { !$0.modes.contains("?1049") })
      #expect(comesTrue { Self.bytes(terminal.settings) == before })
    }

    @Test func whatIsNoTerminalIsRefused() throws {
      let null = unsafe Glibc.open("/dev/null", O_RDWR)
      defer { close(null) }
      let known = TerminalEnvironment(type: "xterm", color: "")
      #expect(throws: TerminalError.noTerminal(code: ENOTTY)) {
        try TerminalScreen(graphics: nil, descriptor: null, environment: known, timeout: .seconds(60)).open { _ in }
      }
      let terminal = try PseudoTerminal()
      let dumb = TerminalEnvironment(type: "dumb", color: "")
      #expect(throws: TerminalError.isDumb(type: "dumb")) {
        try TerminalScreen(graphics: nil, descriptor: terminal.slave, environment: dumb, timeout: .seconds(60)).open {
          _ in
        }
      }
      let screen = TerminalScreen(
        graphics: .halfBlocks, descriptor: terminal.slave, environment: known, timeout: .seconds(60))
      #expect(screen.graphics == nil && screen.area.size == Size(width: 80, height: 46))
      #expect(throws: TerminalError.isNotOpen) {
        try screen.write(TestPicture(Size(width: 1, height: 1), seed: 1).frame)
      }
      try screen.open { _ in }
      #expect(screen.note?.contains("24-bit") == true)
      screen.close()
    }
  }
}
