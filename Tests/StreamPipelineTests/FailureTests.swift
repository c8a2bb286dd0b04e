import Foundation
import Frames
internal import Media
import StreamPipeline
import Synchronization
import Testing
import Threads

/// Whatever fails, and whoever is waiting, the run ends.
@Suite struct FailureTests {
  typealias Output = StreamPipeline.Output

  @Test(arguments: ["source", "render", "sink"], [0, 3])
  func aFailureWhileASinkStalls(_ place: String, depth: Int) throws {
    let (stalled, failed, released) = (Gate.closed(), Gate.closed(), Gate.closed())
    let slow = Log { number in
      guard number == 5 else { return }
      stalled.open()
      released.waitUntilOpen()
    }
    let fast = Log { number in
      guard place == "sink", number == 5 else { return }
      stalled.waitUntilOpen()
      failed.open()
      throw Broken(place: place)
    }
    let pipeline = StreamPipeline(
      source: Numbers(1000, failing: place == "source" ? 6 : nil),
      outputs: [Output(name: "slow", sink: slow), Output(name: "fast", sink: fast)], depth: depth)
    let run = Running(pipeline) { frame in
      if frame.number == 5, place == "source" { failed.open() }
      if frame.number == 6, place == "render" {
        stalled.waitUntilOpen()
        failed.open()
        throw Broken(place: place)
      }
      return frame
    }
    stalled.waitUntilOpen()
    failed.waitUntilOpen()
    released.open()
    #expect(throws: Broken(place: place)) { try run.end() }
    // The frame that it was in is written; after that nothing is, once the failure is known.
    #expect(slow.frames.prefix(6) == Array(0..<6)[...])
    #expect(place == "sink" || slow.frames.count == 6)
  }

  /// A sink that is blocked for good, such as one that waits for another program.
  private final class Blocked: FrameSink {
    let (isBlocked, interrupted) = (Gate.closed(), Gate.closed())

    func write(_ frame: CodedFrame) throws {
      isBlocked.open()
      interrupted.waitUntilOpen()
      throw Broken(place: "interrupted")
    }

    func pass(_ data: any PassingData) {}

    func interrupt() { interrupted.open() }
  }

  /// The error of the run is the first one, not the one that the interruption leads to.
  @Test(arguments: [0, 3]) func aFailureInterruptsABlockedSink(_ depth: Int) throws {
    let blocked = Blocked()
    let failing = Log { _ in
      blocked.isBlocked.waitUntilOpen()
      throw Broken(place: "sink")
    }
    let pipeline = StreamPipeline(
      source: Numbers(1000),
      outputs: [Output(name: "blocked", sink: blocked), Output(name: "failing", sink: failing)], depth: depth)
    #expect(throws: Broken(place: "sink")) { try Running(pipeline).end() }
  }

  /// Rendering fails for one of three outputs, from some frame on.
  private func failedRendering(_ fate: StreamPipeline.Fate, _ sink: any FrameSink) -> (Running, Log, EventLog) {
    let (file, events) = (Log(), EventLog())
    let pipeline = StreamPipeline(
      source: Numbers(200),
      outputs: [
        Output(name: "file", sink: file), Output(name: "window", sink: sink, policy: .latest, fate: fate),
      ], onEvent: events.note)
    let run = Running(pipeline) { frame, open in
      #expect(open.contains(1) == (frame.number <= 20) || fate == .essential)
      return [.frame(frame), frame.number < 20 ? .frame(frame) : .failed(Broken(place: "rendering"))]
    }
    return (run, file, events)
  }

  @Test func renderingMayFailForAnOptionalOutput() throws {
    let (run, file, events) = failedRendering(.optional, Log())
    #expect(try run.end() == .finished)
    #expect(file.frames == Array(0..<200))
    #expect(events.words.value.filter { $0.hasPrefix("failed") } == ["failed window rendering"])
  }

  @Test func renderingMayFailWhileTheOutputsSinkIsBlocked() throws {
    let (run, file, events) = failedRendering(.optional, Blocked())
    #expect(try run.end() == .finished)
    #expect(file.frames == Array(0..<200))
    #expect(events.words.value.filter { $0.hasPrefix("failed") } == ["failed window rendering"])
  }

  @Test func renderingFailsForAnEssentialOutput() throws {
    let (run, file, events) = failedRendering(.essential, Log())
    #expect(throws: Broken(place: "rendering")) { try run.end() }
    #expect(file.frames.count <= 20)
    #expect(!events.words.value.contains { $0.hasPrefix("failed") })
  }

  /// What the interruption of a healthy sink leads to is no event.
  @Test func anInterruptionIsNoFailure() throws {
    let (blocked, events) = (Blocked(), EventLog())
    let failing = Log { _ in
      blocked.isBlocked.waitUntilOpen()
      throw Broken(place: "sink")
    }
    let pipeline = StreamPipeline(
      source: Numbers(1000),
      outputs: [
        Output(name: "blocked", sink: blocked, policy: .latest, fate: .optional),
        Output(name: "failing", sink: failing),
      ], onEvent: events.note)
    #expect(throws: Broken(place: "sink")) { try Running(pipeline).end() }
    #expect(!events.words.value.contains { $0.hasPrefix("failed") })
  }

  /// Everything else is complete, or cancelled: a window that stalls is interrupted. A slow one gets its last frame.
  @Test(arguments: [false, true]) func aStalledWindowIsInterruptedAtTheEnd(_ isCancelled: Bool) throws {
    let (blocked, file, slow) = (Blocked(), Log(), Log { _ in Thread.sleep(forTimeInterval: 0.2) })
    let pipeline = StreamPipeline(
      source: Numbers(isCancelled ? 1_000_000 : 20),
      outputs: [
        Output(name: "blocked", sink: blocked, policy: .latest, fate: .optional),
        Output(name: "slow", sink: slow, policy: .latest, fate: .optional), Output(name: "file", sink: file),
      ])
    let run = Running(pipeline)
    blocked.isBlocked.waitUntilOpen()
    if isCancelled { pipeline.cancel() }
    #expect(try run.end() == (isCancelled ? .cancelled : .finished))
    #expect(slow.frames.last == file.frames.last)
  }

  @Test(arguments: [0, 3])
  func cancellingWhileASinkStallsWritesWhatWasRead(_ depth: Int) throws {
    let (stalled, released) = (Gate.closed(), Gate.closed())
    let slow = Log { number in
      guard number == 5 else { return }
      stalled.open()
      released.waitUntilOpen()
    }
    let (source, fast) = (Numbers(1_000_000), Log())
    let pipeline = StreamPipeline(
      source: source, outputs: [Output(name: "slow", sink: slow), Output(name: "fast", sink: fast)], depth: depth)
    let run = Running(pipeline)
    stalled.waitUntilOpen()
    pipeline.cancel()
    released.open()
    #expect(try run.end() == .cancelled)
    let read = source.next.load(ordering: .relaxed)
    #expect(read < 100)
    #expect(slow.frames == Array(0..<read))
    #expect(fast.frames == Array(0..<read))
  }

  /// Its queue is full, and rendering waits for room in it.
  @Test func anOptionalSinkFailsWhileItsQueueIsFull() throws {
    let rendered = Watched(0)
    let failing = Log { number in
      guard number == 5 else { return }
      // Two wait, and one more has been rendered.
      rendered.wait { $0 == 9 }
      throw Broken(place: "sink")
    }
    let (file, events) = (Log(), EventLog())
    let pipeline = StreamPipeline(
      source: Numbers(500),
      outputs: [Output(name: "optional", sink: failing, fate: .optional), Output(name: "file", sink: file)],
      depth: 2, onEvent: events.note)
    let run = Running(pipeline) { frame in
      rendered.update { $0 = frame.number + 1 }
      return frame
    }
    #expect(try run.end() == .finished)
    #expect(failing.frames == Array(0..<5))
    #expect(file.frames == Array(0..<500))
    #expect(events.words.value == ["failed optional sink"])
  }

  @Test func anOptionalSinkMayFailOnData() throws {
    final class Picky: FrameSink {
      func write(_ frame: CodedFrame) {}
      func pass(_ data: any PassingData) throws { throw Broken(place: "data") }
    }
    let (file, events) = (Log(), EventLog())
    let pipeline = StreamPipeline(
      source: Numbers(50),
      outputs: [Output(name: "picky", sink: Picky(), fate: .optional), Output(name: "file", sink: file)],
      onEvent: events.note)
    #expect(try Running(pipeline).end() == .finished)
    #expect(file.frames.count == 50)
    #expect(events.words.value == ["failed picky data"])
  }

  @Test func theRunEndsWhenAllOptionalSinksHaveFailed() throws {
    let events = EventLog()
    let outputs = ["a", "b"].map { name in
      Output(name: name, sink: Log { if $0 == 3 { throw Broken(place: name) } }, fate: .optional)
    }
    let source = Numbers(1_000_000)
    let pipeline = StreamPipeline(source: source, outputs: outputs, onEvent: events.note)
    #expect(try Running(pipeline).end() == .outputsFailed)
    #expect(events.words.value.sorted() == ["failed a a", "failed b b"])
    #expect(source.next.load(ordering: .relaxed) < 100)
  }

  /// Two sinks and the reader need three threads.
  @Test(arguments: 0..<3) func threadsRunOut(_ available: Int) {
    let left = Atomic(available)
    let threads = ThreadGroup { body throws(ThreadError) in
      guard left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 else { throw ThreadError(code: 11) }
      try SystemThread.start(body)
    }
    let outputs = [Output(name: "a", sink: Log()), Output(name: "b", sink: Log())]
    let pipeline = StreamPipeline(
      .file(Numbers(100)), outputs: outputs, capacity: 0, depth: 0, threads: threads, onEvent: nil)
    #expect(throws: ThreadError(code: 11)) { try Running(pipeline).end() }
    #expect(pipeline.progress.outputs.allSatisfy { $0.frames == 0 })
  }

  @Test func withoutThreadsALiveSourceIsNotStarted() {
    let threads = ThreadGroup { _ throws(ThreadError) in throw ThreadError(code: 11) }
    let camera = Camera()
    let pipeline = StreamPipeline(
      .live(camera), outputs: [Output(name: "a", sink: Log())], capacity: 1, depth: 0, threads: threads, onEvent: nil)
    #expect(throws: ThreadError(code: 11)) { try Running(pipeline).end() }
    #expect(camera.stops.value == 0)
  }

  /// A source that still has its intake does not keep the pipeline alive.
  @Test func theIntakeDoesNotKeepThePipeline() throws {
    final class Owned: FrameSink {
      let freed: Gate
      init(_ freed: Gate) { self.freed = freed }
      deinit { freed.open() }
      func write(_ frame: CodedFrame) {}
      func pass(_ data: any PassingData) {}
    }
    let (camera, freed) = (Camera(), Gate.closed())
    do {
      let pipeline = StreamPipeline(source: camera, outputs: [Output(name: "a", sink: Owned(freed))])
      pipeline.cancel()
      _ = try Running(pipeline).end()
    }
    freed.waitUntilOpen()
    #expect(try camera.intake.capacity == 2)
  }
}
