import Files
import Foundation
import TestSupport
import Testing

/// A file is there as a whole, or not at all.
@Suite struct DurableFileTests {
  @Test func bytesGetTheirName() throws {
    let scratch = try Scratch()
    let path = scratch.path("plan.json")
    for text in ["first", "second"] {
      try DurableFile.replace(path, Array(text.utf8))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      #expect(scratch.contents == ["plan.json"])
    }
  }

  /// No file takes the name of a folder.
  @Test func nothingIsLeftOfAFileThatFails() throws {
    let scratch = try Scratch()
    let path = scratch.path("folder")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let failure = #expect(throws: DurableFile.Failure.self) { try DurableFile.replace(path, [1, 2, 3]) }
    #expect(failure?.step == .rename)
    #expect(scratch.contents == ["folder"])
  }

  /// What exists is not overwritten by a file that must be new.
  @Test func aTakenNameIsRefused() throws {
    let scratch = try Scratch()
    let path = scratch.path("claim")
    try DurableFile.replace(path, Array("mine".utf8))
    let failure = #expect(throws: DurableFile.Failure.self) { try DurableFile.create(path, Array("yours".utf8)) }
    #expect(failure == DurableFile.Failure(.create, EEXIST))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }
}
