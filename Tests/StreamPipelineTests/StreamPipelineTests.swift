import Frames
internal import Media
import Synchronization
import Testing

import StreamPipeline

@Suite struct StreamPipelineTests {
  final class Collector: FrameSink {
    let times = Mutex<[Int64]>([])
    let passed = Mutex<[Int]>([])
    let failing: Int?

    init(failing: Int? = nil) { self.failing = failing }

    func write(_ frame: CodedFrame) throws {
      if let failing, frame.time.presentation == failing { throw Broken(place: "sink") }
      times.withLock { $0.append(frame.time.presentation) }
    }

    func pass(_ data: any PassingData) throws {
      // Passing data precedes the frame that it came with.
      #expect((data as? Number)?.value == times.withLock { $0.count })
      passed.withLock { $0.append((data as? Number)?.value ?? -1) }
    }
  }

  @Test func keepsOrderAndLosesNothing() throws {
    let sink = Collector()
    let pipeline = StreamPipeline(source: Numbers(500), sink: sink)
    #expect(try pipeline.run { $0 } == .finished)
    #expect(sink.times.withLock { $0 } == Array(0..<500))
    #expect(sink.passed.withLock { $0 } == Array(0..<500))
    #expect(pipeline.progress.frames == 500)
    #expect(pipeline.progress.time?.presentation == 499)
  }

  @Test func readsAheadNoFurtherThanItsDepth() throws {
    let source = Numbers(100)
    let pipeline = StreamPipeline(source: source, sink: Collector(), depth: 2)
    var rendered = 0
    _ = try pipeline.run { frame in
      rendered += 1
      // Two wait, one is being read, one is here.
      #expect(source.next.load(ordering: .relaxed) <= rendered + 3)
      return frame
    }
  }

  @Test(arguments: ["source", "render", "sink"])
  func theFirstErrorEndsEverything(_ place: String) {
    let source = Numbers(1000, failing: place == "source" ? 20 : nil)
    let sink = Collector(failing: place == "sink" ? 20 : nil)
    #expect(throws: Broken(place: place)) {
      _ = try StreamPipeline(source: source, sink: sink).run { frame in
        if place == "render", frame.time.presentation == 20 { throw Broken(place: place) }
        return frame
      }
    }
    #expect(sink.times.withLock { $0.count } <= 20)
    #expect(source.next.load(ordering: .relaxed) < 100)
  }

  @Test func cancellingWritesWhatWasRead() throws {
    let (source, sink) = (Numbers(1_000_000), Collector())
    let pipeline = StreamPipeline(source: source, sink: sink)
    let outcome = try pipeline.run { frame in
      if frame.time.presentation == 50 { pipeline.cancel() }
      return frame
    }
    #expect(outcome == .cancelled)
    let times = sink.times.withLock { $0 }
    #expect(times.count > 50 && times.count < 60)
    #expect(times == Array(0..<Int64(times.count)))
  }
}
