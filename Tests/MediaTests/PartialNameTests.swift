import Foundation
import TestSupport
import Testing

import Media

/// Names of outputs that were stopped before their end.
@Suite struct PartialNameTests {
  @Test(arguments: [
    ("a/film.mkv", "a/film.partial.mkv"), ("film", "film.partial"), (".film", ".film.partial"),
    ("a.b.mp4", "a.b.partial.mp4"),
  ])
  func keepsTheSuffix(_ name: String, _ expected: String) {
    let whole = PartialName(of: name).path().replacing("./", with: "")
    #expect(whole == expected)
    #expect(PartialName.isOne(whole) && !PartialName.isOne(name))
  }

  @Test func aLongNameIsCut() throws {
    let scratch = try Scratch()
    let name = String(repeating: "ä", count: 125) + ".mkv"
    let file = try OutputFile(scratch.path(name), replaces: false, reading: [])
    try file.begin()
    let partial = try #require(try file.commitPartial())
    #expect(partial.hasSuffix(".partial.mkv") && scratch.contents.count == 1)
  }

  /// A second one replaces the first, and the whole file both; a file that is somebody else's stays.
  @Test func onlyOwnFilesAreReplaced() throws {
    let scratch = try Scratch()
    func stop() throws -> String? {
      let file = try OutputFile(scratch.path("a.mkv"), replaces: false, reading: [])
      try file.begin()
      return try file.commitPartial()
    }
    #expect(try stop() == scratch.path("a.partial.mkv"))
    #expect(try stop() == scratch.path("a.partial.mkv"))
    try FileManager.default.removeItem(atPath: scratch.path("a.partial.mkv"))
    try Data("theirs".utf8).write(to: URL(fileURLWithPath: scratch.path("a.partial.mkv")))
    #expect(try stop() == scratch.path("a.partial-2.mkv"))
    #expect(try stop() == scratch.path("a.partial-2.mkv"))
    let whole = try OutputFile(scratch.path("a.mkv"), replaces: false, reading: [])
    try whole.begin()
    try whole.commit()
    #expect(Set(scratch.contents) == ["a.mkv", "a.partial.mkv"])
    #expect(try String(contentsOfFile: scratch.path("a.partial.mkv"), encoding: .utf8) == "theirs")
  }

  /// An input is never taken for what an earlier run has left, and a recording never replaces another.
  @Test func inputsAndRecordingsStay() throws {
    let scratch = try Scratch()
    let (output, partial) = (scratch.path("a.mkv"), scratch.path("a.partial.mkv"))
    func file(_ inputs: [String]?) throws -> OutputFile {
      let file = try OutputFile(output, replaces: true, reading: inputs)
      try file.begin()
      return file
    }
    #expect(try file([]).commitPartial() == partial)
    #expect(try file([partial]).commitPartial() == scratch.path("a.partial-2.mkv"))
    try file([partial]).commit()
    #expect(Set(scratch.contents) == ["a.mkv", "a.partial.mkv"])
    try file(nil).commit()
    #expect(Set(scratch.contents) == ["a.mkv", "a.partial.mkv"])
    #expect(try file(nil).keepPartial() == scratch.path("a.partial-2.mkv"))
    #expect(try file(nil).keepPartial() == scratch.path("a.partial-3.mkv"))
    try file([]).commit()
    #expect(Set(scratch.contents) == ["a.mkv", "a.partial-2.mkv", "a.partial-3.mkv"])
  }
}
