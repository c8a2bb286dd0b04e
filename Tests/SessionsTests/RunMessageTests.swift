import ColorScience
import FFmpegIO
import Foundation
import Frames
import ImageFiles
import Media
import Rendering
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Messages about runs in progress.
@Suite struct RunMessageTests {
  private static func hdr10(_ change: (inout TranscodeRequest) -> Void) -> TranscodeRequest {
    var request = TranscodeRequest(input: Sample.hdr10, output: nil)
    request.coding.format = "null"
    request.mapping.chosenKind = .hdr10
    request.selection.range = FrameRange(first: 0, last: 1)
    change(&request)
    return request
  }

  @Test func passesThatMeasure() throws {
    try expectNote("measuring-input", "'\(Sample.hdr10)'") {
      try $0.plan(Self.hdr10 { $0.metadata.inputLight = .measured })
    }
    try expectNote("measuring-output") { try $0.plan(Self.hdr10 { $0.metadata.contentLight = .measured }) }
  }

  /// A measurement is rounded up, beyond the limit of the output: the reported value is the stated one.
  @Test func measuredLightIsWhatIsStated() throws {
    let request = Self.hdr10 {
      $0.mapping.peak = 500
      $0.metadata.contentLight = .measured
    }
    let light = try #require(try Session().plan(request).target.metadata.contentLight)
    #expect(light.maxCLL == 500 && light.maxFALL > 0)
    try expectNote("output-light-measured", " \(light.text) cd/m²") { try $0.plan(request) }
    let scratch = try Scratch()
    var pictures = PictureRequest(input: Sample.hdr10, output: scratch.path("%d.png"), format: .png)
    (pictures.mapping, pictures.metadata, pictures.selection) = (request.mapping, request.metadata, request.selection)
    pictures.space = .bt2100PQ
    let stated = try #require(try Session().plan(pictures).metadata.contentLight)
    #expect(stated.maxCLL == 500)
    try expectNote("output-light-measured", " \(stated.text) cd/m²") { try $0.plan(pictures) }
  }

  @Test func measurementsThatAreStopped() throws {
    try expectWarning("measurement-stopped", "after 0 frames") { session in
      session.cancel()
      let result = try session.run(MeasureRequest(input: Sample.hdr10))
      #expect(result.measurement == nil && result.failure == nil)
    }
  }

  @Test func sheetsThatAreDone() throws {
    let scratch = try Scratch()
    let input = try scratch.plain("in.mkv", frames: 8)
    var request = PictureRequest(input: input, output: scratch.path("sheet.png"), format: .png)
    request.contact = PictureRequest.Grid(columns: 2, rows: 1)
    request.geometry.scale = PictureScaling(width: .samples(64), height: .samples(48))
    // A gap of eight samples around each picture, and a line of letters below.
    try expectNote("contact-sheet-done", "2 frames in a sheet of 152x82.") { try $0.run(request) }
    #expect(scratch.contents.contains("sheet.png"))
  }

  @Test(.enabled(if: KernelTier.supported.count < KernelTier.allCases.count))
  func kernelsThatDoNotRun() throws {
    let best = try #require(KernelTier.allCases.last)
    var processing = ProcessingRequest()
    processing.kernels = best
    for refusal in ValidationTests.refusals(processing: processing) {
      #expect(refusal?.message.code == "kernels-unsupported")
      let names = [best, KernelTier.detected].map { "'\($0.rawValue)'" }
      #expect(names.allSatisfy { refusal?.message.words.contains($0) == true })
      #expect(refusal?.kind == .invalidRequest)
    }
  }
}
