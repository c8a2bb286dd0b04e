internal import ColorScience
import Foundation
import Frames
import Measurement
import Media
import Rendering
import StreamPipeline
import Synchronization
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Outputs beside that of a plan, and changes while frames move.
@Suite struct SideOutputTests {
  /// Keeps the samples of frames.
  private final class Frames: FrameSink {
    private let onWrite: @Sendable (Int) throws -> Void
    private let kept = Mutex<[[UInt8]]>([])

    /// - Parameter onWrite: Gets the number of each frame first.
    init(onWrite: @escaping @Sendable (Int) throws -> Void = { _ in }) { self.onWrite = onWrite }

    var samples: [[UInt8]] { kept.withLock { $0 } }

    func write(_ frame: CodedFrame) throws {
      try onWrite(samples.count)
      let samples = (0..<frame.layout.planeCount).flatMap { plane in
        let size = frame.layout.planeSize(plane, of: frame.size)
        return (0..<size.height).flatMap { y in
          (0..<size.width).flatMap { x in
            let sample = frame.sample(plane: plane, x: x, y: y)
            return frame.layout.bytesPerSample == 1
              ? [UInt8(sample)] : [UInt8(sample & 255), UInt8(sample >> 8)]
          }
        }
      }
      kept.withLock { $0.append(samples) }
    }

    func pass(_ data: any PassingData) { Issue.record("Data is for the file alone.") }
  }

  private struct Broken: Error {}

  private static let count = 12

  /// Small HDR10 with sound.
  private static func makeInput(_ scratch: Scratch) throws {
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25", "-f", "lavfi", "-i", "sine=d=0.4", "-frames:v",
        "\(count)", "-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-c:a", "pcm_s16le",
      ] + Scratch.pq + ["-y", scratch.path("in.mkv")])
  }

  private static func request(_ scratch: Scratch, _ name: String, _ kind: OutputKind) -> TranscodeRequest {
    var request = TranscodeRequest(input: scratch.path("in.mkv"), output: scratch.path(name))
    request.mapping.chosenKind = kind
    if kind == .hdr10 { request.mapping.peak = 600 }
    request.coding.encoder = name.hasSuffix("nut") ? "ffv1" : nil
    return request
  }

  /// The samples of the frames of a Y4M file.
  private static func frames(_ scratch: Scratch, _ name: String) throws -> [[UInt8]] {
    let data = Array(try scratch.bytes(scratch.path(name)))
    let header = try #require(data.firstIndex(of: 10)) + 1
    let size = (data.count - header) / count
    return (0..<count).map { Array(data[header + $0 * size + 6..<header + ($0 + 1) * size]) }
  }

  /// Frames of an SDR transcode by itself.
  private static func sdr(_ scratch: Scratch, _ change: (inout TranscodeRequest) -> Void = { _ in }) throws -> [[UInt8]]
  {
    var request = request(scratch, "sdr.y4m", .sdr)
    request.overwrites = true
    change(&request)
    try Session().run(request)
    return try frames(scratch, "sdr.y4m")
  }

  /// One decoding and one unpacking make what two transcodes make.
  @Test func recordHDRAndShowSDR() throws {
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    try Session().run(Self.request(scratch, "alone.nut", .hdr10))
    let (window, wide) = (Frames(), Frames())
    var outputs = [Session.SideOutput(name: "window", sink: window), Session.SideOutput(name: "wide", sink: wide)]
    outputs[0].policy = .everyFrame
    outputs[1].policy = .everyFrame
    outputs[1].mapping.peak = 300
    outputs[1].filters = ["highlight=gamut=p3"]
    let session = Session()
    let plan = try session.plan(Self.request(scratch, "beside.nut", .hdr10))
    #expect(try session.run(plan, beside: outputs) == .finished)
    #expect(try scratch.bytes(scratch.path("beside.nut")) == scratch.bytes(scratch.path("alone.nut")))
    let expected = try Self.sdr(scratch)
    #expect(window.samples == expected)
    let filtered = try Self.sdr(scratch) {
      $0.mapping.peak = 300
      $0.filters = ["highlight=gamut=p3"]
    }
    #expect(wide.samples == filtered && filtered != expected)
  }

  /// Two sessions of one process do not disturb one another.
  @Test func twoSessionsAtOnce() throws {
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    let kinds = [OutputKind.sdr, .hdr10]
    let requests = (0..<8).map { Self.request(scratch, "\($0).nut", kinds[$0 % 2]) }
    DispatchQueue.concurrentPerform(iterations: requests.count) { turn in
      do { try Session().run(requests[turn]) } catch { Issue.record(error) }
    }
    let together = try (0..<8).map { try scratch.bytes(scratch.path("\($0).nut")) }
    for (turn, kind) in kinds.enumerated() {
      try Session().run(Self.request(scratch, "alone-\(turn).nut", kind))
      let alone = try scratch.bytes(scratch.path("alone-\(turn).nut"))
      #expect(together.enumerated().allSatisfy { $0.offset % 2 != turn || $0.element == alone }, "\(kind)")
    }
  }

  /// The file does not depend on a window that breaks, nor on one that is slow.
  @Test func otherOutputsMayFail() throws {
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    try Session().run(Self.request(scratch, "alone.nut", .hdr10))
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let broken = Frames { if $0 == 3 { throw Broken() } }
    let slow = Frames { _ in Thread.sleep(forTimeInterval: 0.1) }
    let plan = try session.plan(Self.request(scratch, "beside.nut", .hdr10))
    var outputs = [Session.SideOutput(name: "broken", sink: broken), Session.SideOutput(name: "slow", sink: slow)]
    outputs[0].policy = .everyFrame
    try session.run(plan, beside: outputs)
    #expect(try scratch.bytes(scratch.path("beside.nut")) == scratch.bytes(scratch.path("alone.nut")))
    let failed = log.events.compactMap { event in
      if case .pipeline(.failed(let output, let error)) = event { (output, error) } else { nil }
    }
    #expect(failed.map(\.0) == ["broken"] && failed.first?.1 is Broken)
    let dropped = log.events.count { if case .pipeline(.dropped("slow", _)) = $0 { true } else { false } }
    #expect(slow.samples.count + dropped == Self.count)
  }

  /// A window that hangs for good is interrupted once the file is whole.
  @Test func aStalledWindowDoesNotKeepTheFile() throws {
    final class Stalled: FrameSink {
      private let interrupted = DispatchSemaphore(value: 0)
      func write(_ frame: CodedFrame) {
        interrupted.wait()
        interrupted.signal()
      }
      func pass(_ data: any PassingData) {}
      func interrupt() { interrupted.signal() }
    }
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let plan = try session.plan(Self.request(scratch, "out.nut", .hdr10))
    var output = Session.SideOutput(name: "window", sink: Stalled())
    output.policy = .buffered(2, thenDrop: .oldest)
    #expect(try session.run(plan, beside: [output]) == .finished)
    #expect(Set(scratch.contents) == ["in.mkv", "out.nut"])
    #expect(!log.events.contains { if case .pipeline(.failed) = $0 { true } else { false } })
  }

  /// Tags change in the middle: an output whose own tags would follow them keeps the format it began with.
  @Test func tagsThatChangeDoNotEndTheRun() throws {
    let scratch = try Scratch()
    let input = try scratch.joined(
      "in.h264",
      [Scratch.bt709 + ["-chroma_sample_location", "left"], Scratch.pq + ["-chroma_sample_location", "topleft"]])
    var request = TranscodeRequest(input: input, output: scratch.path("out.nut"))
    request.coding.encoder = "ffv1"
    let window = Frames()
    var output = Session.SideOutput(name: "window", sink: window)
    output.mapping.chosenKind = .hlg
    output.policy = .everyFrame
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let plan = try session.plan(request)
    #expect(try session.run(plan, beside: [output]) == .finished)
    #expect(window.samples.count == 6)
    #expect(!log.events.contains { if case .pipeline(.failed) = $0 { true } else { false } })
  }

  /// The light of a file stays below what it states: its display may become darker, not brighter.
  @Test func changesKeepWhatTheFileStates() throws {
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    var request = Self.request(scratch, "out.nut", .hdr10)
    request.mapping.peak = 300
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let window = Frames { [request] number in
      guard number == 3 else { return }
      var change = Session.Change()
      for peak in [2000.0, 200] {
        change.mapping = request.mapping
        change.mapping?.peak = peak
        #expect(session.makes(change))
      }
    }
    var output = Session.SideOutput(name: "window", sink: window)
    output.policy = .everyFrame
    try session.run(session.plan(request), beside: [output])
    let failures = log.events.compactMap { event in
      if case .pipeline(.changeFailed("output", let error)) = event { (error as? Refusal)?.message } else { nil }
    }
    #expect(failures.map(\.code) == ["peak-above-stated-max-cll"])
    #expect(
      failures.allSatisfy { $0.words.contains("2000 cd/m²") && $0.words.contains("MaxCLL of 300") }, "\(failures)")
    var measure = MeasureRequest(input: scratch.path("out.nut"))
    (measure.input.overrides.transfer, measure.input.overrides.primaries) = (.pq, .bt2020)
    (measure.input.overrides.matrix, measure.input.overrides.range) = (.bt2020NCL, .narrow)
    let light = try #require(try Session().run(measure).measurement)
    #expect(light.maxCLL <= 300 && light.maxCLL > 250)
    #expect(light.frames.last.map { $0.peak <= 200 } == true)
  }

  @Test func anEssentialOutputEndsTheRun() throws {
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    let session = Session()
    let plan = try session.plan(Self.request(scratch, "out.nut", .hdr10))
    var output = Session.SideOutput(name: "window", sink: Frames { if $0 == 3 { throw Broken() } })
    (output.policy, output.fate) = (.everyFrame, .essential)
    #expect(throws: Broken.self) { try session.run(plan, beside: [output]) }
    #expect(scratch.contents == ["in.mkv"])
  }

  @Test func impossibleOutputsAreRefused() throws {
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    let request = Self.request(scratch, "out.nut", .sdr)
    var output = Session.SideOutput(name: "window", sink: Frames())
    output.mapping.peak = -1
    expectRefusal(.outOfRange(.peak, -1, 1...10_000, unit: "cd/m²")) { session in
      try session.run(session.plan(request), beside: [output])
    }
    output.mapping.peak = nil
    output.filters = ["none"]
    #expect(throws: (any Error).self) {
      let session = Session()
      try session.run(session.plan(request), beside: [output])
    }
    output.filters = []
    expectRefusal("output-name-taken", "'window'") { try $0.run($0.plan(request), beside: [output, output]) }
    output.name = Session.mainOutput
    expectRefusal("output-name-taken", "'output'") { try $0.run($0.plan(request), beside: [output]) }
    output.name = "window"
    output.policy = .buffered(0, thenDrop: .oldest)
    expectRefusal("output-buffer-empty", "'window'") { try $0.run($0.plan(request), beside: [output]) }
    output.policy = .latest
    for layout in [PixelLayout.linearRGB, PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar)] {
      output.layout = layout
      expectRefusal("no-pixel-format", "\(layout.bitDepth)-bit \(layout.components.rawValue)") {
        try $0.run($0.plan(request), beside: [output])
      }
    }
    #expect(scratch.contents == ["in.mkv"])
  }

  /// A display gets dimmer and a filter is added while frames move: the frames from then on are those of a run that had
  /// both from the start, and the file stays as it is.
  @Test func changesBeginWithTheFrameThatTheEventNames() throws {
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    var dim = MappingRequest()
    dim.sdrWhite = 80
    dim.peak = 120
    var change = Session.Change()
    (change.output, change.mapping, change.filters) = ("window", dim, ["false-color"])
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let window = Frames { [change] number in
      guard number == 4 else { return }
      #expect(session.makes(change))
    }
    var output = Session.SideOutput(name: "window", sink: window)
    output.policy = .everyFrame
    let plan = try session.plan(Self.request(scratch, "out.nut", .hdr10))
    try session.run(plan, beside: [output])
    let times = log.events.compactMap { event in
      if case .pipeline(.changed("window", let time)) = event { time } else { nil }
    }
    let first = try #require(times.first.flatMap { plan.frame(at: $0) })
    #expect(times.count == 1 && (4...7).contains(first))
    let (before, after) = (
      try Self.sdr(scratch),
      try Self.sdr(scratch) {
        $0.mapping.sdrWhite = 80
        $0.mapping.peak = 120
        $0.filters = ["false-color"]
      }
    )
    #expect(window.samples == Array(before[..<first] + after[first...]) && before != after)
    try Session().run(Self.request(scratch, "alone.nut", .hdr10))
    #expect(try scratch.bytes(scratch.path("out.nut")) == scratch.bytes(scratch.path("alone.nut")))
    #expect(!session.makes(change))
  }

  @Test func changesThatNeedOtherFrames() throws {
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let window = Frames { number in
      guard number == 2 else { return }
      var change = Session.Change()
      change.output = "window"
      change.mapping = MappingRequest()
      change.mapping?.chosenKind = .hlg
      #expect(session.makes(change))
      change.mapping = nil
      change.filters = ["scopes=show=waveform:place=right"]
      #expect(session.makes(change))
      change.output = "none"
      #expect(!session.makes(change))
      change.mapping = MappingRequest()
      change.mapping?.sdrWhite = 0
      #expect(throws: Refusal.self) { try session.change(change) }
    }
    var output = Session.SideOutput(name: "window", sink: window)
    output.policy = .everyFrame
    try session.run(session.plan(Self.request(scratch, "out.nut", .hdr10)), beside: [output])
    let failures = log.events.compactMap { event in
      if case .pipeline(.changeFailed("window", let error)) = event { (error as? Refusal)?.message } else { nil }
    }
    #expect(failures.first?.code == "change-of-frame-format" && failures.count == 2)
    #expect(try window.samples == Self.sdr(scratch))
  }

  @Test func pausesAndSteps() throws {
    let scratch = try Scratch()
    try Self.makeInput(scratch)
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let window = Frames { if $0 == 2 { session.pause() } }
    var output = Session.SideOutput(name: "window", sink: window)
    output.policy = .everyFrame
    let plan = try session.plan(Self.request(scratch, "out.nut", .hdr10))
    let ended = Mutex(false)
    Thread { [output] in
      _ = try? session.run(plan, beside: [output])
      ended.withLock { $0 = true }
    }.start()
    func wait(_ isThere: (StreamPipeline.Event) -> Bool) {
      let end = Date(timeIntervalSinceNow: 60)
      while !log.events.contains(where: { if case .pipeline(let event) = $0 { isThere(event) } else { false } }) {
        guard Date() < end else {
          Issue.record("It does not happen.")
          return
        }
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
    wait { if case .paused = $0 { true } else { false } }
    #expect(!ended.withLock { $0 })
    session.step()
    wait { if case .stepped = $0 { true } else { false } }
    #expect(!ended.withLock { $0 })
    session.resume()
    wait { if case .resumed = $0 { true } else { false } }
    while !ended.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
    #expect(window.samples.count == Self.count)
  }
}

extension Session {
  /// Whether a change that is allowed is made.
  fileprivate func makes(_ change: Change) -> Bool { (try? self.change(change)) == true }
}

extension TranscodePlan {
  /// The number of the frame at a time of the output, at 25 frames per second.
  fileprivate func frame(at time: FrameTime) -> Int? { Int((time.seconds * 25).rounded()) }
}
