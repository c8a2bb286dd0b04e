import ConstantColor
import ConstantColorRuns
import Foundation
import Frames
import ImageFiles
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Pictures of constant colour from stills.
@Suite struct ConstantColorRunTests {
  private func request(_ scratch: Scratch, _ pair: FlashScene = FlashScene()) throws -> ConstantColorRequest {
    let (ambient, flash) = try scratch.flashPair(pair)
    var request = ConstantColorRequest(
      .stills(ambient: ambient, flash: flash), output: scratch.path("out.png"))
    request.exposureRatio = 1
    return request
  }

  @Test func everythingIsWritten() throws {
    let scratch = try Scratch()
    var request = try request(scratch)
    (request.fallback, request.confidenceMap) = (scratch.path("ambient.png"), scratch.path("map.exr"))
    (request.report, request.page) = (scratch.path("report.json"), scratch.path("page"))
    request.regions = [.init(area: PictureArea(x: 0, y: 0, width: 16, height: 16), name: "first")]
    let before = Set(scratch.contents)
    let outcome = try Session().run(request)
    #expect(outcome.isBelieved && outcome.report.isBelieved)
    let made = Set(scratch.contents).subtracting(before)
    #expect(made == ["out.png", "ambient.png", "map.exr", "report.json", "page"])
    #expect(FileManager.default.fileExists(atPath: scratch.path("page/index.html")))
    let report = try ConstantColorReport(json: Data(contentsOf: URL(fileURLWithPath: scratch.path("report.json"))))
    #expect(report == outcome.report && report.regions.first?.name == "first")
    #expect(report.outputs.picture == request.output && report.measurement.size == Size(width: 96, height: 64))
  }

  /// The room has no influence, whatever its colour.
  @Test func theRoomCancels() throws {
    func lab(_ room: SIMD3<Double>) throws -> SIMD3<Double> {
      let scratch = try Scratch()
      var pair = FlashScene()
      pair.room = room
      var request = try request(scratch, pair)
      request.regions = [.init(area: PictureArea(x: 18, y: 18, width: 12, height: 12))]
      return try #require(Session().run(request).report.regions[0].lab)
    }
    let difference = try lab(SIMD3(0.3, 0.1, 0.02)) - lab(SIMD3(0.02, 0.1, 0.2))
    #expect(max(difference.max(), -difference.min()) < 0.2)
  }

  @Test func whatCannotBeBelievedIsNotWritten() throws {
    let scratch = try Scratch()
    var pair = FlashScene()
    pair.flash = SIMD3(repeating: 0)
    var request = try request(scratch, pair)
    (request.fallback, request.report) = (scratch.path("ambient.png"), scratch.path("report.json"))
    let heard = Heard()
    let outcome = try Session(onEvent: heard.add).run(request)
    #expect(!outcome.isBelieved && !outcome.report.isBelieved && outcome.report.outputs.picture == nil)
    #expect(!scratch.contents.contains("out.png") && scratch.contents.contains("ambient.png"))
    let found = outcome.report.measurement
    let mean = found.centerWeightedMeanConfidence.words(decimals: 3)
    let share = (found.shareBelieved * 100).words(decimals: 2)
    let part = "its mean confidence is \(mean), and \(share) % of its pixels"
    #expect(heard.warnings.contains { $0.says("not-believed", part) })
    #expect(heard.warnings.contains { $0.says("fallback-written", "'\(scratch.path("ambient.png"))'") })
  }

  @Test func theLeastConfidenceDecides() throws {
    let scratch = try Scratch()
    var pair = FlashScene()
    // Half of the picture clips.
    (pair.room, pair.flash) = (SIMD3(repeating: 0.3), SIMD3(2, 0.5, 0.5))
    var request = try request(scratch, pair)
    request.minimumConfidence = 0.999
    let outcome = try Session().run(request)
    #expect(!outcome.isBelieved && !scratch.contents.contains("out.png"))
    request.minimumConfidence = nil
    #expect(try Session().run(request).isBelieved && scratch.contents.contains("out.png"))
  }

  @Test func whatIsAssumedIsSaid() throws {
    let scratch = try Scratch()
    var request = try request(scratch)
    request.exposureRatio = nil
    guard case .stills(let ambient, _) = request.source else { return }
    try expectWarning("exposures-assumed-equal") { try $0.run(request) }
    request.overwrites = true
    try expectWarning("display-referred", "'\(ambient)'") { try $0.run(request) }
    try expectWarning("flash-assumed", "5500 K") { try $0.run(request) }
    request.flash = .temperature(5000)
    try expectWarning("camera-uncalibrated") { try $0.run(request) }
  }

  @Test func whatIsNoPair() throws {
    let scratch = try Scratch()
    let plain = try request(scratch)
    guard case .stills(let ambient, let flash) = plain.source else { return }
    func refuses(
      _ code: Message.Code, _ part: String, _ ambient: String, _ flash: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      var request = plain
      request.source = .stills(ambient: ambient, flash: flash)
      expectRefusal(code, part, sourceLocation: sourceLocation) { try $0.run(request) }
    }
    refuses("pair-of-one-file", "'\(flash)'", flash, flash)
    let link = scratch.path("link.ppm")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: ambient)
    refuses("pair-of-one-file", "'\(link)'", ambient, link)
    refuses("not-a-still", "'\(Sample.hdr10)'", ambient, Sample.hdr10)
    expectRefusal("description-unreadable", "'/nowhere/c.json': No such file or directory.", kind: .failed) {
      var request = plain
      request.flash = .calibration("/nowhere/c.json")
      return try $0.run(request)
    }
    #expect(throws: ConstantColorError.self) {
      var request = plain
      request.source = .stills(ambient: flash, flash: ambient)
      return try Session().run(request)
    }
    #expect(!scratch.contents.contains("out.png"))
  }

  @Test func cancelledBeforeItBegins() throws {
    let scratch = try Scratch()
    let request = try request(scratch)
    let session = Session()
    session.cancel()
    let before = Set(scratch.contents)
    #expect(throws: Session.Cancellation.self) { try session.run(request) }
    #expect(Set(scratch.contents) == before)
  }

  /// The page's folder cannot be made after the picture was encoded: nothing stays.
  @Test func nothingIsLeftBehind() throws {
    let scratch = try Scratch()
    var request = try request(scratch)
    request.confidenceMap = scratch.path("map.png")
    try FileManager.default.createDirectory(atPath: scratch.path("full"), withIntermediateDirectories: false)
    request.report = scratch.path("full/report.json")
    let before = Set(scratch.contents)
    let folder = scratch.path("full")
    let session = Session { event in
      // The folder of the report goes while the picture is made.
      if case .began = event { try? FileManager.default.removeItem(atPath: folder) }
    }
    #expect(throws: (any Error).self) { try session.run(request) }
    #expect(Set(scratch.contents).isSubset(of: before))
  }

  @Test(arguments: ["exr", "tiff", "jxl", "avif"]) func formats(_ suffix: String) throws {
    let scratch = try Scratch()
    var request = try request(scratch)
    request.output = scratch.path("out.\(suffix)")
    #expect(try Session().run(request).isBelieved)
    let reader = try #require(try StillReader(path: request.output))
    #expect(reader.video.size == Size(width: 96, height: 64))
  }
}
