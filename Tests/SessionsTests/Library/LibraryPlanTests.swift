import FFmpegIO
import Foundation
import Media
import TestSupport
import Testing

import Sessions

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
    for (suffix, diagnostic) in [
      ("", Diagnostic.library(.isNoSuffix(""))), ("a/b", .library(.isNoSuffix("a/b"))),
      ("png", .library(.isOfPictures(suffix: "png"))),
    ] {
      request.suffix = suffix
      expectRefusal(diagnostic) { try $0.plan(request) }
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
    expectRefusal(.library(.suffixIsOfAnother(suffix: "mov", format: "matroska"))) { try $0.plan(request) }
    (request.suffix, request.transcode.coding.format) = (nil, "framemd5")
    expectRefusal(.library(.hasNoSuffix(format: "framemd5"))) { try $0.plan(request) }
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
    expectRefusal(.library(.outputsExist(name: scratch.path("in/out/a.mkv"), count: 1)), .failed) {
      try $0.plan(request)
    }
    request.skipsExisting = true
    let plan = try Session().plan(request)
    #expect(plan.films.map(\.name) == ["b.mp4"] && plan.existing.map(\.name) == ["a.mkv"])
    #expect(plan.leftOut == [scratch.path("in/out")])
    try expectNote(.library(.leavesOut(folder: scratch.path("in/out")))) { try $0.plan(request) }
    request.folder = scratch.path("in")
    expectRefusal(.library(.isOutputFolder(name: scratch.path("in")))) { try $0.plan(request) }
  }

  @Test func noOutputIsWrittenTwice() throws {
    let scratch = try folder(["in/a.mp4", "in/a.mkv", "other/A.mkv", "one/x.mkv", "two/x.mkv"])
    var one = request(scratch, ["in"])
    one.suffix = "mkv"
    expectRefusal(
      .library(
        .haveOneOutput(
          scratch.path("in/a.mkv"), scratch.path("in/a.mp4"), output: scratch.path("out/a.mkv"), differByCase: false))
    ) { try $0.plan(one) }
    expectRefusal(
      .library(
        .haveOneOutput(
          scratch.path("in/a.mkv"), scratch.path("other/A.mkv"), output: scratch.path("out/A.mkv"), differByCase: true))
    ) { try $0.plan(request(scratch, ["in", "other"])) }
    expectRefusal(
      .library(
        .haveOneOutput(
          scratch.path("one/x.mkv"), scratch.path("two/x.mkv"), output: scratch.path("out/x.mkv"), differByCase: false))
    ) { try $0.plan(request(scratch, ["one", "two"])) }
  }

  /// Whatever the folder is called: links lead to the same files.
  @Test func noInputIsReplaced() throws {
    let scratch = try folder(["in/a.mkv"])
    try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: scratch.path("in"))
    var request = request(scratch, ["in/a.mkv"], to: "link")
    request.transcode.overwrites = true
    expectRefusal(
      .library(.wouldReplaceInput(input: scratch.path("in/a.mkv"), output: scratch.path("link/a.mkv")))
    ) { try $0.plan(request) }
    request.inputs = [scratch.path("in")]
    expectRefusal(.library(.isOutputFolder(name: scratch.path("in")))) { try $0.plan(request) }
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
    try expectWarning(.library(.leadsElsewhere(folder: scratch.path("in/away")))) {
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
    let cases: [([String], Diagnostic, FailureKind)] = [
      (["none"], .library(.isMissing(name: scratch.path("none"))), .failed),
      (["pipe"], .library(.isNoFile(name: scratch.path("pipe"))), .invalidRequest),
      (["in"], .library(.hasNoFilm(inputs: [scratch.path("in")])), .failed),
    ]
    for (inputs, diagnostic, kind) in cases {
      expectRefusal(diagnostic, kind) { try $0.plan(self.request(scratch, inputs)) }
    }
    var request = self.request(scratch, ["a.mkv"], to: "file")
    expectRefusal(.library(.needsFolder(name: scratch.path("file")))) { try $0.plan(request) }
    request.folder = scratch.path("joined.mkv")
    expectRefusal(.library(.needsFolder(name: scratch.path("joined.mkv")))) { try $0.plan(request) }
    request.folder = "-"
    expectRefusal(.library(.needsFolder(name: "-"))) { try $0.plan(request) }
    request.folder = scratch.path("out")
    request.inputs.append("-")
    expectRefusal(.library(.isNoFile(name: "-"))) { try $0.plan(request) }
    request.inputs.removeLast()
    request.transcode.statistics = "s.json"
    expectRefusal(.library(.isOfOneFilm(.statistics))) { try $0.plan(request) }
    request.transcode.statistics = nil
    request.jobs = 0
    expectRefusal(.outOfRange(.jobs, "0", "1", "64")) { try $0.plan(request) }
  }
}
