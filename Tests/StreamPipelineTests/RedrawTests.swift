import Foundation
import Frames
import Media
import StreamPipeline
import Testing

/// Showing a frame again, leaving out what is too old, and how long frames take.
@Suite struct RedrawTests {
  typealias Output = StreamPipeline.Output

  let camera = Camera()
  let window = Log()
  let recording = Log()
  let events = EventLog()

  func pipeline(maximumAge: Duration? = nil) -> StreamPipeline {
    StreamPipeline(
      source: camera,
      outputs: [
        Output(name: "window", sink: window, policy: .latest),
        Output(name: "recording", sink: recording, policy: .buffered(100, thenDrop: .oldest)),
      ], capacity: 4, maximumAge: maximumAge, onEvent: events.note)
  }

  @Test func aPausedFrameIsShownAgainAndNotRecordedAgain() throws {
    let pipeline = pipeline()
    let run = Running(pipeline)
    let intake = try camera.intake
    intake.deliver(0..<1)
    window.waitForFrame(0)
    recording.waitForFrame(0)
    pipeline.pause()
    events.wait(for: "paused after 0")
    let changed = Watched(false)
    pipeline.change("curve") { changed.update { $0 = true } }
    pipeline.redraw()
    events.wait(for: "changed curve before 0")
    window.entries.wait { $0.count == 2 }
    #expect(changed.value)
    pipeline.resume()
    intake.deliver(1..<2)
    intake.end()
    #expect(try run.end() == .finished)
    #expect(window.frames == [0, 0, 1])
    #expect(recording.frames == [0, 1])
    // What is shown again is no further frame.
    #expect(pipeline.progress.outputs.map(\.frames) == [2, 2])
  }

  @Test func aSilentSourceIsShownAgain() throws {
    let pipeline = pipeline()
    let run = Running(pipeline)
    let intake = try camera.intake
    // There is nothing to show yet.
    pipeline.redraw()
    intake.deliver(0..<1)
    window.waitForFrame(0)
    intake.pause()
    pipeline.redraw()
    window.entries.wait { $0.count >= 2 }
    intake.end()
    _ = try run.end()
    #expect(Set(window.frames) == [0] && recording.frames == [0])
  }

  @Test func framesAreNotKeptWithoutAWindow() {
    let file = StreamPipeline(source: camera, outputs: [Output(name: "file", sink: recording)], capacity: 1)
    #expect(file.sourceFramesInFlight == 3)
    #expect(pipeline().sourceFramesInFlight == 7)
  }

  @Test func whatIsTooOldIsLeftOut() throws {
    let pipeline = pipeline(maximumAge: .seconds(100))
    let run = Running(pipeline)
    let intake = try camera.intake
    intake.deliver(numberedFrame(0), arrival: .now - .seconds(1000))
    intake.pass(Number(7))
    intake.deliver(numberedFrame(1), arrival: .now)
    intake.end()
    _ = try run.end()
    #expect(window.frames == [1] && recording.frames == [1])
    #expect(window.data == [7])
    #expect(pipeline.progress.droppedBeforeRendering == 1)
    #expect(events.words.value.contains("dropped 0"))
  }

  @Test func latencyHasAMedianAndARareWorst() throws {
    let pipeline = pipeline()
    let run = Running(pipeline)
    let intake = try camera.intake
    // 99 of a hundred frames have been under way for 500 s, one for 900 s.
    for number in 0..<100 {
      intake.deliver(numberedFrame(number), arrival: .now - .seconds(number == 40 ? 900 : 500))
      recording.waitForFrame(number)
    }
    intake.end()
    _ = try run.end()
    let latency = try #require(pipeline.progress.outputs[1].latency)
    // Beyond two seconds everything counts as the largest.
    #expect(latency.largest >= .seconds(900) && latency.median == latency.largest)
    #expect(latency.last >= .seconds(500) && latency.last < .seconds(900))
  }

  @Test func shortLatenciesAreDivided() throws {
    let pipeline = pipeline()
    let run = Running(pipeline)
    let intake = try camera.intake
    for number in 0..<200 {
      // Every tenth takes more than 1.5 s.
      intake.deliver(numberedFrame(number), arrival: .now - .milliseconds(number % 10 == 0 ? 1500 : 0))
      recording.waitForFrame(number)
    }
    intake.end()
    _ = try run.end()
    let latency = try #require(pipeline.progress.outputs[1].latency)
    #expect(latency.median < latency.percentile99 && latency.percentile99 >= .milliseconds(1500))
    #expect(latency.median < .milliseconds(1500) && latency.largest >= latency.percentile99)
  }
}

/// Outputs that take frames of a live source as they come.
@Suite struct TapTests {
  typealias Output = StreamPipeline.Output

  let camera = Camera()
  let window = Log()
  let recording = Log()
  let events = EventLog()

  private func pipeline(_ tap: @escaping @Sendable (CodedFrame) -> CodedFrame?) -> StreamPipeline {
    var output = Output(name: "recording", sink: recording, policy: .buffered(100, thenDrop: .oldest))
    output.tap = tap
    return StreamPipeline(
      source: camera, outputs: [Output(name: "window", sink: window, policy: .latest), output], capacity: 1,
      onEvent: events.note)
  }

  /// Neither a pause nor rendering that stands still costs the recording a frame.
  @Test func aPauseCostsTheRecordingNothing() throws {
    let pipeline = pipeline { $0 }
    let run = Running(pipeline) { frame, _ in [.frame(frame), .nothing] }
    let intake = try camera.intake
    intake.deliver(0..<1)
    window.waitForFrame(0)
    pipeline.pause()
    events.wait(for: "paused after 0")
    for number in 1..<50 {
      intake.deliver(number..<number + 1)
      recording.waitForFrame(number)
    }
    pipeline.resume()
    intake.end()
    #expect(try run.end() == .finished)
    #expect(recording.frames == Array(0..<50))
    #expect(window.frames == [0, 49])
    #expect(pipeline.progress.outputs[1].frames == 50 && pipeline.progress.outputs[1].dropped == 0)
  }

  /// What is not taken as it comes is rendered.
  @Test func whatIsNotTakenIsRendered() throws {
    let pipeline = pipeline { $0.number % 2 == 0 ? $0 : nil }
    let run = Running(pipeline) { frame, _ in [.nothing, frame.number % 2 == 0 ? .nothing : .frame(frame)] }
    let intake = try camera.intake
    for number in 0..<10 {
      intake.deliver(number..<number + 1)
      recording.waitForFrame(number)
    }
    intake.end()
    _ = try run.end()
    #expect(recording.frames == Array(0..<10))
  }

  @Test func nothingIsTakenAfterTheEnd() throws {
    let pipeline = pipeline { $0 }
    let run = Running(pipeline) { frame, _ in [.frame(frame), .nothing] }
    let intake = try camera.intake
    intake.deliver(0..<1)
    recording.waitForFrame(0)
    pipeline.cancel()
    _ = try run.end()
    intake.deliver(1..<2)
    #expect(recording.frames == [0])
  }

  /// A window that hangs has a second at the end, whatever its fate.
  @Test func aWindowThatHangsHoldsUpNothing() throws {
    let stuck = Gate.closed()
    let frozen = Log { _ in stuck.waitUntilOpen() }
    let file = Log()
    let pipeline = StreamPipeline(
      source: camera,
      outputs: [
        Output(name: "window", sink: Interruptible(frozen, stuck), policy: .latest),
        Output(name: "recording", sink: file, policy: .buffered(10, thenDrop: .oldest)),
      ], capacity: 1)
    let run = Running(pipeline)
    let intake = try camera.intake
    intake.deliver(0..<1)
    file.waitForFrame(0)
    intake.end()
    #expect(try run.end() == .finished)
    #expect(file.frames == [0])
  }

  /// A sink that an interruption frees.
  private final class Interruptible: FrameSink {
    private let sink: Log
    private let gate: Gate

    init(_ sink: Log, _ gate: Gate) { (self.sink, self.gate) = (sink, gate) }

    func write(_ frame: CodedFrame) throws { try sink.write(frame) }
    func pass(_ data: any PassingData) throws { try sink.pass(data) }
    func interrupt() { gate.open() }
  }
}

/// A window that takes twice as long as frames come apart.
@Suite struct HalfRateTests {
  @Test func framesAreDroppedAndCountedAndNeverOld() throws {
    let interval = 0.02
    let camera = Camera()
    let delivered = Watched(-1)
    let ages = Watched<[Int]>([])
    let window = Log { number in
      ages.update { $0.append(delivered.value - number) }
      Thread.sleep(forTimeInterval: 2 * interval)
    }
    let pipeline = StreamPipeline(
      source: camera, outputs: [StreamPipeline.Output(name: "window", sink: window, policy: .latest)], capacity: 1)
    let run = Running(pipeline)
    let intake = try camera.intake
    for number in 0..<100 {
      delivered.update { $0 = number }
      intake.deliver(numberedFrame(number), arrival: .now)
      Thread.sleep(forTimeInterval: interval)
    }
    intake.end()
    _ = try run.end()
    let progress = pipeline.progress
    let (shown, dropped) = (progress.outputs[0].frames, progress.outputs[0].dropped + progress.droppedBeforeRendering)
    #expect(shown + dropped == 100 && dropped > 20)
    // What is presented is the newest frame or the one before, but for moments of a busy machine.
    #expect(ages.value.filter { $0 > 1 }.count < ages.value.count / 4, "\(ages.value)")
    let latency = try #require(progress.outputs[0].latency)
    print(
      "half the rate: \(latency.median / .seconds(interval)) frames, 99 % \(latency.percentile99 / .seconds(interval))")
  }
}
