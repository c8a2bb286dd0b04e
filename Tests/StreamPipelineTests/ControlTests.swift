import Frames
import Media
import StreamPipeline
import Synchronization
import Testing

@Suite struct ControlTests {
  typealias Output = StreamPipeline.Output

  let sink = Log()
  let events = EventLog()

  func pipeline(_ count: Int) -> StreamPipeline {
    StreamPipeline(source: Numbers(count), outputs: [Output(name: "file", sink: sink)], onEvent: events.note)
  }

  @Test func aPauseEndsAtAFrameThatIsNamed() throws {
    let pipeline = pipeline(100)
    let run = Running(pipeline) { frame in
      if frame.number == 10 || frame.number == 50 { pipeline.pause() }
      return frame
    }
    events.wait(for: "paused after 10")
    sink.waitForFrame(10)
    pipeline.step()
    pipeline.step()
    sink.waitForFrame(12)
    #expect(sink.frames == Array(0...12))
    pipeline.resume()
    events.wait(for: "paused after 50")
    pipeline.resume()
    #expect(try run.end() == .finished)
    #expect(sink.frames == Array(0..<100))
    #expect(sink.data == Array(0..<100))
    #expect(
      events.words.value == [
        "paused after 10", "stepped 11", "stepped 12", "resumed after 12", "paused after 50", "resumed after 50",
      ])
  }

  @Test func stepsAndPausesThatMeanNothingDoNothing() throws {
    let pipeline = pipeline(20)
    pipeline.step()
    pipeline.resume()
    // It never comes to a frame boundary.
    pipeline.pause()
    pipeline.resume()
    #expect(try Running(pipeline).end() == .finished)
    #expect(sink.frames == Array(0..<20))
    #expect(events.words.value.isEmpty)
  }

  @Test func aChangeDuringAPauseWaitsForTheNextFrame() throws {
    let gain = Atomic(1)
    let gains = Mutex<[Int]>([])
    let pipeline = pipeline(30)
    let run = Running(pipeline) { frame in
      gains.withLock { $0.append(gain.load(ordering: .relaxed)) }
      if frame.number == 4 { pipeline.pause() }
      return frame
    }
    events.wait(for: "paused after 4")
    #expect(pipeline.change("gain") { gain.store(2, ordering: .relaxed) })
    #expect(pipeline.change("gain again") { gain.store(3, ordering: .relaxed) })
    pipeline.step()
    events.wait(for: "changed gain again before 5")
    pipeline.resume()
    _ = try run.end()
    #expect(gains.withLock { $0 } == Array(repeating: 1, count: 5) + Array(repeating: 3, count: 25))
    #expect(
      events.words.value == [
        "paused after 4", "stepped 5", "changed gain before 5", "changed gain again before 5", "resumed after 5",
      ])
  }

  /// Changes come from another thread at any time, and each affects exactly the frames from the named one on.
  @Test func aChangeNamesTheFirstFrameThatItAffects() throws {
    let value = Atomic(0)
    let seen = Mutex<[Int]>([])
    let pipeline = pipeline(1_000_000)
    let run = Running(pipeline) { frame in
      seen.withLock { $0.append(value.load(ordering: .relaxed)) }
      return frame
    }
    for number in 1...50 {
      sink.waitForFrame(number * 20)
      pipeline.change("\(number)") { value.store(number, ordering: .relaxed) }
    }
    events.words.wait { $0.count == 50 }
    pipeline.cancel()
    _ = try run.end()
    let values = seen.withLock { $0 }
    for number in 1...50 {
      let word = try #require(events.words.value.first { $0.hasPrefix("changed \(number) ") })
      let frame = try #require(word.split(separator: " ").last.flatMap { Int($0) })
      #expect(values[frame] >= number && values[frame - 1] < number)
    }
  }

  @Test func eachChangeIsMadeOnce() throws {
    let count = Atomic(0)
    let pipeline = pipeline(3)
    let run = Running(pipeline) { frame in
      if frame.number == 2 { pipeline.change("late") { count.add(1, ordering: .relaxed) } }
      return frame
    }
    _ = try run.end()
    #expect(count.load(ordering: .relaxed) == 1)
    #expect(events.words.value == ["changed late before none"])
    #expect(!pipeline.change("too late") { count.add(1, ordering: .relaxed) })
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func cancellingEndsAPause() throws {
    let pipeline = pipeline(1_000_000)
    let run = Running(pipeline) { frame in
      if frame.number == 7 { pipeline.pause() }
      return frame
    }
    events.wait(for: "paused after 7")
    pipeline.cancel()
    pipeline.pause()
    #expect(try run.end() == .cancelled)
    #expect(sink.frames.count >= 8 && sink.frames.count < 15)
    #expect(sink.frames == Array(0..<sink.frames.count))
    #expect(
      events.words.value
        == ["paused after 7", "cancelled after \(sink.frames.count - 1)"])
  }

  @Test func aFailureEndsAPause() throws {
    let events = events
    let failing = Log { number in
      guard number == 7 else { return }
      events.wait(for: "paused after 7")
      throw Broken(place: "sink")
    }
    let pipeline = StreamPipeline(
      source: Numbers(100), outputs: [Output(name: "file", sink: failing)], onEvent: events.note)
    let run = Running(pipeline) { frame in
      if frame.number == 7 { pipeline.pause() }
      return frame
    }
    #expect(throws: Broken(place: "sink")) { try run.end() }
    #expect(failing.frames == Array(0..<7))
  }

  @Test(arguments: [10, 11]) func aFileThatEndsDuringAPauseStaysPaused(_ last: Int) throws {
    let pipeline = pipeline(12)
    let run = Running(pipeline) { frame in
      if frame.number == last { pipeline.pause() }
      return frame
    }
    events.wait(for: "paused after \(last)")
    sink.waitForFrame(last)
    #expect(pipeline.progress.frames == last + 1)
    #expect(!run.hasEnded(within: 0.05))
    pipeline.resume()
    #expect(try run.end() == .finished)
    #expect(sink.frames == Array(0..<12))
  }

  @Test func aChangeMayFail() throws {
    let events = EventLog()
    let (started, changed) = (Gate.closed(), Gate.closed())
    let pipeline = StreamPipeline(
      source: Numbers(20), outputs: [Output(name: "file", sink: Log())], onEvent: events.note)
    let run = Running(pipeline) { frame in
      if frame.number == 3 {
        started.open()
        changed.waitUntilOpen()
      }
      return frame
    }
    started.waitUntilOpen()
    pipeline.change("curve") { throw Broken(place: "curve") }
    changed.open()
    #expect(try run.end() == .finished)
    #expect(events.words.value == ["change failed curve curve"])
  }

  /// What a file's source throws because it was interrupted is no error.
  @Test func cancellingInterruptsTheSource() throws {
    final class Waiting: FrameSource {
      let (waits, interrupted) = (Gate.closed(), Gate.closed())
      private let frames = Numbers(3)

      func read() throws -> StreamItem? {
        if let item = try frames.read() { return item }
        waits.open()
        interrupted.waitUntilOpen()
        throw Broken(place: "source")
      }

      func interrupt() { interrupted.open() }
    }
    let source = Waiting()
    let pipeline = StreamPipeline(source: source, outputs: [Output(name: "file", sink: sink)], onEvent: events.note)
    let run = Running(pipeline)
    source.waits.waitUntilOpen()
    pipeline.cancel()
    #expect(try run.end() == .cancelled)
    #expect(sink.frames == [0, 1, 2])
  }
}
