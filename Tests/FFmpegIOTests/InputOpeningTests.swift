import FFmpegIO
import Foundation
import TestSupport
import Testing

/// What file content alone may select.
@Suite struct InputOpeningTests {
  @Test(arguments: HostileFile.all.indices)
  func formatsThatNameOtherFiles(_ index: Int) throws {
    let hostile = HostileFile.all[index]
    let scratch = try Scratch()
    let path = try hostile.write(scratch, naming: scratch.path("named.ts"))
    let error = #expect(throws: FFmpegError.self) { try MediaReader(url: path) }
    guard let expected = hostile.format else { return }
    guard case .namesOtherFiles(path, let format, _) = error else {
      Issue.record("\(hostile): \(String(describing: error))")
      return
    }
    #expect(format == expected)
  }

  /// Plain text is not a video.
  @Test func text() throws {
    let scratch = try Scratch()
    for name in ["words", "words.txt", "words.mkv"] {
      let path = scratch.path(name)
      try Data(String(repeating: "There is nothing to see here.\n", count: 100).utf8).write(
        to: URL(fileURLWithPath: path))
      #expect(throws: FFmpegError.self) { try MediaReader.probe(url: path) }
    }
  }

  @Test func addresses() throws {
    let name = "http://127.0.0.1:9/film.mkv"
    #expect(throws: FFmpegError.addressNotAllowed(name: name, scheme: "http")) { try MediaReader(url: name) }
    // A file is a file, whatever its name looks like.
    let scratch = try Scratch()
    let path = try scratch.clip("film.mkv", frames: 2, ["-c:v", "ffv1"])
    for other in ["http:film.mkv", "12:30.mkv", "concat:a|b.mkv", "x%03d.mkv"] {
      try FileManager.default.copyItem(atPath: path, toPath: scratch.path(other))
      #expect(try MediaReader(url: scratch.path(other)).readFrame() != nil)
    }
    #expect(try MediaReader(url: "file://" + path).readFrame() != nil)
  }

  @Test func whatCanBeReadAgain() throws {
    let scratch = try Scratch()
    let pipe = scratch.path("pipe")
    unsafe mkfifo(pipe, 0o600)
    for name in ["-", "pipe:0", pipe, "/dev/null"] { #expect(!MediaReader.isRepeatable(url: name)) }
    for name in [scratch.folder.path, scratch.path("none")] { #expect(MediaReader.isRepeatable(url: name)) }
  }
}
