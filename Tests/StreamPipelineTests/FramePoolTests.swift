import ColorScience
import Foundation
import Frames
import Synchronization
import Testing

@Suite struct FramePoolTests {
  static let format = PixelFormat(
    size: Size(width: 2, height: 2), layout: PixelLayout(.ycbcr420, bitDepth: 8), color: .bt709)

  @Test func memoryIsUsedAgain() {
    let pool = FramePool(Self.format, capacity: 1)
    for number in 0..<100 {
      let frame = pool.frame(time: time(number))
      #expect(frame.number == number)
      #expect(frame.sample(plane: 0, x: 0, y: 0) == number)
      frame.setSample(number + 1, plane: 0, x: 0, y: 0)
    }
  }

  @Test func withoutACapacityNothingWaits() {
    let pool = FramePool(Self.format)
    let frames = (0..<100).map { pool.frame(time: time($0)) }
    #expect(frames.map(\.number) == Array(0..<100))
  }

  @Test func aFullPoolWaitsUntilAFrameIsGone() {
    let pool = FramePool(Self.format, capacity: 2)
    var held: CodedFrame? = pool.frame(time: time(0))
    let other = pool.frame(time: time(1)).at(time(7))
    let (order, asking) = (Watched<[String]>([]), Gate.closed())
    Thread {
      asking.open()
      let frame = pool.frame(time: time(2))
      order.update { $0.append("frame \(frame.number)") }
    }.start()
    asking.waitUntilOpen()
    // A pool without a limit would have the frame made by then; one with a limit passes however long this takes.
    Thread.sleep(forTimeInterval: 0.05)
    order.update { $0.append("gone") }
    #expect(held?.number == 0)
    held = nil
    order.wait { $0.count == 2 }
    #expect(order.value == ["gone", "frame 2"])
    #expect(other.number == 7)
  }

  @Test func neverMoreThanTheCapacityAreAlive() {
    let pool = FramePool(Self.format, capacity: 3)
    let alive = Atomic(0)
    let most = Atomic(0)
    let ended = Watched(0)
    for _ in 0..<8 {
      Thread {
        for number in 0..<500 {
          let frame = pool.frame(time: time(number))
          most.max(alive.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
          sched_yield()
          withExtendedLifetime(frame) { _ = alive.subtract(1, ordering: .relaxed) }
        }
        ended.update { $0 += 1 }
      }.start()
    }
    ended.wait { $0 == 8 }
    #expect(most.load(ordering: .relaxed) <= 3)
  }
}
