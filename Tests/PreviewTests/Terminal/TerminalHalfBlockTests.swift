import Frames
import Preview
import Testing

extension TerminalTests {
  /// Pictures in half cells, against an emulator of the terminal.
  @Suite struct HalfBlockTests {
    private static let known = TerminalEnvironment(type: "xterm-256color", color: "truecolor")

    private static func screen(_ terminal: PseudoTerminal) throws -> TerminalScreen {
      let screen = TerminalScreen(
        graphics: .halfBlocks, descriptor: terminal.slave, environment: known, timeout: .seconds(60))
      try screen.open { _ in }
      return screen
    }

    @Test func everyPixelIsExact() throws {
      let terminal = try PseudoTerminal(columns: 40, rows: 12, pixels: (400, 216))
      let screen = try Self.screen(terminal)
      defer { screen.close() }
      // Cells of 10 x 18 pixels: half of one is 10 x 9.
      #expect(screen.area == ScreenArea(size: Size(width: 40, height: 22), pixelAspect: 10.0 / 9))
      #expect(screen.layout == PixelLayout(.rgb, bitDepth: 8) && screen.graphics == .halfBlocks && screen.note == nil)
      let pictures = [
        TestPicture(screen.area.size, seed: 1), TestPicture(Size(width: 31, height: 17), seed: 2),
        TestPicture(Size(width: 30, height: 16), seed: 3, colors: 2), TestPicture(Size(width: 1, height: 1), seed: 4),
        TestPicture(gradient: screen.area.size),
      ]
      for picture in pictures {
        try screen.write(picture.frame)
        #expect(terminal.wait { $0.shows(picture, columns: 40, rows: 11) }, "\(picture.size)")
      }
      #expect(terminal.screen.unknown == [])
    }

    @Test func onlyChangesAreSent() throws {
      let terminal = try PseudoTerminal(columns: 40, rows: 12)
      let screen = try Self.screen(terminal)
      defer { screen.close() }
      var picture = TestPicture(Size(width: 40, height: 22), seed: 5)
      try screen.write(picture.frame)
      #expect(terminal.wait { $0.shows(picture, columns: 40, rows: 11) })
      let whole = terminal.received.count
      picture.pixels[0] ^= 0xFF
      for x in [7, 9, 31] { picture.pixels[10 * 40 + x] ^= 0xFF00 }
      try screen.write(picture.frame)
      #expect(terminal.wait { $0.shows(picture, columns: 40, rows: 11) })
      // Four cells with a move and two colours each, and the marks of the update.
      let changes = terminal.received.count - whole
      #expect(changes > 0 && changes < 300 && whole > 10_000, "\(changes) of \(whole) bytes")
      try screen.write(picture.frame)
      let updates = terminal.screen.updates
      try screen.write(picture.frame)
      #expect(terminal.wait { $0.updates > updates })
      #expect(terminal.received.count - whole - changes < 100)
    }

    @Test func aPictureThatIsTooLargeIsCut() throws {
      let terminal = try PseudoTerminal(columns: 20, rows: 6)
      let screen = try Self.screen(terminal)
      defer { screen.close() }
      let picture = TestPicture(Size(width: 33, height: 41), seed: 6)
      try screen.write(picture.frame)
      let shown = terminal.wait { screen in
        (0..<5).allSatisfy { row in
          (0..<20).allSatisfy { column in screen.cell(row, column).foreground == picture.pixel(column, 2 * row) }
        }
      }
      #expect(shown && terminal.screen.cells.keys.allSatisfy { $0.row < 6 && $0.column < 20 })
      #expect(throws: TerminalError.wrongLayout) {
        try screen.write(CodedFrame(size: picture.size, layout: PixelLayout(.ycbcr420, bitDepth: 8), color: .bt709))
      }
    }
  }
}
