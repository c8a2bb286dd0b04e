import ColorScience
import Displays
import Foundation
import Frames
import ImageFiles
import Media
import Patterns
import Rendering
import TestSupport
import Testing
import ToneMapping

import Sessions
import SessionsTestSupport

/// The largest and the least that requests can ask for is done, or refused in words, and traps nothing.
@Suite struct ExtremeValueTests {
  private static func transcode(
    _ input: String, _ change: (inout TranscodeRequest) -> Void
  ) throws -> Session.Outcome {
    var request = TranscodeRequest(input: input, output: nil)
    request.coding.format = "null"
    request.selection.range = FrameRange(first: 0, last: 1)
    change(&request)
    return try Session().run(request)
  }

  @Test func partsOfTheInput() throws {
    let scratch = try Scratch()
    let input = try scratch.plain("in.mkv")
    let done: [(inout FrameSelection) -> Void] = [
      { $0.every = 1_000_000 }, { $0.duration = 1e9 }, { $0.start = 0 }, { $0.at = 0 },
      { $0.range = FrameRange(first: 0, last: 1_000_000_000_000) }, { $0.duration = 1e-9 },
    ]
    for change in done {
      #expect(
        try Self.transcode(input) {
          $0.selection = FrameSelection()
          change(&$0.selection)
        } == .finished)
    }
    let empty: [(inout FrameSelection) -> Void] = [
      { $0.start = 1e9 }, { $0.at = 1e9 }, { $0.range = FrameRange(first: 1_000_000_000_000, last: nil) },
      { ($0.start, $0.duration) = (1e9, 1e9) },
    ]
    for change in empty {
      let refusal = #expect(throws: Refusal.self) {
        try Self.transcode(input) {
          $0.selection = FrameSelection()
          change(&$0.selection)
        }
      }
      #expect(refusal?.kind == .failed)
    }
  }

  @Test(arguments: OutputKind.allCases.filter { $0 != .display })
  func light(_ kind: OutputKind) throws {
    let scratch = try Scratch()
    let inputs = [
      try scratch.plain("in.mkv"),
      try scratch.made("pq.mkv", ["-c:v", "ffv1", "-pix_fmt", "yuv420p10le"] + Scratch.pq),
      try scratch.lightPicture(),
    ]
    let limits: [(inout MappingRequest) -> Void] = [
      { $0.peak = 10_000 }, { $0.peak = kind == .hdr10 ? 80 : 1 }, { $0.sdrWhite = 1 }, { $0.sdrWhite = 10_000 },
      { $0.referenceWhite = 1 }, { $0.referenceWhite = 10_000 }, { ($0.sdrWhite, $0.peak) = (1, 10_000) },
      { ($0.peak, $0.hlgOOTF) = (10_000, .display) }, { ($0.sdrWhite, $0.peak) = (10_000, 10_000) },
    ]
    for input in inputs {
      for change in limits {
        #expect(
          try Self.transcode(input) {
            $0.mapping.chosenKind = kind
            change(&$0.mapping)
          } == .finished)
      }
    }
  }

  /// Displays of one SDR white, of all headroom there is, and of hardly any light.
  @Test func lightOfDisplays() throws {
    let scratch = try Scratch()
    let inputs = [try scratch.plain("in.mkv"), Sample.hdr10, try scratch.lightPicture()]
    for (peak, white) in [(10_000.0, 1.0), (100, 100), (10_000, 10_000), (1, 1)] {
      var display = try #require(DisplayModel.preset(named: "edr-5"))
      (display.peak, display.sdrWhite) = (peak, white)
      for input in inputs {
        var request = PictureRequest(input: input, output: scratch.path("out.png"), format: .png)
        (request.mapping.chosenKind, request.mapping.display) = (.display, DisplayStatus(display))
        request.selection.range = FrameRange(first: 0, last: 0)
        request.overwrites = true
        #expect(try Session().run(request) == .finished)
      }
    }
  }

  /// No SDR white makes light that the display does not have.
  @Test func whitesOfDisplays() throws {
    for preset in DisplayModel.presets where !preset.isReferenceModeEnabled {
      for white in [1.0, 48, 100, 400, 1000, 1100, 10_000] {
        for kind in [OutputKind.sdr, .hdr10] {
          var request = TranscodeRequest(input: Sample.hdr10, output: nil)
          request.coding.format = "null"
          (request.mapping.chosenKind, request.mapping.display) = (kind, DisplayStatus(preset))
          request.mapping.sdrWhite = white
          if white > preset.peak {
            expectRefusal(
              .outOfRange(.sdrWhite, white, 1...preset.peak, unit: "cd/m², the display's peak")
            ) { try $0.plan(request) }
          } else if kind == .sdr || preset.peak >= 80 {
            let display = try Session().plan(request).target.display
            #expect(
              display.sdrWhite == white && display.peak == (kind == .sdr ? white : preset.peak),
              "\(preset.name), \(white)")
          }
        }
      }
    }
  }

  @Test func lightOfTables() throws {
    for kind in OutputKind.allCases {
      for transfer in [TransferCharacteristics.pq, .hlg, .bt709] {
        for (peak, white) in [(10_000.0, 1.0), (80, 80), (10_000, 10_000)] {
          var request = LUTRequest()
          (request.size, request.overrides.transfer) = (2, transfer)
          (request.mapping.chosenKind, request.mapping.peak, request.mapping.sdrWhite) = (kind, peak, white)
          if kind == .display {
            request.mapping.display = DisplayStatus(try #require(DisplayModel.preset(named: "edr-5")))
          }
          let plan = try Session().plan(request)
          let text = plan.texts(plan.makeLUT()).table
          #expect(text.contains("LUT_3D_SIZE 2") && !text.contains("nan"), "\(kind), \(transfer), \(peak), \(white)")
        }
      }
    }
  }

  @Test func numbersOfPictures() throws {
    let scratch = try Scratch()
    let input = try scratch.plain("in.mkv")
    var request = PictureRequest(input: input, output: scratch.path("f%d.png"), format: .png)
    (request.startNumber, request.selection.every) = (1_000_000_000_000, 3)
    #expect(try Session().run(request) == .finished)
    #expect(Set(scratch.contents) == ["in.mkv", "f1000000000000.png", "f1000000000001.png"])
  }

  @Test(arguments: [Rational(1, 1000), Rational(1000, 1), Rational(1_000_000, 1001), Rational(1_000_000, 1_000_000)])
  func ratesOfPatterns(_ rate: Rational) throws {
    let scratch = try Scratch()
    var request = PatternRequest("window=labels=off", output: scratch.path("a.nut"))
    (request.coding.encoder, request.size, request.frameRate) = ("ffv1", TestPattern.minimumSize, rate)
    request.duration = 2 / rate.value
    #expect(try Session().run(Session().plan(request)).outcome == .finished)
    request.output = scratch.path("none.nut")
    request.duration = 0
    #expect(try Session().plan(request).count == 1)
  }

  @Test func scopes() throws {
    let scratch = try Scratch()
    let input = try scratch.plain("in.mkv")
    for (white, reference, peak) in [(1.0, 10_000.0, 1.0), (10_000, 1, 10_000)] {
      var request = ScopesRequest(input: input, output: nil)
      request.coding.format = "null"
      (request.sdrWhite, request.referenceWhite, request.peak) = (white, reference, peak)
      (request.rowStep, request.size) = (64, Size(width: 640, height: 480))
      #expect(try Session().run(request) == .finished)
    }
  }

  /// Texts of all kinds are refused in words, or do nothing; none leaves a file.
  @Test(arguments: ["", " ", "%", "\u{0}", ":", "=", "-", "x", String(repeating: "x", count: 70_000)])
  func texts(_ text: String) throws {
    let scratch = try Scratch()
    let changes: [(inout TranscodeRequest) -> Void] = [
      { $0.input.name = text == "-" ? "--" : text }, { $0.input.format = text }, { $0.coding.format = text },
      { $0.coding.encoder = text }, { $0.filters = [text] }, { $0.metadata.inputLight = .file(text) },
      // FFmpeg sees nothing behind a zero, and an empty one is every stream.
      { $0.streams.map = [StreamRequest.Entry(["", "\u{0}"].contains(text) ? "?" : text)] },
    ]
    for change in changes {
      var request = TranscodeRequest(input: Sample.hdr10, output: scratch.path("a.mkv"))
      request.selection.range = FrameRange(first: 0, last: 0)
      change(&request)
      #expect(throws: (any Error).self) { try Session().run(request) }
    }
    #expect(throws: (any Error).self) { try Session().plan(PatternRequest(text, output: scratch.path("a.nut"))) }
    #expect(throws: (any Error).self) { try Session().run(VerifyRequest(input: Sample.hdr10, pattern: text)) }
    #expect(scratch.contents.isEmpty)
  }
}
