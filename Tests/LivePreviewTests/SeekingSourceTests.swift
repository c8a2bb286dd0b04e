import ColorScience
import Foundation
import Frames
import LivePreview
import Media
import Synchronization
import TestSupport
import Testing

import Sessions

/// Files that are seeked while they play.
@Suite struct SeekingSourceTests {
  private static func wait(until isReached: () -> Bool) throws { try #require(comesTrue { isReached() }) }

  /// Frames of a hundredth of a second each.
  private final class Film: FrameSource, Sendable {
    private let next: Mutex<Int>
    let last: Int

    init(from first: Int, last: Int) {
      next = Mutex(first)
      self.last = last
    }

    func read() -> StreamItem? {
      let index = next.withLock { next in
        defer { next += 1 }
        return next
      }
      guard index <= last else { return nil }
      return StreamItem(frame: SeekingSourceTests.frame(index))
    }

    func interrupt() {}
  }

  private struct Broken: Error {}

  private static let color = ColorDescription(
    primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .narrow)

  private static func frame(_ index: Int) -> CodedFrame {
    CodedFrame(
      size: Size(width: 2, height: 2), layout: PixelLayout(.ycbcr420, bitDepth: 8), color: color,
      time: FrameTime(presentation: Int64(index), duration: 1, timeBase: Rational(1, 100)))
  }

  private static func source(last: Int) -> SeekingSource {
    let source = SeekingSource(Film(from: 0, last: last), keepsAll: true) { seconds in
      if seconds > 90 { throw Broken() }
      return Film(from: Int((seconds * 100).rounded()), last: last)
    }
    source.paced.setHeld(true)
    return source
  }

  private static func next(_ source: SeekingSource) throws -> Int? {
    try source.read()?.frame.map { Int($0.time.presentation) }
  }

  @Test func itGoesOnWhereItIsSentTo() throws {
    let source = Self.source(last: 20)
    #expect(try [Self.next(source), Self.next(source)] == [0, 1])
    source.seek(to: 0.1)
    #expect(try [Self.next(source), Self.next(source)] == [10, 11])
    source.seek(to: 0.15)
    source.seek(to: 0.05)
    #expect(try Self.next(source) == 5)
  }

  /// A frame that was read before is not shown after.
  @Test func framesOnTheirWayAreStale() throws {
    let source = Self.source(last: 20)
    _ = try [source.read(), source.read()]
    #expect(source.takesNext())
    source.seek(to: 0.1)
    #expect(!source.takesNext())
    #expect(try Self.next(source) == 10)
    #expect(source.takesNext())
  }

  /// Beyond the last frame is the last frame.
  @Test func behindTheEndIsTheEnd() throws {
    let source = Self.source(last: 20)
    source.seek(to: 5)
    #expect(try Self.next(source) == 20)
  }

  /// Not the next one.
  @Test func theFrameThatIsShownThenIsFound() throws {
    let source = Self.source(last: 20)
    source.seek(to: 0.138)
    #expect(try [Self.next(source), Self.next(source), Self.next(source)] == [13, 14, 15])
  }

  @Test func atTheEndItWaits() throws {
    let source = Self.source(last: 1)
    let frames = Mutex<[Int]>([])
    let thread = Thread {
      while let item = try? source.read() {
        if let frame = item.frame { frames.withLock { $0.append(Int(frame.time.presentation)) } }
      }
    }
    thread.start()
    try Self.wait { source.hasEnded }
    #expect(frames.withLock { $0 } == [0, 1])
    source.seek(to: 0)
    try Self.wait { frames.withLock({ $0.count }) >= 4 && source.hasEnded }
    #expect(frames.withLock { $0 } == [0, 1, 0, 1])
    source.interrupt()
    try Self.wait { thread.isFinished }
  }

  /// It can be seeked still.
  @Test func aFaultIsTold() throws {
    let source = Self.source(last: 20)
    source.seek(to: 100)
    let frame = Mutex<Int?>(nil)
    let thread = Thread { frame.withLock { $0 = try? SeekingSourceTests.next(source) } }
    thread.start()
    try Self.wait { source.hasEnded }
    #expect(source.takeFault() is Broken && source.takeFault() == nil)
    source.seek(to: 0.07)
    try Self.wait { thread.isFinished }
    #expect(frame.withLock { $0 } == 7)
  }
}
