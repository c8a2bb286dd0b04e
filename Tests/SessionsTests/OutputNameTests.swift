import Displays
import Foundation
import Frames
import ImageFiles
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Messages about output names, before anything is written.
@Suite struct OutputNameTests {
  private static func transcode(
    _ input: String, _ output: String?, _ change: (inout TranscodeRequest) -> Void = { _ in }
  ) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: output)
    change(&request)
    return request
  }

  private static func pictures(
    _ input: String, _ output: String, _ change: (inout PictureRequest) -> Void = { _ in }
  ) -> PictureRequest {
    var request = PictureRequest(input: input, output: output, format: .png)
    change(&request)
    return request
  }

  @Test func inputsAreNotReplaced() throws {
    let scratch = try Scratch()
    let input = try scratch.file("f001.png")
    for overwrites in [false, true] {
      expectRefusal("output-is-input", "'\(input)' is an input") {
        try $0.plan(Self.transcode(input, input) { $0.overwrites = overwrites })
      }
      let pattern = scratch.path("f%03d.png")
      expectRefusal("input-among-outputs", "input '\(input)'", "files of '\(pattern)'") {
        try $0.plan(Self.pictures(input, pattern) { $0.overwrites = overwrites })
      }
      let beside = scratch.path("beside.json")
      for change: (inout TranscodeRequest) -> Void in [
        { $0.mapping.displaySource = .file(path: beside) }, { $0.metadata.inputLight = .file(beside) },
      ] {
        expectRefusal("output-is-input", "'\(beside)' is an input") {
          try $0.plan(
            Self.transcode(input, beside) {
              $0.overwrites = overwrites
              change(&$0)
            })
        }
      }
      expectRefusal("output-is-input", "'\(beside)' is an input") {
        try $0.plan(
          Self.pictures(input, beside) { ($0.overwrites, $0.mapping.displaySource) = (overwrites, .file(path: beside)) }
        )
      }
      expectRefusal("replaces-input-files", "'\(pattern)' would", "input '\(pattern)'") {
        try $0.plan(Self.pictures(pattern, pattern) { $0.overwrites = overwrites })
      }
    }
  }

  @Test func nothingIsReplacedUnasked() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.mkv")
    expectRefusal("output-exists", "'\(file)' already", kind: .failed) {
      try $0.plan(Self.transcode(Sample.hdr10, file))
    }
    _ = try scratch.file("f005.png")
    expectRefusal("output-files-exist", "'f005.png' already exists in '\(scratch.folder.path)'", kind: .failed) {
      try $0.plan(Self.pictures(Sample.hdr10, scratch.path("f%03d.png")))
    }
    let folder = scratch.path("folder.mkv")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    expectRefusal("output-is-folder", "'\(folder)' is") {
      try $0.plan(Self.transcode(Sample.hdr10, folder) { $0.overwrites = true })
    }
  }

  @Test func everyFileHasANameOfItsOwn() throws {
    let scratch = try Scratch()
    let output = scratch.path("a.mkv")
    expectRefusal("same-file", "report and output name") {
      try $0.plan(Self.transcode(Sample.hdr10, output) { $0.report = output })
    }
    expectRefusal("same-file", "statistics and output name") {
      try $0.plan(Self.transcode(Sample.hdr10, output) { $0.statistics = scratch.path("./a.mkv") })
    }
    expectRefusal("same-file", "statistics and report name") {
      try $0.plan(Self.transcode(Sample.hdr10, output) { ($0.report, $0.statistics) = ("-", "-") })
    }
    var scopes = ScopesRequest(input: Sample.hdr10, output: output)
    scopes.data = output
    expectRefusal("same-file", "data and output name") { try $0.plan(scopes) }
    expectRefusal("file-among-pictures", "statistics names") {
      try $0.plan(
        Self.pictures(Sample.hdr10, scratch.path("f%03d.png")) { $0.statistics = scratch.path("f007.png") })
    }
  }

  @Test func filesHaveNames() throws {
    let scratch = try Scratch()
    expectRefusal("no-file-name", "statistics takes") {
      try $0.plan(Self.transcode(Sample.hdr10, scratch.path("a.mkv")) { $0.statistics = "" })
    }
    expectRefusal("no-file-name", "data takes") {
      var scopes = ScopesRequest(input: Sample.hdr10, output: scratch.path("a.mkv"))
      scopes.data = ""
      return try $0.plan(scopes)
    }
    // Without a name nothing is kept, which most containers cannot do.
    for format in [nil, "mp4"] {
      expectRefusal("no-output", "destination FILE") {
        try $0.plan(Self.transcode(Sample.hdr10, nil) { $0.coding.format = format })
      }
      expectRefusal("no-output", "destination FILE") {
        var scopes = ScopesRequest(input: Sample.hdr10, output: nil)
        scopes.coding.format = format
        return try $0.plan(scopes)
      }
    }
    expectRefusal("not-a-file", "'http://localhost/a.cube'") {
      try $0.outputFiles(["http://localhost/a.cube"], reading: [], overwrites: false)
    }
  }

  private static let patterns: [(String, Message.Code, String)] = [
    ("f%d-%d.png", "many-numbers-in-file-name", "two places"),
    ("f%x.png", "unknown-field-in-file-name", "'%x' in "),
    ("f%0999d.png", "too-many-digits-in-file-name", "asks for 999 digits"),
    ("%d/f.png", "number-in-folder-name", "name of a folder"),
  ]

  @Test(arguments: patterns)
  func patternsOfNames(_ name: String, _ code: Message.Code, _ part: String) throws {
    let scratch = try Scratch()
    let output = scratch.path(name)
    expectRefusal(code, "'\(output)'", part) { try $0.plan(Self.pictures(Sample.hdr10, output)) }
  }

  @Test func foldersOfReports() throws {
    let scratch = try Scratch()
    func refuse(_ code: Message.Code, _ name: String, _ kind: FailureKind, _ folder: String) {
      expectRefusal(code, "'\(name)'", kind: kind) {
        try $0.run(VerifyRequest(input: Sample.hdr10, pattern: "ramp"), report: folder)
      }
    }
    let file = try scratch.file("file")
    refuse("report-not-a-folder", file, .invalidRequest, file)
    refuse("no-parent-folder", scratch.path("none"), .failed, scratch.path("none/report"))
    // Nobody may write there, whoever runs the tests.
    refuse("folder-not-writable", "/proc/self", .failed, "/proc/self")
    let page = scratch.path("index.html")
    _ = try scratch.file("index.html")
    refuse("output-exists", page, .failed, scratch.folder.path)
  }
}
