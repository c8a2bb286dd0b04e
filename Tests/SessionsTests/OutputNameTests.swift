import Foundation
import Frames
import ImageFiles
import Media
import TestSupport
import Testing

import Sessions

/// Diagnostics about output names, before anything is written.
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
      expectRefusal(.output(.isInput(name: input))) {
        try $0.plan(Self.transcode(input, input) { $0.overwrites = overwrites })
      }
      let pattern = scratch.path("f%03d.png")
      expectRefusal(.output(.inputIsAmong(input: input, name: pattern))) {
        try $0.plan(Self.pictures(input, pattern) { $0.overwrites = overwrites })
      }
      let beside = scratch.path("beside.json")
      for change: (inout TranscodeRequest) -> Void in [
        { $0.mapping.displayFile = beside }, { $0.metadata.inputLight = .file(beside) },
      ] {
        expectRefusal(.output(.isInput(name: beside))) {
          try $0.plan(
            Self.transcode(input, beside) {
              $0.overwrites = overwrites
              change(&$0)
            })
        }
      }
      expectRefusal(.output(.isInput(name: beside))) {
        try $0.plan(
          Self.pictures(input, beside) { ($0.overwrites, $0.mapping.displayFile) = (overwrites, beside) })
      }
      expectRefusal(.output(.replacesInput(name: pattern, input: pattern))) {
        try $0.plan(Self.pictures(pattern, pattern) { $0.overwrites = overwrites })
      }
    }
  }

  @Test func nothingIsReplacedUnasked() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.mkv")
    expectRefusal(.output(.exists(name: file)), .failed) { try $0.plan(Self.transcode(Sample.hdr10, file)) }
    _ = try scratch.file("f005.png")
    expectRefusal(.output(.existsInFolder(file: "f005.png", folder: scratch.folder.path)), .failed) {
      try $0.plan(Self.pictures(Sample.hdr10, scratch.path("f%03d.png")))
    }
    let folder = scratch.path("folder.mkv")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    expectRefusal(.output(.isFolder(name: folder))) {
      try $0.plan(Self.transcode(Sample.hdr10, folder) { $0.overwrites = true })
    }
  }

  @Test func everyFileHasANameOfItsOwn() throws {
    let scratch = try Scratch()
    let output = scratch.path("a.mkv")
    expectRefusal(.output(.sameFile(.report, .output))) {
      try $0.plan(Self.transcode(Sample.hdr10, output) { $0.report = output })
    }
    expectRefusal(.output(.sameFile(.statistics, .output))) {
      try $0.plan(Self.transcode(Sample.hdr10, output) { $0.statistics = scratch.path("./a.mkv") })
    }
    expectRefusal(.output(.sameFile(.statistics, .report))) {
      try $0.plan(Self.transcode(Sample.hdr10, output) { ($0.report, $0.statistics) = ("-", "-") })
    }
    var scopes = ScopesRequest(input: Sample.hdr10, output: output)
    scopes.data = output
    expectRefusal(.output(.sameFile(.data, .output))) { try $0.plan(scopes) }
    expectRefusal(.output(.isAmongPictures(.statistics))) {
      try $0.plan(
        Self.pictures(Sample.hdr10, scratch.path("f%03d.png")) { $0.statistics = scratch.path("f007.png") })
    }
  }

  @Test func filesHaveNames() throws {
    let scratch = try Scratch()
    expectRefusal(.output(.hasNoName(.statistics))) {
      try $0.plan(Self.transcode(Sample.hdr10, scratch.path("a.mkv")) { $0.statistics = "" })
    }
    expectRefusal(.output(.hasNoName(.data))) {
      var scopes = ScopesRequest(input: Sample.hdr10, output: scratch.path("a.mkv"))
      scopes.data = ""
      return try $0.plan(scopes)
    }
    // Without a name nothing is kept, which most containers cannot do.
    for format in [nil, "mp4"] {
      expectRefusal(.output(.hasNoName(.output))) {
        try $0.plan(Self.transcode(Sample.hdr10, nil) { $0.coding.format = format })
      }
      expectRefusal(.output(.hasNoName(.output))) {
        var scopes = ScopesRequest(input: Sample.hdr10, output: nil)
        scopes.coding.format = format
        return try $0.plan(scopes)
      }
    }
    expectRefusal(.output(.isNoFile(name: "http://localhost/a.cube"))) {
      try $0.outputFiles(["http://localhost/a.cube"], reading: [], overwrites: false)
    }
  }

  @Test(arguments: [
    ("f%d-%d.png", OutputDiagnostic.PatternFault.manyNumbers), ("f%x.png", .unknownField("%x")),
    ("f%0999d.png", .tooManyDigits(999)), ("%d/f.png", .numberedFolder),
  ])
  func patternsOfNames(_ name: String, _ fault: OutputDiagnostic.PatternFault) throws {
    let scratch = try Scratch()
    let output = scratch.path(name)
    expectRefusal(.output(.invalidPattern(name: output, fault))) { try $0.plan(Self.pictures(Sample.hdr10, output)) }
  }

  @Test func foldersOfReports() throws {
    let scratch = try Scratch()
    func refuse(_ diagnostic: Diagnostic, _ kind: FailureKind, _ folder: String) {
      expectRefusal(diagnostic, kind) {
        try $0.run(VerifyRequest(input: Sample.hdr10, pattern: "ramp"), report: folder)
      }
    }
    let file = try scratch.file("file")
    refuse(.output(.isNoFolder(name: file)), .invalidRequest, file)
    refuse(.output(.parentIsMissing(folder: scratch.path("none"))), .failed, scratch.path("none/report"))
    // Nobody may write there, whoever runs the tests.
    refuse(.output(.folderIsNotWritable(name: "/proc/self")), .failed, "/proc/self")
    let page = scratch.path("index.html")
    _ = try scratch.file("index.html")
    refuse(.output(.exists(name: page)), .failed, scratch.folder.path)
  }
}
