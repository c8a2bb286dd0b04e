import Foundation
import TestSupport
import Testing

/// Inputs that are not videos, and videos that can be read only once.
@Suite struct GarbageTests {
  /// Bytes that FFmpeg takes for the start of something, and nothing of it behind them.
  static let beginnings: [(suffix: String, bytes: [UInt8])] = [
    ("", [0xFF, 0xD8, 0xFF]), (".jpg", []), (".png", []), (".tga", []), (".dpx", []), (".hevc", [0, 0, 0, 1, 0x40, 1]),
    ("", [0, 0, 0, 1, 0x67]), (".h264", []), (".m2v", [0, 0, 1, 0xB3]), (".txt", Array("[00:01.00] words\n".utf8)),
    ("", Array("plain words, and no film\n".utf8)), (".mjpeg", [0xFF, 0xD8, 0xFF, 0xE0]), (".ts", [0x47]),
  ]

  @Test(arguments: beginnings.indices)
  func isAnError(_ index: Int) throws {
    let (suffix, bytes) = Self.beginnings[index]
    let scratch = try Scratch()
    let path = scratch.path("garbage\(suffix)")
    var state = UInt64(index) + 1
    let noise = (0..<3000).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return suffix == ".txt" || bytes.count > 20 ? UInt8(97 + state >> 33 % 26) : UInt8(state >> 33 & 0xFF)
    }
    try Data(bytes + noise).write(to: URL(fileURLWithPath: path))
    for verb in [["probe"], ["measure"], ["transcode", "-o", scratch.path("out.mkv")]] {
      let result = try Command.run([verb[0], path] + verb.dropFirst())
      #expect(result.status == 1, "\(verb[0]): \(result.output)\(result.messages)")
      #expect(result.messages.contains(path) && result.output.isEmpty)
    }
    #expect(!scratch.contents.contains { $0.contains("out") })
  }

  /// A pipe is opened once: a film in it is described like the file, even with audio only.
  @Test(arguments: ["film.mkv", "sound.mka"])
  func probeOfAPipe(_ name: String) throws {
    let scratch = try Scratch()
    let path = scratch.path(name)
    let source = name.hasPrefix("film") ? "testsrc2=size=64x48:duration=0.4" : "sine=duration=0.4"
    try Tool.ffmpeg.run(["-f", "lavfi", "-i", source, "-y", path])
    let pipe = scratch.path("pipe")
    let status = try Command.shell(
      "mkfifo '\(pipe)'; cat '\(path)' >'\(pipe)' & timeout -s KILL 60 '\(Command.url.path)' probe '\(pipe)' >'\(pipe).out'"
    )
    #expect(status == 0)
    let piped = try String(contentsOfFile: pipe + ".out", encoding: .utf8)
    let lines = { (text: String) in text.split(separator: "\n").filter { $0.contains("stream #") } }
    #expect(try lines(piped) == lines(Command.run(["probe", path]).output))
  }

  /// What would need to read a pipe twice is refused without waiting.
  @Test func aPipeIsNotReadTwice() throws {
    let scratch = try Scratch()
    let (film, pipe, messages) = (scratch.path("film.mkv"), scratch.path("pipe"), scratch.path("messages"))
    let source = ["-f", "lavfi", "-i", "testsrc2=size=64x48:duration=0.4"]
    try Tool.ffmpeg.run(source + source + ["-map", "0:v", "-map", "1:v", "-y", film])
    for options in ["--map 0:v:1", "--max-cll measure --to hdr10"] {
      let status = try Command.shell(
        "rm -f '\(pipe)'; mkfifo '\(pipe)'; { cat '\(film)' >'\(pipe)' & } 2>/dev/null; timeout -s KILL 60 "
          + "'\(Command.url.path)' transcode '\(pipe)' -o '\(pipe).mkv' \(options) 2>'\(messages)'; status=$?; "
          + "kill $! 2>/dev/null; exit $status")
      #expect(status == 2)
      #expect(try String(contentsOfFile: messages, encoding: .utf8).contains("pipe"))
    }
  }

  /// Font files that are invalid.
  @Test func fontsThatWouldWait() throws {
    let scratch = try Scratch()
    let pipe = scratch.path("pipe")
    for font in [pipe, scratch.folder.path, "/dev/zero"] {
      let status = try Command.shell(
        "mkfifo '\(pipe)' 2>/dev/null; HEADROOM_FONT='\(font)' timeout -s KILL 60 '\(Command.url.path)' pattern ramp "
          + "-o '\(scratch.path("out.png"))' --overwrite 2>'\(pipe).messages'")
      let messages = try String(contentsOfFile: pipe + ".messages", encoding: .utf8)
      #expect(status == 0 || status == 1, "\(messages)")
      #expect(messages.contains(font), "\(messages)")
    }
  }
}
