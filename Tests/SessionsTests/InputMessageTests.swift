import ColorScience
import Foundation
import Frames
import ImageFiles
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Messages about inputs and how they are read.
@Suite struct InputMessageTests {
  /// A transcode whose frames are thrown away.
  private static func discarding(
    _ input: String, _ change: (inout TranscodeRequest) -> Void = { _ in }
  ) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: nil)
    request.coding.format = "null"
    change(&request)
    return request
  }

  private static func picture(
    _ input: String, _ output: String, _ change: (inout PictureRequest) -> Void = { _ in }
  ) -> PictureRequest {
    var request = PictureRequest(input: input, output: output, format: .png)
    change(&request)
    return request
  }

  @Test func sentencesOfTheReader() throws {
    let scratch = try Scratch()
    let input = try scratch.made("a.png", frames: 1, ["-vf", "format=rgba,colorchannelmixer=aa=0.5"])
    try expectNote("input-note", "Its alpha (straight) is composited over black in linear light.") {
      try $0.plan(Self.picture(input, scratch.path("b.png")))
    }
  }

  @Test func framesThatAreNotThere() throws {
    expectRefusal("no-frame-after-start", Sample.hdr10, "start 100.0", kind: .failed) {
      try $0.plan(Self.discarding(Sample.hdr10) { $0.selection.start = 100 })
    }
    for change: (inout FrameSelection) -> Void in [
      { $0.range = FrameRange(first: 100, last: nil) }, { $0.at = 50 }, { $0.duration = 0 },
    ] {
      expectRefusal("no-frames-selected", Sample.hdr10, kind: .failed) {
        try $0.run(Self.discarding(Sample.hdr10) { change(&$0.selection) })
      }
    }
  }

  @Test func whatIsForPicturesOnly() {
    expectRefusal("not-a-picture-sequence", Sample.hdr10, "inputStartNumber") {
      try $0.plan(Self.discarding(Sample.hdr10) { $0.input.startNumber = 1 })
    }
    expectRefusal("input-has-timestamps", Sample.hdr10, "frameRate") {
      try $0.plan(Self.discarding(Sample.hdr10) { $0.input.frameRate = Rational(25, 1) })
    }
  }

  @Test func pipesAreReadOnce() throws {
    expectRefusal("input-not-repeatable", "'-'", "which peakDetection needs") {
      try $0.plan(Self.discarding("-") { $0.metadata.inputLight = .measured })
    }
    expectRefusal("input-not-repeatable", "'-'", "which contentLight measure needs") {
      try $0.plan(Self.discarding("-") { $0.metadata.contentLight = .measured })
    }
    let scratch = try Scratch()
    let two = scratch.path("two.mkv")
    let source = "testsrc2=size=64x64:rate=25:duration=0.2"
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", source, "-f", "lavfi", "-i", source, "-map", "0", "-map", "1", "-c:v", "ffv1", two,
    ])
    let pipe = scratch.path("pipe.mkv")
    let feeder = try Process.run(
      URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "mkfifo '\(pipe)' && exec cat '\(two)' > '\(pipe)'"])
    let limit = TimeLimit(feeder, seconds: 120)
    while feeder.isRunning, !FileManager.default.fileExists(atPath: pipe) { Thread.sleep(forTimeInterval: 0.005) }
    expectRefusal("input-not-reopenable", "map") {
      try $0.plan(Self.discarding(pipe) { $0.streams.map = [StreamRequest.Entry("v:1")] })
    }
    feeder.terminate()
    feeder.waitUntilExit()
    limit.end()
  }

  /// The segment of JPEG files for an ICC profile that holds nothing but its name, where it has one.
  private static func segment(_ name: String) -> Data {
    func word(_ value: Int) -> Data { Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }) }
    // ICC.1:2022, 7.2 (header), 7.3 (tag table), and textDescriptionType of version 2.
    let text = Data("desc".utf8) + word(0) + word(name.utf8.count) + Data(name.utf8)
    let entry = Data("desc".utf8) + word(144) + word(text.count) + text
    var profile = word(144 + text.count) + Data("test".utf8) + Data([4, 64, 0, 0]) + Data("mntrRGB XYZ ".utf8)
    profile += Data(count: 12) + Data("acsp".utf8) + Data(count: 88)
    profile += name.isEmpty ? Data(count: 16) : word(1) + entry
    let content = Data("ICC_PROFILE\0".utf8) + Data([1, 1]) + profile
    return Data([0xFF, 0xE2]) + word(content.count + 2).suffix(2) + content
  }

  /// A picture with a profile, with and without a name of its own.
  @Test(arguments: ["", "made up"])
  func profilesThatAreNotKnown(_ name: String) throws {
    let scratch = try Scratch()
    let picture = try scratch.bytes(scratch.made("a.jpg", frames: 1, ["-pix_fmt", "yuvj420p"]))
    let input = try scratch.file("b.jpg", picture.prefix(2) + Self.segment(name) + picture.dropFirst(2))
    let profile = name.isEmpty ? "The ICC profile of" : "The ICC profile '\(name)' of"
    try expectWarning("unknown-icc-profile", profile, input) {
      try $0.plan(Self.picture(input, scratch.path("b.png")))
    }
  }

  @Test func damage() throws {
    let scratch = try Scratch()
    let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"] + Scratch.bt709
    let whole = try scratch.bytes(scratch.made("a.mkv", frames: 50, coding))
    let short = try scratch.file("short.mkv", whole.prefix(whole.count / 2))
    try expectWarning("input-truncated", short) {
      try $0.run(Self.discarding(short) { $0.input.acceptsTruncation = true })
    }
    var data = try scratch.bytes(scratch.made("a.h264", frames: 50, coding))
    for part in 4...8 {
      let place = data.count * part / 10
      for index in place..<place + 60 { data[index] ^= 0x5A }
    }
    let damaged = try scratch.file("damaged.h264", data)
    let heard = try heard { try $0.run(Self.discarding(damaged)) }
    let found = heard.warnings.filter { $0.code == "input-damaged" }.map(\.words)
    #expect(found.count == 1, "\(heard.warnings)")
    // Only what there is is counted.
    #expect(found.first?.contains("'\(damaged)'") == true && found.first?.contains(#/damaged: [1-9]/#) == true)
  }

  @Test func malformedToneMaps() throws {
    let scratch = try Scratch()
    let input = try scratch.hevc("a.hevc", message: [0xB5, 0x00, 0x90, 0x00, 0x01, 0x00])
    let heard = try heard { try $0.run(Self.discarding(input)) }
    #expect(heard.warnings.map(\.code) == ["tone-maps-ignored"])
    #expect(heard.warnings.first?.words.contains("3 packets: it is truncated.") == true, "\(heard.warnings)")
  }

  @Test func changesInTheMiddle() throws {
    let scratch = try Scratch()
    let input = try scratch.joined("a.h264", [Scratch.bt709, Scratch.pq])
    let pq = ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, range: .narrow)
    let heard = try heard { try $0.run(Self.discarding(input)) }
    #expect(heard.warnings.map(\.code) == ["video-changes"])
    #expect(heard.warnings.first?.words.contains("now \(pq.words), 128x96.") == true, "\(heard.warnings)")
    var scopes = ScopesRequest(input: input, output: scratch.path("scopes.mkv"))
    scopes.coding.encoder = "ffv1"
    expectRefusal("video-changes-too-much", "\(pq.words), 128x96", kind: .failed) { try $0.run(scopes) }
    #expect(!scratch.contents.contains("scopes.mkv"))
  }

  /// Frames of another size, in every verb; codes that are written as they are, too.
  @Test func sizesThatChange() throws {
    let scratch = try Scratch()
    let input = try scratch.joined("a.h264", [Scratch.bt709, Scratch.bt709 + ["-vf", "scale=64:48"]])
    let code: Message.Code = "video-changes-too-much"
    let change = "\(ColorDescription.bt709.words), 64x48"
    expectRefusal(code, change, kind: .failed) { try $0.run(Self.discarding(input)) }
    expectRefusal(code, change, kind: .failed) { try $0.run(MeasureRequest(input: input)) }
    expectRefusal(code, change, kind: .failed) { try $0.run(VerifyRequest(input: input, pattern: "ramp")) }
    for (name, format) in [("a.y4m", ImageFormat.y4m), ("a%d.png", .png)] {
      let pictures = PictureRequest(input: input, output: scratch.path(name), format: format)
      expectRefusal(code, change, kind: .failed) { try $0.run(pictures) }
    }
    #expect(!scratch.contents.contains("a.y4m"))
  }

  @Test func anglesBetweenQuarterTurns() throws {
    let scratch = try Scratch()
    let input = try scratch.rotated("a.mov", 46341, 46341, -46341, 46341)
    let refusal = refusal { try $0.plan(Self.discarding(input) { $0.geometry.bakesRotation = true }) }
    let text = try #require(refusal?.message.words)
    #expect(refusal?.message.code == "unsupported-rotation" && text.contains("'\(input)'"), "\(text)")
    let angle = try #require(text.firstMatch(of: #/rotated by (-?[0-9.]+)°/#)).output.1
    let degrees = try #require(Double(String(angle)))
    #expect(refusal?.kind == .failed && abs(abs(degrees) - 45) < 0.01)
  }

  /// Said before there is a sheet to be made.
  @Test func lengthsThatAreNotKnown() throws {
    let scratch = try Scratch()
    let input = try scratch.joined("a.h264", [Scratch.bt709])
    expectRefusal("unknown-duration", input) {
      try $0.plan(
        Self.picture(input, scratch.path("b.png")) { $0.contact = PictureRequest.Grid(columns: 2, rows: 2) })
    }
  }

  /// A file that grows while it is read is not what a measurement, a picture or a scope would claim to be of. Pictures with numbers stay,
  /// as those of a run that is stopped.
  @Test(arguments: ["measure", "pictures", "sheet", "scopes", "selection"]) func inputsThatChange(
    _ verb: String
  ) throws {
    let scratch = try Scratch()
    let input = try scratch.clip("a.mkv", frames: 4, ["-c:v", "ffv1"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: input)).count
    let session = Session { event in
      guard case .began = event, let file = FileHandle(forWritingAtPath: input) else { return }
      _ = try? file.seekToEnd()
      try? file.write(contentsOf: Data([0]))
    }
    func run() throws {
      switch verb {
      case "measure": _ = try session.run(MeasureRequest(input: input))
      case "scopes": try session.run(ScopesRequest(input: input, output: scratch.path("b.mkv")))
      default:
        let name = verb == "pictures" ? "b%03d.png" : "b.png"
        var request = PictureRequest(input: input, output: scratch.path(name), format: .png)
        if verb == "sheet" { request.contact = .init(columns: 2, rows: 2) }
        // The end of a recording that goes on is not read.
        if verb == "selection" { request.selection.range = FrameRange(first: 0, last: 0) }
        try session.run(request)
      }
    }
    if verb == "selection" { return try run() }
    let refusal = #expect(throws: Refusal.self) { try run() }
    #expect(refusal?.message.code == "input-changed-while-read")
    let text = refusal?.message.words ?? ""
    #expect(text.contains("'\(input)'") && text.contains("from \(bytes) to \(bytes + 1) bytes"), "\(text)")
    #expect(scratch.contents.count == (verb == "pictures" ? 5 : 1), "\(scratch.contents)")
  }
}
