import BatchTranscode
import FFmpegIO
import Foundation
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Which files become films, and what their outputs are called. No file is opened.
@Suite struct LibraryPlanTests {
  /// A folder of empty files.
  private func folder(_ names: [String]) throws -> Scratch {
    let scratch = try Scratch()
    for name in names {
      let url = scratch.folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(name.utf8).write(to: url)
    }
    return scratch
  }

  private func request(_ scratch: Scratch, _ inputs: [String], to output: String = "out") -> LibraryRequest {
    LibraryRequest(
      inputs.map(scratch.path), folder: scratch.path(output), transcode: TranscodeRequest(input: "", output: nil))
  }

  private func plan(_ request: LibraryRequest) throws -> [String] {
    let plan = try Session().plan(request)
    return plan.films.map { "\($0.name) > \($0.output.dropFirst(request.folder.count + 1))" }
  }

  @Test func aFolderIsSearched() throws {
    let scratch = try folder([
      "in/b.MKV", "in/a 10.mp4", "in/a 2.mov", "in/deep/er/c.m2ts", "in/notes.txt", "in/cover.jpg", "in/.hidden.mkv",
      "in/d.partial.mkv", "in/d.partial-2.mkv", "in/e.webm", "in/music.flac", "in/film.partial.parts.mkv",
    ])
    #expect(
      try plan(request(scratch, ["in"])) == [
        "a 2.mov > a 2.mov", "a 10.mp4 > a 10.mp4", "b.MKV > b.MKV", "deep/er/c.m2ts > deep/er/c.m2ts",
        "e.webm > e.mkv", "film.partial.parts.mkv > film.partial.parts.mkv",
      ])
  }

  @Test func suffixesAreTheContainers() throws {
    let scratch = try folder(["in/a.mp4", "b.raw", "c"])
    var request = request(scratch, ["in", "b.raw", "c"])
    request.suffix = "mp4"
    #expect(try plan(request) == ["a.mp4 > a.mp4", "b.raw > b.mp4", "c > c.mp4"])
    let cases: [(suffix: String, code: Message.Code, part: String)] = [
      ("", "invalid-suffix", "''"), ("a/b", "invalid-suffix", "'a/b'"), ("png", "films-cannot-be-pictures", "(.png)"),
    ]
    for (suffix, code, part) in cases {
      request.suffix = suffix
      expectRefusal(code, part) { try $0.plan(request) }
    }
  }

  /// A container that is named chooses the suffix, and contradicts that of another; a suffix of none is the user's own.
  @Test func containersHaveSuffixes() throws {
    let scratch = try folder(["a.mp4"])
    var request = request(scratch, ["a.mp4"])
    request.transcode.coding.format = "matroska"
    #expect(try plan(request) == ["a.mp4 > a.mkv"])
    request.suffix = "film"
    #expect(try plan(request) == ["a.mp4 > a.film"])
    request.suffix = "mov"
    expectRefusal("suffix-of-other-container", "suffix mov is", "format matroska") { try $0.plan(request) }
    (request.suffix, request.transcode.coding.format) = (nil, "framemd5")
    expectRefusal("container-without-suffix", "format framemd5 has") { try $0.plan(request) }
    // One for all films.
    (request.suffix, request.transcode.coding.format) = ("xyz", nil)
    #expect(throws: FFmpegError.unknownFormat(name: "film.xyz")) { try Session().plan(request) }
    (request.suffix, request.transcode.coding.encoder) = (nil, "nosuch")
    #expect(throws: FFmpegError.self) { try Session().plan(request) }
  }

  /// Films that are named are converted whatever they are, others if they are HDR; a film that is named twice is one.
  @Test func namedFilesAreSaidToBeNamed() throws {
    let scratch = try folder(["in/a.mkv", "in/b.mkv"])
    let plan = try Session().plan(request(scratch, ["in/b.mkv", "in", "in/b.mkv"]))
    #expect(plan.films.map(\.isNamed) == [true, false])
    #expect(plan.films.map(\.name) == ["b.mkv", "a.mkv"])
  }

  /// The outputs of an earlier run are no inputs of the next.
  @Test func theOutputFolderIsLeftOut() throws {
    let scratch = try folder(["in/a.mkv", "in/out/a.mkv", "in/out/deep/b.mkv", "in/b.mp4"])
    var request = request(scratch, ["in"], to: "in/out")
    expectRefusal("film-outputs-exist", "'\(scratch.path("in/out/a.mkv"))' already exists", kind: .failed) {
      try $0.plan(request)
    }
    request.skipsExisting = true
    let plan = try Session().plan(request)
    #expect(plan.films.map(\.name) == ["b.mp4"] && plan.existing.map(\.name) == ["a.mkv"])
    #expect(plan.leftOut == [scratch.path("in/out")])
    try expectNote("output-folder-skipped", "'\(scratch.path("in/out"))'") { try $0.plan(request) }
    request.folder = scratch.path("in")
    expectRefusal("input-is-output-folder", "'\(scratch.path("in"))'") { try $0.plan(request) }
  }

  @Test func outputsThatExistAreCounted() throws {
    let scratch = try folder(["in/a.mkv", "in/b.mkv", "in/c.mkv", "out/a.mkv", "out/b.mkv", "out/c.mkv"])
    let first = scratch.path("out/a.mkv")
    expectRefusal("film-outputs-exist", "'\(first)' and 2 more of the outputs", "skipExisting", kind: .failed) {
      try $0.plan(request(scratch, ["in"]))
    }
  }

  @Test func noOutputIsWrittenTwice() throws {
    let scratch = try folder(["in/a.mp4", "in/a.mkv", "other/A.mkv", "one/x.mkv", "two/x.mkv"])
    var one = request(scratch, ["in"])
    one.suffix = "mkv"
    /// With what follows the output's name.
    func text(_ one: String, _ other: String, _ output: String, _ end: String) -> String {
      "'\(scratch.path(one))' and '\(scratch.path(other))' would both become '\(scratch.path(output))'\(end)"
    }
    expectRefusal("one-output-of-two-films", text("in/a.mkv", "in/a.mp4", "out/a.mkv", ": rename")) {
      try $0.plan(one)
    }
    let byCase = ", but for upper and lower case"
    expectRefusal("one-output-of-two-films", text("in/a.mkv", "other/A.mkv", "out/A.mkv", byCase)) {
      try $0.plan(request(scratch, ["in", "other"]))
    }
    expectRefusal("one-output-of-two-films", text("one/x.mkv", "two/x.mkv", "out/x.mkv", ": rename")) {
      try $0.plan(request(scratch, ["one", "two"]))
    }
  }

  /// Whatever the folder is called: links lead to the same files.
  @Test func noInputIsReplaced() throws {
    let scratch = try folder(["in/a.mkv"])
    try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: scratch.path("in"))
    var request = request(scratch, ["in/a.mkv"], to: "link")
    request.transcode.overwrites = true
    let (input, output) = (scratch.path("in/a.mkv"), scratch.path("link/a.mkv"))
    expectRefusal("film-would-be-replaced", "output '\(output)' would replace the input '\(input)'") {
      try $0.plan(request)
    }
    request.inputs = [scratch.path("in")]
    expectRefusal("input-is-output-folder", "'\(scratch.path("in"))'") { try $0.plan(request) }
  }

  /// What is searched is the folder that was named, wherever a link in it leads.
  @Test func linksOutOfTheFolderAreNotFollowed() throws {
    let scratch = try folder(["in/a.mkv", "in/deep/b.mkv", "in-other/c.mkv"])
    for (name, target) in [("in/away", "../in-other"), ("in/deep/up", "../.."), ("in/link.mkv", "../in-other/c.mkv")] {
      try FileManager.default.createSymbolicLink(atPath: scratch.path(name), withDestinationPath: target)
    }
    try FileManager.default.createSymbolicLink(atPath: scratch.path("root"), withDestinationPath: "in")
    let expected = ["a.mkv > a.mkv", "deep/b.mkv > deep/b.mkv", "link.mkv > link.mkv"]
    #expect(try plan(request(scratch, ["in"])) == expected)
    // One that is named is followed.
    #expect(try plan(request(scratch, ["root"])) == expected)
    try expectWarning("outside-folder-skipped", "'\(scratch.path("in/away"))'") {
      try $0.plan(request(scratch, ["in"]))
    }
  }

  @Test func linksInCirclesEnd() throws {
    let scratch = try folder(["in/a.mkv", "in/deep/b.mkv"])
    try FileManager.default.createSymbolicLink(atPath: scratch.path("in/deep/up"), withDestinationPath: "..")
    try FileManager.default.createSymbolicLink(atPath: scratch.path("in/lost.mkv"), withDestinationPath: "nothing")
    // A film that is gone is one that fails.
    #expect(
      try plan(request(scratch, ["in"])) == ["a.mkv > a.mkv", "deep/b.mkv > deep/b.mkv", "lost.mkv > lost.mkv"])
  }

  @Test func whatCannotBeIsRefused() throws {
    let scratch = try folder(["in/notes.txt", "a.mkv", "file"])
    unsafe mkfifo(scratch.path("pipe"), 0o600)
    let cases: [(String, Message.Code, FailureKind)] = [
      ("none", "no-such-film", .failed), ("pipe", "neither-file-nor-folder", .invalidRequest),
      ("in", "no-films", .failed),
    ]
    for (input, code, kind) in cases {
      expectRefusal(code, "'\(scratch.path(input))'", kind: kind) { try $0.plan(self.request(scratch, [input])) }
    }
    var request = self.request(scratch, ["a.mkv"], to: "file")
    expectRefusal("output-folder-needed", "'\(scratch.path("file"))' is not a folder") { try $0.plan(request) }
    request.folder = scratch.path("joined.mkv")
    expectRefusal("output-folder-needed", "'\(scratch.path("joined.mkv"))' is not a folder") {
      try $0.plan(request)
    }
    request.folder = "-"
    expectRefusal("output-folder-needed", "destination FOLDER/") { try $0.plan(request) }
    request.folder = scratch.path("out")
    request.inputs.append("-")
    expectRefusal("neither-file-nor-folder", "'-'") { try $0.plan(request) }
    request.inputs.removeLast()
    request.transcode.statistics = "s.json"
    expectRefusal("for-single-film", "statistics is") { try $0.plan(request) }
    request.transcode.statistics = nil
    request.jobs = 0
    expectRefusal(.outOfRange(.jobs, "0", "1", "64")) { try $0.plan(request) }
  }
}
