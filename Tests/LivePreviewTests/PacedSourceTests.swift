import ColorScience
import Foundation
import Frames
import LivePreview
import Media
import Synchronization
import Testing

import Sessions

/// Files at their own pace.
@Suite struct PacedSourceTests {
  /// Frames of a hundredth of a second each.
  private final class Film: FrameSource, Sendable {
    private let next = Mutex(Int64(0))

    func read() -> StreamItem? {
      let index = next.withLock { next in
        defer { next += 1 }
        return next
      }
      return StreamItem(
        frame: CodedFrame(
          size: Size(width: 2, height: 2), layout: PixelLayout(.ycbcr420, bitDepth: 8),
          color: ColorDescription(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .narrow),
          time: FrameTime(presentation: index, duration: 1, timeBase: Rational(1, 100))))
    }

    func interrupt() {}
  }

  private static func next(_ source: PacedSource) throws -> Int64? { try source.read()?.frame?.time.presentation }

  /// A tenth of a second in which nobody takes a frame.
  private static func fallBehind() { usleep(100_000) }

  @Test func leavesOutLateFramesUnlessAllAreToBeKept() throws {
    let source = PacedSource(Film(), keepsAll: false)
    #expect(try Self.next(source) == 0)
    source.setKeepsAll(true)
    #expect(try Self.next(source) == 1)
    Self.fallBehind()
    #expect(try Self.next(source) == 2)
    #expect(source.skippedFrames == 0)
    Self.fallBehind()
    // What was kept is not made up for by leaving out what follows.
    source.setKeepsAll(false)
    #expect(try Self.next(source) == 3)
    #expect(source.skippedFrames == 0)
    Self.fallBehind()
    #expect(try Self.next(source) ?? 0 > 4)
    #expect(source.skippedFrames > 0)
  }
}
