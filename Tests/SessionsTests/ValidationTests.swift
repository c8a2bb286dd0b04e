import ColorScience
import Frames
import ImageFiles
import Media
import Patterns
import Rendering
import Testing
import ToneMapping

import Sessions
import SessionsTestSupport

/// Invalid values are refused before anything is opened, and do not trap: programs make requests, too.
@Suite struct ValidationTests {
  /// It is not there: who looks for it has not looked at the request first.
  static let nowhere = "/nowhere/in.mkv"

  /// What is refused of requests of every kind that have an input, a selection and threads.
  static func refusals(
    input: InputRequest = InputRequest(nowhere), selection: FrameSelection = FrameSelection(),
    processing: ProcessingRequest = ProcessingRequest()
  ) -> [Refusal?] {
    var transcode = TranscodeRequest(input: nowhere, output: "/nowhere/out.mkv")
    (transcode.input, transcode.selection, transcode.processing) = (input, selection, processing)
    var pictures = PictureRequest(input: nowhere, output: "/nowhere/%d.png", format: .png)
    (pictures.input, pictures.selection, pictures.processing) = (input, selection, processing)
    var scopes = ScopesRequest(input: nowhere, output: "/nowhere/out.mkv")
    (scopes.input, scopes.selection, scopes.processing) = (input, selection, processing)
    var measure = MeasureRequest(input: nowhere)
    (measure.input, measure.selection, measure.processing) = (input, selection, processing)
    var verify = VerifyRequest(input: nowhere, pattern: "ramp")
    (verify.input, verify.selection, verify.processing) = (input, selection, processing)
    return [
      refusal { try $0.plan(transcode) }, refusal { try $0.plan(pictures) }, refusal { try $0.plan(scopes) },
      refusal { try $0.run(measure) }, refusal { try $0.run(verify) },
    ]
  }

  private func expect(
    _ refusals: [Refusal?], _ message: Message, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for refusal in refusals {
      #expect(refusal?.message == message, sourceLocation: sourceLocation)
      #expect(refusal?.kind == .invalidRequest && refusal?.isStrict == false, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -0.001, 1.1e9, .greatestFiniteMagnitude])
  func timesAreRefused(_ seconds: Double) {
    let parts: [(Parameter, WritableKeyPath<FrameSelection, Double?>)] = [
      (.start, \.start), (.duration, \.duration), (.at, \.at),
    ]
    for (parameter, part) in parts {
      var selection = FrameSelection()
      selection[keyPath: part] = seconds
      expect(Self.refusals(selection: selection), .outOfRange(parameter, seconds, 0...1e9, unit: "s"))
    }
    var pattern = PatternRequest("ramp", output: "/nowhere/out.mkv")
    pattern.duration = seconds
    expectRefusal(.outOfRange(.duration, seconds, 0...1e9, unit: "s")) { try $0.plan(pattern) }
  }

  @Test(arguments: [
    (FrameRange(first: -1, last: nil), "-1-"), (FrameRange(first: .min, last: .max), "\(Int.min)-\(Int.max)"),
    (FrameRange(first: 0, last: .max), "0-\(Int.max)"), (FrameRange(first: 0, last: -1), "0--1"),
    (FrameRange(first: .max, last: nil), "\(Int.max)-"),
  ])
  func framesAreRefused(_ range: FrameRange, _ text: String) {
    var selection = FrameSelection()
    selection.range = range
    expect(Self.refusals(selection: selection), .outOfRange(.frames, text, "0", "1000000000000"))
  }

  @Test func reversedFramesAreRefused() {
    var selection = FrameSelection()
    selection.range = FrameRange(first: 5, last: 3)
    expect(Self.refusals(selection: selection), .outOfRange(.frames, "5-3", "5-5", nil))
  }

  @Test(arguments: [0, -1, 1_000_001, .min, .max])
  func everyIsRefused(_ every: Int) {
    var selection = FrameSelection()
    selection.every = every
    expect(Self.refusals(selection: selection), .outOfRange(.every, "\(every)", "1", "1000000"))
  }

  @Test func selectionsExcludeEachOther() {
    var selection = FrameSelection()
    (selection.start, selection.range) = (1, FrameRange(first: 0, last: 1))
    expect(Self.refusals(selection: selection), .exclusive(.frames, .start))
    selection = FrameSelection()
    (selection.at, selection.duration) = (1, 1)
    expect(Self.refusals(selection: selection), .exclusive(.at, .duration))
  }

  @Test(arguments: [0, -1, 257, .min, .max])
  func threadsAreRefused(_ threads: Int) {
    var processing = ProcessingRequest()
    processing.threads = threads
    expect(Self.refusals(processing: processing), .outOfRange(.threads, "\(threads)", "1", "256"))
  }

  @Test(arguments: [
    Rational(0, 1), Rational(1, 0), Rational(0, 0), Rational(-25, 1), Rational(-25, -1), Rational(.max, 1),
    Rational(1, .min), Rational(1, 10_000), Rational(2000, 1),
  ])
  func ratesAreRefused(_ rate: Rational) {
    var input = InputRequest(Self.nowhere)
    input.frameRate = rate
    expect(Self.refusals(input: input), .outOfRange(.frameRate, "\(rate)", "0.001", "1000"))
    var pattern = PatternRequest("ramp", output: "/nowhere/out.mkv")
    pattern.frameRate = rate
    expectRefusal(.outOfRange(.rate, "\(rate)", "0.001", "1000")) { try $0.plan(pattern) }
  }

  @Test func inputsAreRefused() {
    let changes: [(Message, (inout InputRequest) -> Void)] = [
      (.outOfRange(.gainMapHeadroom, "nan", "1", "1000"), { $0.gainMapHeadroom = .nan }),
      (.outOfRange(.gainMapHeadroom, "0.5", "1", "1000"), { $0.gainMapHeadroom = 0.5 }),
      (.outOfRange(.inputStartNumber, "-1", "0", "1000000000000"), { $0.startNumber = -1 }),
      (.outOfRange(.inputStartNumber, "\(Int.max)", "0", "1000000000000"), { $0.startNumber = .max }),
      (.outOfRange(.maxErrors, "-1", "0", nil), { $0.maxErrors = -1 }),
      (.outOfRange(.contentPeak, "0", "80", "10000 cd/m²"), { $0.overrides.contentPeak = 0 }),
      (.outOfRange(.contentPeak, "65535", "80", "10000 cd/m²"), { $0.overrides.contentPeak = .max }),
    ]
    for (message, change) in changes {
      var input = InputRequest(Self.nowhere)
      change(&input)
      expect(Self.refusals(input: input), message)
      var table = LUTRequest()
      table.input = input
      expectRefusal(message) { try $0.plan(table) }
    }
  }

  @Test func sizesOfPicturesAreMadeOfNumbersThatCanBe() throws {
    #expect(PictureScaling(width: .samples(64), height: .ratio(multiple: 2)) != nil)
    #expect(PictureScaling(width: .samples(64), height: .ratio(multiple: 0)) == nil)
    #expect(PictureScaling(width: .ratio(multiple: .max), height: .samples(64)) == nil)
    #expect(PictureScaling(width: .samples(0), height: .samples(64)) == nil)
    #expect(PictureScaling(width: .samples(.max), height: .samples(.min)) == nil)
  }
}
