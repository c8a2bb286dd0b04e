import Foundation
import Frames
import Preview
import TestSupport
import Testing

extension TerminalTests {
  /// Images: kitty's, decoded here, and sixels, decoded by libsixel's tool.
  @Suite struct ImageTests {
    private static func screen(
      _ terminal: PseudoTerminal, _ graphics: TerminalScreen.Graphics? = nil
    ) throws -> TerminalScreen {
      let screen = TerminalScreen(
        graphics: graphics, descriptor: terminal.slave, environment: .init(type: "xterm", color: "truecolor"),
        timeout: .seconds(60))
      try screen.open { _ in }
      return screen
    }

    /// A command of kitty's protocol.
    private struct Command {
      let keys: [String: String]
      let payload: String

      init(_ bytes: [UInt8]) {
        let parts = String(decoding: bytes.dropFirst(), as: UTF8.self)
          .split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        var keys: [String: String] = [:]
        for pair in parts[0].split(separator: ",") {
          let sides = pair.split(separator: "=")
          keys[String(sides[0])] = sides.count > 1 ? String(sides[1]) : ""
        }
        self.keys = keys
        payload = parts.count > 1 ? String(parts[1]) : ""
      }
    }

    @Test func kittyImagesAreExact() throws {
      let terminal = try PseudoTerminal(columns: 80, rows: 24, answer: .kitty)
      let screen = try Self.screen(terminal)
      #expect(screen.graphics == .kitty && screen.note == nil)
      #expect(screen.area == ScreenArea(size: Size(width: 800, height: 460)))
      let pictures = [Size(width: 64, height: 64), Size(width: 64, height: 48), Size(width: 3, height: 5)].enumerated()
        .map { TestPicture($1, seed: UInt64($0)) }
      for picture in pictures { try screen.write(picture.frame) }
      #expect(terminal.wait { $0.updates >= 3 })
      screen.close()
      #expect(terminal.wait { !$0.modes.contains("?1049") })
      // The first command is the question, the last one deletes all.
      var commands = terminal.screen.commands.dropFirst().map(Command.init)[...]
      #expect(commands.popLast()?.keys == ["a": "d", "d": "A", "q": "2"])
      var before: String?
      for picture in pictures {
        let first = try #require(commands.first)
        #expect(first.keys["a"] == "T" && first.keys["f"] == "24" && first.keys["C"] == "1")
        #expect(first.keys["s"] == "\(picture.size.width)" && first.keys["v"] == "\(picture.size.height)")
        var data = Data()
        while let command = commands.popFirst() {
          #expect(command.payload.utf8.count <= 4096 && command.keys["q"] == "2")
          let piece = Data(base64Encoded: command.payload)
          data.append(try #require(piece))
          if command.keys["m"] == "0" { break }
        }
        #expect(data == Data(picture.pixels.flatMap { [UInt8($0 >> 16), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }))
        if let before {
          let next = commands.popFirst()
          let deletion = try #require(next)
          #expect(deletion.keys == ["a": "d", "d": "I", "i": before, "q": "2"] && first.keys["i"] != before)
        }
        before = first.keys["i"]
      }
      #expect(commands.isEmpty && terminal.screen.unknown == [])
    }

    /// Pixels of a sixel image as libsixel's own tool decodes it; nil: the tool is not installed.
    private static func decode(_ sixel: [UInt8], _ size: Size) throws -> [UInt8]? {
      let scratch = try Scratch()
      try Data([0x1B, 0x50] + sixel + [0x1B, 0x5C]).write(to: URL(fileURLWithPath: scratch.path("a.six")))
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["sixel2png", "-i", scratch.path("a.six"), "-o", scratch.path("a.png")]
      process.standardError = FileHandle.nullDevice
      try process.run()
      let limit = TimeLimit(process)
      process.waitUntilExit()
      limit.end()
      guard process.terminationStatus != 127 else {
        noteSkip("sixels, as sixel2png is not installed (libsixel-bin)")
        return nil
      }
      let pixels = try Tool.ffmpeg.run(["-i", scratch.path("a.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
      #expect(pixels.count == 3 * size.width * size.height)
      return Array(pixels)
    }

    private static func errors(_ picture: TestPicture, _ pixels: [UInt8]) -> (mean: Double, most: Int) {
      var (sum, most) = (0, 0)
      for (index, pixel) in picture.pixels.enumerated() {
        for (offset, shift) in [16, 8, 0].enumerated() {
          let error = abs(Int(pixels[3 * index + offset]) - pixel >> shift & 0xFF)
          (sum, most) = (sum + error, max(most, error))
        }
      }
      return (Double(sum) / Double(3 * picture.pixels.count), most)
    }

    @Test(arguments: [1, 2, 3, 200, 256]) func sixelsOfFewColorsAreExactToAPercent(colors: Int) throws {
      // A component is stated in whole percent and read back as the nearest code.
      let bound = (0...255).map { code in
        abs(code - Int((Double((code * 100 + 127) / 255) * 2.55).rounded()))
      }.max()
      let picture = TestPicture(Size(width: 79, height: 61), seed: UInt64(colors), colors: colors)
      let sixel = try Self.sixel(of: picture)
      guard let pixels = try Self.decode(sixel, picture.size) else { return }
      let errors = Self.errors(picture, pixels)
      #expect(errors.most <= bound ?? 0, "\(errors)")
    }

    @Test func sixelsOfManyColorsAreNear() throws {
      let picture = TestPicture(gradient: Size(width: 200, height: 120))
      guard let pixels = try Self.decode(Self.sixel(of: picture), picture.size) else { return }
      let errors = Self.errors(picture, pixels)
      print("sixel: mean error \(errors.mean) codes, highest \(errors.most)")
      // 256 colours in a square of the cube: 16 each way, so steps of 16 and errors up to 8, and twice that in the corners.
      #expect(errors.mean < 5 && errors.most <= 24, "\(errors)")
      let colors = Set((0..<pixels.count / 3).map { Array(pixels[3 * $0..<3 * $0 + 3]) })
      #expect(colors.count <= 256)
    }

    /// What a terminal is sent for a picture.
    private static func sixel(of picture: TestPicture) throws -> [UInt8] {
      let terminal = try PseudoTerminal(columns: 80, rows: 24, answer: .sixel)
      let screen = try screen(terminal)
      #expect(screen.graphics == .sixel && screen.note == nil)
      #expect(screen.area == ScreenArea(size: Size(width: 800, height: 460)))
      try screen.write(picture.frame)
      #expect(terminal.wait { $0.updates >= 1 && !$0.controls.isEmpty })
      screen.close()
      let control = try #require(terminal.screen.controls.first)
      // In the middle of 80 x 23 cells of 10 x 20 pixels.
      let (wide, high) = ((picture.size.width + 9) / 10, (picture.size.height + 19) / 20)
      #expect(control.place == .init(row: (23 - high) / 2, column: (80 - wide) / 2))
      #expect(terminal.screen.unknown == [])
      return control.bytes
    }

    /// Text over sixels erases them, and the next picture erases the text.
    @Test func textIsDrawnOverEverySixelImage() throws {
      let terminal = try PseudoTerminal(columns: 80, rows: 30, answer: .sixel)
      let screen = try Self.screen(terminal)
      defer { screen.close() }
      let picture = TestPicture(gradient: screen.area.size)
      try screen.write(picture.frame)
      terminal.type("?")
      // In the middle of the rows above the status line.
      let top = (29 - PreviewKey.all.count) / 2
      #expect(terminal.wait { $0.text(row: top, columns: 80).contains("next tone curve") })
      let length = terminal.received.count
      try screen.write(picture.frame)
      #expect(
        comesTrue {
          let rest = ScreenEmulator(Array(terminal.received[length...]))
          return rest.controls.count == 1 && rest.text(row: top, columns: 80).contains("next tone curve")
        })
    }
  }
}
