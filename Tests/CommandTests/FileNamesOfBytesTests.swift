import Foundation
import TestSupport
import Testing

/// File names are bytes: output is written under exactly the given name.
@Suite struct FileNamesOfBytesTests {
  /// "café" in Latin-1, which is not valid UTF-8.
  private static let word = "caf\\351"

  /// Runs a line of the shell with `h` the program, `n` a name that is no UTF-8, in the scratch folder.
  private func run(_ line: String, _ scratch: Scratch) throws -> Int32 {
    try Command.shell(
      "cd '\(scratch.folder.path)'; export LC_ALL=C; h='\(Command.url.path)'; n=$(printf '\(Self.word)'); \(line)")
  }

  /// The names in the folder, byte by byte in hexadecimal.
  private func names(_ scratch: Scratch) throws -> Set<String> {
    #expect(
      try run(
        "for f in *; do printf %s \"$f\" | od -An -tx1 | tr -d ' \\n'; echo; done > ../$$.l; mv ../$$.l list", scratch)
        == 0)
    let list = try String(contentsOfFile: scratch.path("list"), encoding: .utf8)
    try FileManager.default.removeItem(atPath: scratch.path("list"))
    return Set(list.split(separator: "\n").map(String.init))
  }

  private func hex(_ suffix: String) -> String {
    (Array("caf".utf8) + [0xE9] + Array(suffix.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined()
  }

  @Test func everyVerb() throws {
    let scratch = try Scratch()
    _ = try scratch.clip(
      "in.mkv", frames: 3,
      ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-color_trc", "smpte2084"])
    let lines = [
      "$h transcode in.mkv -o \"$n.mkv\" --preset ultrafast --report \"$n.rep\" --stats \"$n.stats\" -q",
      "$h transcode in.mkv -o \"$n.mp4\" --preset ultrafast -q",
      "$h dump in.mkv -o \"$n-%02d.png\" --frames 0-1 -q",
      "$h dump in.mkv -o \"$n.raw\" -f rgbah --frames 0-0 -q || $h dump in.mkv -o \"$n.exr\" --frames 0-0 -q",
      "$h measure in.mkv -o \"$n.json\" -q",
      "$h lut -o \"$n.cube\" --input-transfer pq -q",
      "$h pattern steps -o \"$n.tiff\" --size 192x108 -q",
      "$h scopes in.mkv -o \"$n.avif\" --at 0 --data \"$n.data\" -q || $h scopes in.mkv -o \"$n.jxl\" --at 0 -q",
      // What was written is read again.
      "$h probe \"$n.mkv\" >/dev/null && $h probe \"$n.tiff\" >/dev/null && $h probe \"$n-00.png\" >/dev/null",
      "$h transcode \"$n.mkv\" -o two.mkv --preset ultrafast --measured \"$n.json\" -q 2>/dev/null || true",
      "$h measure \"$n.mp4\" -q >/dev/null",
      "$h transcode \"$n.mkv\" -o \"$n.y4m\" --dry-run --json -q 2>/dev/null > plan && $h run plan -q",
      "$h verify \"$n.tiff\" --pattern steps --page \"$n.d\" -q >/dev/null; test $? = 0 -o $? = 3",
    ]
    for line in lines { #expect(try run(line, scratch) == 0, "\(line)") }
    let names = try names(scratch)
    for suffix in [".mkv", ".rep", ".stats", ".mp4", "-00.png", "-01.png", ".json", ".cube", ".tiff", ".d", ".y4m"] {
      #expect(names.contains(hex(suffix)), "\(suffix)")
    }
    // Nothing under a repaired name: the replacement character is EF BF BD.
    #expect(!names.contains { $0.contains("efbfbd") })
    #expect(!names.contains { $0.contains("f48f") })
  }

  /// It exists under its own name, and is said to.
  @Test func anExistingOneIsFound() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("in.mkv", frames: 2, ["-c:v", "ffv1"])
    #expect(try run("echo mine > \"$n.mkv\"", scratch) == 0)
    #expect(try run("$h transcode in.mkv -o \"$n.mkv\" -q 2>messages", scratch) == 1)
    let messages = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path("messages"))))
    #expect(Data(messages).range(of: Data(Array("'caf".utf8) + [0xE9] + Array(".mkv' already exists".utf8))) != nil)
    #expect(try run("test \"$(cat \"$n.mkv\")\" = mine", scratch) == 0)
    #expect(
      try run("cp in.mkv \"$n.mkv\"; $h transcode \"$n.mkv\" -o \"./$n.mkv\" --overwrite -q 2>/dev/null", scratch) == 2)
  }

  /// An existing file whose name looks like a pattern is that file.
  @Test(arguments: ["100%d.png", "x%03d.png"])
  func aFileIsNoPattern(_ name: String) throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", frames: 2, ["-c:v", "ffv1"])
    try Data("mine".utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
    let arguments = ["dump", input, "-o", scratch.path(name), "--frames", "0-0", "-q"]
    let refused = try Command.run(arguments)
    #expect(refused.status == 1 && refused.messages.contains("already exists"), "\(refused.messages)")
    #expect(Set(scratch.contents) == ["in.mkv", name])
    let replaced = try Command.run(arguments + ["--overwrite"])
    #expect(replaced.status == 0, "\(replaced.messages)")
    #expect(Set(scratch.contents) == ["in.mkv", name])
    #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
  }

  /// A film has one name, whatever signs are in it.
  @Test(arguments: ["100%.mp4", "a%d.mkv", "%03d.mov", "%.nut"])
  func aFilmHasOneName(_ name: String) throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", frames: 2, ["-c:v", "ffv1"])
    let result = try Command.run(["transcode", input, "-o", scratch.path(name), "-c:v", "libx264", "-q"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(Set(scratch.contents) == ["in.mkv", name])
  }
}
