import Foundation
import TestSupport
import Testing

import Media

/// Files appear under their names when they are whole.
@Suite struct OutputFileTests {
  @Test func appearsWhenItIsWhole() throws {
    let scratch = try Scratch()
    let file = try OpenOutputFile(scratch.path("a.txt"), replaces: false)
    try file.write(line: "one")
    #expect(scratch.contents.count == 1 && !scratch.contents.contains("a.txt"))
    try file.write(line: "two")
    try file.commit()
    #expect(scratch.contents == ["a.txt"])
    #expect(try String(contentsOfFile: scratch.path("a.txt"), encoding: .utf8) == "one\ntwo\n")
    #expect(throws: OutputError.closed(path: scratch.path("a.txt"))) { try file.write(line: "three") }
  }

  @Test func nothingIsLeftOfWhatIsDiscarded() throws {
    let scratch = try Scratch()
    let file = try OpenOutputFile(scratch.path("a.txt"), replaces: false)
    try file.write(line: "one")
    file.discard()
    #expect(scratch.contents.isEmpty)
    #expect(throws: OutputError.self) { try file.commit() }
  }

  /// What has come into being under the name meanwhile stays.
  @Test func anotherFileStays() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.txt")
    let file = try OpenOutputFile(path, replaces: false)
    try file.write(line: "ours")
    try Data("theirs".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: OutputError.exists(path: path)) { try file.commit() }
    #expect(scratch.contents == ["a.txt"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "theirs")
    try OutputFile(path, replaces: true).write("replaced")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "replaced")
  }

  @Test func whatCannotBeMadeIsSaidBefore() throws {
    let scratch = try Scratch()
    #expect(throws: OutputError.missingFolder(path: scratch.path("none"))) {
      try OutputFile(scratch.path("none/a.txt"), replaces: true)
    }
    let error = #expect(throws: OutputError.self) {
      try OutputFile(scratch.path(String(repeating: "a", count: 300)), replaces: true)
    }
    #expect(error?.kind == .failed)
  }
}
