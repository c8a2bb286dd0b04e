import Foundation
import Frames
internal import Media
import StreamPipeline
import Testing

@Suite struct LiveSourceTests {
  typealias Output = StreamPipeline.Output

  let camera = Camera()
  let sink = Log()
  let events = EventLog()

  func pipeline(capacity: Int = 2) -> StreamPipeline {
    StreamPipeline(
      source: camera, outputs: [Output(name: "recording", sink: sink)], capacity: capacity, onEvent: events.note)
  }

  /// Rendering stands still while a thousand frames are delivered.
  @Test func theSourceIsNeverHeldUp() throws {
    let (rendering, delivered) = (Gate.closed(), Gate.closed())
    let pipeline = pipeline(capacity: 4)
    let run = Running(pipeline) { frame in
      rendering.open()
      delivered.waitUntilOpen()
      return frame
    }
    let intake = try camera.intake
    #expect(intake.capacity == 4)
    intake.deliver(0..<1)
    rendering.waitUntilOpen()
    Thread {
      for number in 1...1000 {
        intake.deliver(numberedFrame(number), arrival: .now, lostBefore: number % 100 == 0 ? 2 : 0)
      }
      delivered.open()
    }.start()
    delivered.waitUntilOpen()
    intake.end()
    #expect(try run.end() == .finished)
    #expect(sink.frames == [0, 997, 998, 999, 1000])
    let progress = pipeline.progress
    #expect(progress.droppedBeforeRendering == 996)
    #expect(progress.lost == 20)
    #expect(progress.outputs[0].dropped == 0)
    let words = events.words.value
    #expect(words.filter { $0.hasPrefix("dropped") } == (1...996).map { "dropped \($0)" })
    #expect(words.filter { $0.hasPrefix("lost") } == (1...10).map { "lost 2 before \($0 * 100)" })
  }

  @Test func latencyIsMeasuredFromArrival() throws {
    let pipeline = pipeline()
    let run = Running(pipeline)
    let intake = try camera.intake
    intake.deliver(numberedFrame(0), arrival: .now - .seconds(1000))
    sink.waitForFrame(0)
    intake.deliver(numberedFrame(1), arrival: .now)
    intake.end()
    _ = try run.end()
    let latency = try #require(pipeline.progress.outputs[0].latency)
    #expect(latency.largest >= .seconds(1000) && latency.largest < .seconds(1100))
    #expect(latency.last >= .zero && latency.last < .seconds(100))
  }

  @Test func nothingYetPausedAndEndAreDifferent() throws {
    let rendering = Gate.closed()
    let pipeline = pipeline(capacity: 3)
    let run = Running(pipeline) { frame in
      rendering.waitUntilOpen()
      return frame
    }
    let intake = try camera.intake
    #expect(pipeline.progress.source == .nothingYet)
    intake.pause()
    intake.pause()
    #expect(pipeline.progress.source == .paused)
    intake.resume()
    intake.resume()
    #expect(pipeline.progress.source == .nothingYet)
    intake.deliver(0..<3)
    // One is rendered at most; the others wait.
    #expect(pipeline.progress.source == .ready)
    intake.end()
    rendering.open()
    #expect(try run.end() == .finished)
    #expect(pipeline.progress.source == .ended)
    #expect(events.words.value == ["source paused", "source resumed"])
    #expect(sink.frames == [0, 1, 2])
    #expect(camera.stops.value == 1)
  }

  @Test func dataGoesAheadOfTheNextFrame() throws {
    let run = Running(pipeline())
    let intake = try camera.intake
    for number in 0..<50 {
      intake.pass(Number(number))
      intake.deliver(number..<number + 1)
      sink.waitForFrame(number)
    }
    intake.pass(Number(50))
    intake.end()
    _ = try run.end()
    #expect(sink.entries.value == (0..<50).flatMap { [.data($0), .frame($0)] } + [.data(50)])
  }

  @Test func whatCameBeforeTheSourceFailedIsWritten() throws {
    let run = Running(pipeline(capacity: 10))
    let intake = try camera.intake
    intake.deliver(0..<10)
    intake.end(throwing: Broken(place: "camera"))
    #expect(throws: Broken(place: "camera")) { try run.end() }
    #expect(sink.frames == Array(0..<10))
    #expect(camera.stops.value == 1)
  }

  @Test func aSourceThatDoesNotStartIsNotStopped() {
    let camera = Camera(failsToStart: true)
    let pipeline = StreamPipeline(source: camera, outputs: [Output(name: "file", sink: Log())])
    #expect(throws: Broken(place: "start")) { try Running(pipeline).end() }
    #expect(camera.stops.value == 0)
  }

  /// What waits is written; what comes later is neither taken nor counted, and no failure.
  @Test func afterCancellingTheSourceIsNotHeard() throws {
    let (rendering, cancelled) = (Gate.closed(), Gate.closed())
    let pipeline = pipeline(capacity: 5)
    let run = Running(pipeline) { frame in
      rendering.open()
      cancelled.waitUntilOpen()
      return frame
    }
    let intake = try camera.intake
    intake.deliver(0..<1)
    rendering.waitUntilOpen()
    intake.deliver(1..<6)
    pipeline.cancel()
    intake.deliver(numberedFrame(6), arrival: .now, lostBefore: 3)
    intake.pass(Number(6))
    intake.pause()
    intake.end(throwing: Broken(place: "camera"))
    cancelled.open()
    #expect(try run.end() == .cancelled)
    #expect(sink.entries.value == (0..<6).map { .frame($0) })
    #expect(pipeline.progress.lost == 0)
    #expect(events.words.value == ["cancelled after 5"])
    #expect(camera.stops.value == 1)
  }

  @Test func cancellingEndsTheWaitForFrames() throws {
    let pipeline = pipeline()
    let run = Running(pipeline)
    _ = try camera.intake
    pipeline.cancel()
    #expect(try run.end() == .cancelled)
  }

  /// Frames give way to newer ones; their data goes on at once.
  @Test func aPauseDropsTheOldestFrames() throws {
    let pipeline = pipeline(capacity: 3)
    pipeline.pause()
    let run = Running(pipeline)
    let intake = try camera.intake
    for number in 0..<10 {
      intake.pass(Number(number))
      intake.deliver(number..<number + 1)
    }
    sink.entries.wait { $0.count == 10 }
    #expect(sink.data == Array(0..<10))
    #expect(pipeline.progress.droppedBeforeRendering == 7)
    pipeline.resume()
    intake.end()
    #expect(try run.end() == .finished)
    #expect(sink.frames == [7, 8, 9])
    #expect(
      events.words.value.filter { !$0.hasPrefix("dropped") } == ["paused after none", "resumed after none"])
  }

  @Test func theRunEndsWhenTheOnlySinkHasFailed() throws {
    let camera = Camera()
    let sink = Log { _ in throw Broken(place: "sink") }
    let events = EventLog()
    let pipeline = StreamPipeline(
      source: camera, outputs: [Output(name: "window", sink: sink, policy: .latest, fate: .optional)],
      onEvent: events.note)
    let run = Running(pipeline)
    // Nothing follows the frame that fails: the run must not wait for more.
    try camera.intake.deliver(0..<1)
    #expect(try run.end() == .outputsFailed)
    #expect(events.words.value == ["failed window sink"])
    #expect(camera.stops.value == 1)
  }
}
