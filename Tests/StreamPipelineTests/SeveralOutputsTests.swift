import Frames
import StreamPipeline
import Synchronization
import Testing

@Suite struct SeveralOutputsTests {
  typealias Output = StreamPipeline.Output

  /// A file, a window that stalls again and again until the file is 500 frames further on, and a sink that fails.
  @Test func threeSinksOfTenThousandFrames() throws {
    let (count, failing) = (10_000, 1_234)
    let file = Log()
    let nextStall = Watched(0)
    let window = Log { number in
      guard number >= nextStall.value else { return }
      file.waitForFrame(min(number + 500, count - 1))
      nextStall.update { $0 = number + 1000 }
    }
    let failed = Log { if $0 == failing { throw Broken(place: "sink") } }
    let events = EventLog()
    let pipeline = StreamPipeline(
      source: Numbers(count),
      outputs: [
        Output(name: "file", sink: file),
        Output(name: "window", sink: window, policy: .latest, takesPassingData: false),
        Output(name: "failed", sink: failed, fate: .optional),
      ], onEvent: events.note)
    let offered = Watched([0, 0, 0])
    let run = Running(pipeline) { frame, open in
      (0..<3).map { index in
        guard open.contains(index) else { return .nothing }
        offered.update { $0[index] += 1 }
        return .frame(frame)
      }
    }
    #expect(try run.end() == .finished)
    #expect(file.frames == Array(0..<count))
    #expect(file.data == Array(0..<count))

    let words = events.words.value
    let dropped = words.compactMap { $0.hasPrefix("dropped window ") ? Int($0.dropFirst(15)) : nil }
    #expect(window.frames == window.frames.sorted())
    #expect(window.frames.last == count - 1)
    #expect(window.data.isEmpty)
    // Each stall costs all frames but the one that waits.
    #expect(dropped.count >= 9 * 498)
    #expect((window.frames + dropped).sorted() == Array(0..<count))

    #expect(failed.frames == Array(0..<failing))
    #expect(words.count { $0.hasPrefix("failed") } == 1)
    #expect(words.contains("failed failed sink"))
    // With the frame that failed one more waits and one more is rendered.
    #expect(offered.value[0] == count && offered.value[2] <= failing + 3)

    let outputs = pipeline.progress.outputs
    #expect(outputs.map(\.frames) == [count, window.frames.count, failing])
    #expect(outputs.map(\.dropped) == [0, dropped.count, 0])
    #expect(outputs.map(\.isOpen) == [true, true, false])
    #expect(outputs.map(\.name) == ["file", "window", "failed"])
    #expect(outputs[0].latency == nil)
  }

  @Test func anOutputWithoutAFrameStillGetsItsData() throws {
    let (all, third) = (Log(), Log())
    let pipeline = StreamPipeline(
      source: Numbers(30), outputs: [Output(name: "all", sink: all), Output(name: "third", sink: third)])
    let run = Running(pipeline) { frame, _ in [.frame(frame), frame.number % 3 == 0 ? .frame(frame) : .nothing] }
    #expect(try run.end() == .finished)
    #expect(all.frames == Array(0..<30))
    #expect(third.frames == Array(stride(from: 0, to: 30, by: 3)))
    #expect(third.data == Array(0..<30))
  }

  @Test func aStalledWindowHoldsUpNobody() throws {
    let (inside, file) = (Gate.closed(), Log())
    let window = Log { number in
      guard number == 0 else { return }
      inside.open()
      file.waitForFrame(199)
    }
    let pipeline = StreamPipeline(
      source: Numbers(200),
      outputs: [
        // What the file has, the window was offered before.
        Output(name: "window", sink: window, policy: .latest),
        Output(name: "file", sink: file),
      ])
    let run = Running(pipeline) { frame in
      if frame.number == 1 { inside.waitUntilOpen() }
      return frame
    }
    #expect(try run.end() == .finished)
    #expect(window.frames == [0, 199])
    #expect(pipeline.progress.outputs[0].dropped == 198)
  }

  @Test func aFullBufferDropsTheOldestFramesButNoData() throws {
    let (inside, file) = (Gate.closed(), Log())
    let recording = Log { number in
      guard number == 0 else { return }
      inside.open()
      file.waitForFrame(99)
    }
    let events = EventLog()
    let pipeline = StreamPipeline(
      source: Numbers(100),
      outputs: [
        // What the file has, the recording was offered before.
        Output(name: "recording", sink: recording, policy: .buffered(3, thenDrop: .oldest)),
        Output(name: "file", sink: file, takesPassingData: false),
      ], onEvent: events.note)
    let run = Running(pipeline) { frame in
      if frame.number == 1 { inside.waitUntilOpen() }
      return frame
    }
    #expect(try run.end() == .finished)
    let dropped = (1...96).map { "dropped recording \($0)" }
    #expect(events.words.value == dropped)
    #expect(pipeline.progress.outputs[0].dropped == 96)
    #expect(pipeline.progress.outputs[0].frames == 4)
    let data = (1...97).map { Log.Entry.data($0) }
    #expect(
      recording.entries.value
        == [.data(0), .frame(0)] + data + [.frame(97), .data(98), .frame(98), .data(99), .frame(99)])
    #expect(file.data.isEmpty)
  }
}
