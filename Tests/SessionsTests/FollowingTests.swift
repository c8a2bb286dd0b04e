import ColorScience
import Displays
import Foundation
import Frames
import ImageFiles
import Rendering
import Sessions
import SessionsTestSupport
import TestSupport
import Testing
import ToneMapping

/// Transcodes while their display changes.
@Suite struct FollowingTests {
  private static let fast = 25.0
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static func display(_ white: Double) -> DisplayStatus {
    DisplayStatus(
      DisplayModel(
        "panel", peak: 1600, sdrWhite: white, minimumSDRWhite: min(white, 100), primaries: .displayP3, transfer: .pq))
  }

  /// Four seconds of bars in linear light up to 10,000 cd/m², whose display changes from a headroom of 16 to 1 and to 8.
  private func request(_ output: String, _ events: [DisplayFollowing.Event]) throws -> TranscodeRequest {
    let input = scratch.path("input.mkv")
    if !FileManager.default.fileExists(atPath: input) {
      _ = try scratch.clip(
        "input.mkv", size: "64x48", frames: 100,
        ["-vf", "format=gbrp10le", "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", "smpte2084"]
          + ["-colorspace", "rgb", "-color_range", "pc"])
    }
    var request = TranscodeRequest(input: input, output: scratch.path(output))
    (request.coding.encoder, request.coding.layout) = ("ffv1", PixelLayout(.rgb, bitDepth: 12))
    request.mapping.display = Self.display(100)
    request.following = DisplayFollowing(.events(events))
    request.statistics = scratch.path(output + ".jsonl")
    return request
  }

  private static let events = [
    DisplayFollowing.Event(time: 1, display(1600)), DisplayFollowing.Event(time: 2, display(200)),
  ]

  private struct Line: Decodable {
    var headroom: Double?
    var sdr_white_nits: Double?
  }

  private func log(_ output: String) throws -> [(headroom: Double, white: Double)] {
    try String(contentsOfFile: scratch.path(output + ".jsonl"), encoding: .utf8).split(separator: "\n").dropLast()
      .map { line in
        let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        return (try #require(line.headroom), try #require(line.sdr_white_nits))
      }
  }

  /// The brightest component of each frame in cd/m².
  private func peaks(_ output: String) throws -> [Double] {
    let data = try Tool.ffmpeg.run(
      ["-i", scratch.path(output), "-f", "rawvideo", "-pix_fmt", "gbrp12le", "-"])
    let bytes = 64 * 48 * 3 * 2
    return stride(from: 0, to: data.count, by: bytes).map { start in
      var largest = 0
      for index in stride(from: start, to: start + bytes, by: 2) {
        largest = max(largest, Int(data[index]) | Int(data[index + 1]) << 8)
      }
      return PQ.eotf(Double(largest) / 4095)
    }
  }

  @Test func fallsAtOnceAndRisesGently() throws {
    let session = Session()
    let plan = try session.plan(request("output.mkv", Self.events))
    // For the largest headroom that it ever has.
    #expect(plan.video.metadata.contentLight?.maxCLL == 1600)
    try session.run(plan)
    let (log, peaks) = (try log("output.mkv"), try peaks("output.mkv"))
    try #require(log.count == 100 && peaks.count == 100)
    #expect(log[24].headroom == 16 && log[25].headroom == 1 && log[49].headroom == 1)
    for (index, (line, peak)) in zip(log, peaks).enumerated() {
      // A step of PQ at twelve bits is 0.3 %.
      #expect(peak <= line.headroom * line.white * 1.003, "frame \(index)")
      #expect(peak <= 1600 * 1.003)
    }
    for (earlier, later) in zip(log[50...], log[51...]) {
      #expect(later.headroom >= earlier.headroom && later.headroom / earlier.headroom < exp2(0.25))
    }
    #expect(log[99].headroom == 8 && log[99].white == 200)
    // The pictures follow the log: they use what there is.
    #expect(peaks[10] > 1500 && peaks[90] > 1500 && peaks[52] < 300)
  }

  @Test func sameEventsSameFrames() throws {
    func frames(_ name: String, threads: Int) throws -> Data {
      var request = try request(name, Self.events)
      request.processing.threads = threads
      request.selection.range = FrameRange(first: 20, last: 70)
      try Session().run(request)
      return try Tool.ffmpeg.run(["-i", scratch.path(name), "-f", "framemd5", "-"])
    }
    let one = try frames("one.mkv", threads: 1)
    #expect(try one == frames("two.mkv", threads: 2))
  }

  /// A display that becomes brighter than the file states keeps to what is stated.
  @Test func neverBrighterThanStated() throws {
    var brighter = Self.display(100)
    brighter.model.peak = 4000
    try Session().run(request("brighter.mkv", [.init(time: 0.5, brighter)]))
    for peak in try peaks("brighter.mkv") { #expect(peak <= 1600 * 1.003) }
  }

  /// SDR is as bright as SDR white, which is highest where the headroom is lowest; HLG may be too.
  @Test(arguments: ["bt709", "arib-std-b67"]) func sdrAndHLGStayWithinWhatIsStated(_ transfer: String) throws {
    let input = try scratch.clip(
      "\(transfer).mkv", size: "64x48", frames: 75,
      [
        "-vf", "drawbox=w=8:h=8:c=white:t=fill,format=gbrp10le", "-c:v", "ffv1", "-color_trc", transfer, "-colorspace",
        "rgb", "-color_range", "pc",
      ]
        + ["-color_primaries", transfer == "bt709" ? "bt709" : "bt2020"])
    var request = try request("\(transfer)-out.mkv", [])
    (request.input.name, request.overwrites) = (input, true)
    request.following = DisplayFollowing(
      .events([
        .init(time: 0.5, Self.display(1600)), .init(time: 1, Self.display(100)), .init(time: 2, Self.display(777.7)),
      ]))
    let plan = try Session().plan(request)
    let stated = try #require(plan.video.metadata.contentLight?.maxCLL)
    try Session().run(plan)
    let (log, peaks) = (try log("\(transfer)-out.mkv"), try peaks("\(transfer)-out.mkv"))
    try #require(peaks.count == 75)
    for (index, (line, peak)) in zip(log, peaks).enumerated() {
      #expect(peak <= Double(stated) * 1.003 && peak <= line.headroom * line.white * 1.003, "frame \(index)")
    }
    if transfer == "bt709" {
      // White itself.
      #expect(stated == 1600 && abs(peaks[20] / 1600 - 1) < 0.003 && abs(peaks[70] / 777.7 - 1) < 0.003)
    }
    // The same if the display is not known before: the file may have any white up to the peak.
    let path = scratch.path("white.json")
    try JSONEncoder().encode(Self.display(100).model).write(to: URL(fileURLWithPath: path))
    request.following = DisplayFollowing(.live(.file(path: path)))
    #expect(try Session().plan(request).video.metadata.contentLight?.maxCLL == stated)
  }

  /// A display whose brightness falls takes its black with it; what the user said of black is checked once.
  @Test func blackOfDimmedDisplays() throws {
    var bright = Self.display(16)
    (bright.model.black, bright.model.minimumSDRWhite) = (6, 1)
    var dimmed = bright
    dimmed.brightness = 0.1
    for black in [nil, 7.0] {
      var request = try request("dimmed-\(black ?? 0).mkv", [.init(time: 1, dimmed)])
      (request.mapping.chosenKind, request.mapping.display, request.mapping.black) = (.sdr, bright, black)
      #expect(try Session().run(request) == .finished)
      request.mapping.black = 9
      expectRefusal(.outOfRange(.black, 9, 0...8, unit: "cd/m²")) { try $0.plan(request) }
    }
  }

  @Test func lostDisplaysAreSaid() throws {
    let path = scratch.path("display.json")
    try JSONEncoder().encode(Self.display(100).model).write(to: URL(fileURLWithPath: path))
    var request = try request("lost.mkv", [])
    request.following = DisplayFollowing(.live(.file(path: path)))
    let heard = Heard()
    let session = Session(onEvent: heard.add)
    let plan = try session.plan(request)
    session.pause()
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? session.run(plan)
      done.signal()
    }
    // The display is followed before anything is written.
    try #require(comesTrue { scratch.contents.contains { $0.contains("lost.mkv") } })
    try FileManager.default.removeItem(atPath: path)
    Thread.sleep(forTimeInterval: 2)
    session.resume()
    done.wait()
    let lost = heard.warnings.filter { $0.code == "display-lost" }.map(\.words)
    let error = DisplayError.unreadable(path: path, reason: "No such file or directory")
    #expect(lost == ["\(error) The picture is made for what the display was before."])
    // What it was before.
    #expect(try log("lost.mkv").allSatisfy { $0.headroom == 16 })
  }

  @Test func filesAreFollowed() throws {
    let path = scratch.path("display.json")
    func write(_ white: Double) throws {
      try JSONEncoder().encode(Self.display(white).model).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
    try write(100)
    var request = try request("live.mkv", [])
    request.following = DisplayFollowing(.live(.file(path: path)))
    let heard = EventLog()
    let session = Session(onEvent: heard.add)
    session.pause()
    let plan = try session.plan(request)
    // Frame by frame: the display changes after the fifth.
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? session.run(plan)
      done.signal()
    }
    for steps in 0...5 {
      if steps > 0 { session.step() }
      try #require(comesTrue { heard.names.count { $0 == "pipeline" } > steps })
    }
    try write(1600)
    Thread.sleep(forTimeInterval: 2)
    session.resume()
    done.wait()
    let log = try log("live.mkv")
    #expect(log.first?.headroom == 16 && log.last?.headroom == 1)
  }

  @Test func refusals() throws {
    func changed(_ change: (inout TranscodeRequest) -> Void) throws -> TranscodeRequest {
      var request = try request("none.mkv", Self.events)
      change(&request)
      return request
    }
    func refusal(_ message: Message, _ change: (inout TranscodeRequest) -> Void) throws {
      let request = try changed(change)
      expectRefusal(message) { try $0.plan(request) }
    }
    expectRefusal("nothing-to-follow") { try $0.plan(changed { $0.mapping.display = nil }) }
    expectRefusal("nothing-to-follow") {
      try $0.plan(changed { $0.following = DisplayFollowing(.live(.preset(.reference))) })
    }
    expectRefusal("hlg-not-followed") { try $0.plan(changed { $0.mapping.chosenKind = .hlg }) }
    try refusal(.exclusive(.follow, .peak)) { $0.mapping.peak = 900 }
    try refusal(.exclusive(.follow, .sdrWhite)) { $0.mapping.sdrWhite = 100 }
    try refusal(.exclusive(.follow, .contentLight)) { $0.metadata.contentLight = .measured }
    try refusal(.outOfRange(.headroomRamp, 61, 0...60, unit: "s")) { $0.following?.rampDuration = 61 }
  }

  /// `--edr-metadata`: without a descriptor values are exact up to the headroom, and clipped above it.
  @Test func statedDescriptors() throws {
    let input = try request("x.mkv", []).input.name
    func plan(_ stated: String, _ change: (inout TranscodeRequest) -> Void = { _ in }) throws -> TranscodePlan {
      var request = TranscodeRequest(input: input, output: nil)
      (request.coding.format, request.mapping.display) = ("null", Self.display(100))
      request.input.overrides.descriptor = DescriptorArgument(rawValue: stated)?.stated
      change(&request)
      return try Session().plan(request)
    }
    let none = try plan("none")
    #expect(none.target.mapping.isUnmapped && none.source.interpretation.metadata == nil)
    let mapping = DisplayMapping(none.target.mapping)
    for value in [0.0, 0.2, 1, 3, 15.9, 16, 17, 100] {
      let shown = mapping.reference(SIMD3(repeating: value))
      #expect(abs(shown.x - min(value, 16)) < 1e-9 && abs(shown.z - min(value, 16)) < 1e-9)
    }
    #expect(!none.target.summary(from: none.source).contains("unchanged"))
    let stated = try plan("hdr10:max=4000:scale=203")
    #expect(stated.target.mapping.contentPeak == 4000)
    expectRefusal("descriptor-contradicts-input", "'\(input)'", "PQ is display light") {
      var request = TranscodeRequest(input: input, output: nil)
      request.coding.format = "null"
      request.input.overrides.descriptor = .metadata(.hlg)
      return try $0.plan(request)
    }
    // What is written says how bright it is, or that nobody knows.
    func unit(_ stated: String) throws -> (unit: Double?, summary: String) {
      var request = PictureRequest(input: try scratch.lightPicture(), output: scratch.path("out.exr"), format: .exr)
      request.input.overrides.descriptor = DescriptorArgument(rawValue: stated)?.stated
      let plan = try Session().plan(request)
      return (plan.metadata.linearUnit, plan.summary)
    }
    #expect(try unit("hdr10:scale=203").unit == 203 && unit("hlg").unit == nil)
    #expect(try unit("none").unit == nil && unit("none").summary.hasSuffix("1.0 is SDR white"))
    for text in [
      "", "hdr", "none:", "hlg:min=1", "hdr10:max=50", "hdr10:min=2000", "hdr10:scale=0", "hdr10:peak=1",
      "hdr10:max=1:max=2",
    ] {
      #expect(DescriptorArgument(rawValue: text) == nil, "\(text)")
    }
  }
}
