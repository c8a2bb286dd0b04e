import ColorScience
import Frames
internal import Media
import StreamPipeline
import Testing

/// No more frames are alive than the pipeline says, and as many can be.
@Suite struct MemoryTests {
  typealias Output = StreamPipeline.Output

  /// Makes frames, and knows how many are alive.
  final class Mint: Sendable {
    private final class Owner: Sendable {
      let mint: Mint
      init(_ mint: Mint) { self.mint = mint }
      deinit { mint.alive.update { $0.count -= 1 } }
    }

    private let alive = Watched((count: 0, most: 0))
    private let format = numberedFrame(0)

    var most: Int { alive.value.most }

    @Sendable func frame(_ number: Int) -> CodedFrame {
      alive.update {
        $0.count += 1
        $0.most = max($0.most, $0.count)
      }
      let planes = unsafe (0..<format.layout.planeCount).map { unsafe format.withPlane($0) { unsafe $0 } }
      return unsafe CodedFrame(
        size: format.size, layout: format.layout, color: format.color, time: time(number), planes: planes,
        owner: Owner(self))
    }
  }

  @Test(arguments: [0, 1, 3]) func aFileWithOneOutput(_ depth: Int) throws {
    let mint = Mint()
    let source = Numbers(200, make: mint.frame)
    // Frame 0 is being written, `depth` frames wait for the sink, one is rendered, and `depth` + 1 are read ahead.
    let (last, full) = (depth + 1, Gate.closed())
    let sink = Log { if $0 == 0 { full.waitUntilOpen() } }
    let read = Watched(0)
    let pipeline = StreamPipeline(source: Watching(source, read), sink: sink, depth: depth)
    let run = Running(pipeline) { frame in
      let result = mint.frame(frame.number)
      if frame.number == last {
        read.wait { $0 == last + 1 + depth + 1 }
        full.open()
      }
      return result
    }
    #expect(try run.end() == .finished)
    #expect(pipeline.framesInFlight == 2 * depth + 4)
    #expect(mint.most == pipeline.framesInFlight)
  }

  /// Passes frames on and counts them.
  final class Watching: FrameSource {
    private let source: any FrameSource
    private let count: Watched<Int>

    init(_ source: any FrameSource, _ count: Watched<Int>) {
      self.source = source
      self.count = count
    }

    func read() throws -> StreamItem? {
      let item = try source.read()
      count.update { $0 += 1 }
      return item
    }

    func interrupt() { source.interrupt() }
  }

  @Test func aLiveSourceWithAWindow() throws {
    let (mint, camera) = (Mint(), Camera())
    let (rendering, delivered) = (Gate.closed(), Gate.closed())
    let writing = Gate.closed()
    let window = Log { number in
      guard number == 0 else { return }
      writing.open()
      delivered.waitUntilOpen()
    }
    let pipeline = StreamPipeline(
      source: camera, outputs: [Output(name: "window", sink: window, policy: .latest)], capacity: 3)
    let run = Running(pipeline) { frame in
      let result = mint.frame(frame.number)
      if frame.number == 2 {
        rendering.open()
        delivered.waitUntilOpen()
      }
      return result
    }
    let intake = try camera.intake
    intake.deliver(mint.frame(0), arrival: .now)
    writing.waitUntilOpen()
    for number in 1...2 { intake.deliver(mint.frame(number), arrival: .now) }
    rendering.waitUntilOpen()
    for number in 3..<20 { intake.deliver(mint.frame(number), arrival: .now) }
    delivered.open()
    intake.end()
    #expect(try run.end() == .finished)
    #expect(pipeline.framesInFlight == (3 + 3) + (1 + 2))
    #expect(mint.most == pipeline.framesInFlight)
  }

  /// Pools of exactly the stated sizes never make the run wait for itself.
  @Test func poolsOfTheStatedSizesAreLargeEnough() throws {
    let format = PixelFormat(
      size: Size(width: 2, height: 2), layout: PixelLayout(.ycbcr420, bitDepth: 8), color: .bt709)
    // Each stalls until the file is some frames further on, or has all.
    let file = Log()
    let stalls: [Log] = [7, 31].map { step in
      Log { number in if number % step == 0 { file.waitForFrame(min(number + 20, 399)) } }
    }
    let outputs = [
      Output(name: "window", sink: stalls[0], policy: .latest),
      Output(name: "recording", sink: stalls[1], policy: .buffered(5, thenDrop: .oldest)),
      Output(name: "file", sink: file),
    ]
    let sizes = StreamPipeline(source: Numbers(0), outputs: outputs, depth: 1)
    #expect((0..<3).map { sizes.framesInFlight(output: $0) } == [3, 7, 3])
    #expect(sizes.sourceFramesInFlight == 4 && sizes.framesInFlight == 17)

    let sourcePool = FramePool(format, capacity: sizes.sourceFramesInFlight)
    let pools = (0..<3).map { FramePool(format, capacity: sizes.framesInFlight(output: $0)) }
    let pipeline = StreamPipeline(
      source: Numbers(400) { sourcePool.frame(time: time($0)) }, outputs: outputs, depth: 1)
    let run = Running(pipeline) { frame, _ in pools.map { .frame($0.frame(time: frame.time)) } }
    #expect(try run.end() == .finished)
    #expect(file.frames == Array(0..<400))
    for (output, log) in zip(pipeline.progress.outputs, stalls) {
      #expect(output.frames + output.dropped == 400 && output.frames == log.frames.count)
    }
  }
}
