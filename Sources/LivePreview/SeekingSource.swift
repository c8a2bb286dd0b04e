internal import Foundation
internal import Frames
package import Media
internal import Sessions

/// Frames of a file at their pace from the last seek on. Waits for the next seek at the end of the file.
///
/// Frames passed on before a seek are stale: `takesNext()` identifies them, so that none is shown after it.
package final class SeekingSource: FrameSource, Sendable {
  private let feed: Feed
  /// Paces the frames.
  package let paced: PacedSource

  /// - Parameters:
  ///   - source: The frames from the start.
  ///   - seek: Returns the frames from a time in seconds. On the reading thread.
  ///   - keepsAll: Drops no frames.
  package init(
    _ source: any FrameSource, keepsAll: Bool, seek: @escaping @Sendable (Double) throws -> any FrameSource
  ) {
    feed = Feed(source, seek)
    paced = PacedSource(feed, keepsAll: keepsAll)
  }

  /// Seeks to a time in seconds. From any thread.
  package func seek(to seconds: Double) {
    feed.ask(seconds)
    paced.hurry()
  }

  /// All frames have been passed on, and it waits for a seek. From any thread.
  package var hasEnded: Bool { feed.hasEnded }

  /// Returns the error of a seek or read, once. From any thread.
  package func takeFault() -> (any Error)? { feed.takeFault() }

  /// Call once per frame passed on, in order. From the rendering thread.
  /// - Returns: false for a frame from before the last `seek(to:)`.
  package func takesNext() -> Bool { feed.takesNext() }

  package func read() throws -> StreamItem? {
    while let item = try paced.read() {
      if feed.hands(item) { return item }
      // A stale frame has consumed the clock restart of the seek.
      paced.hurry()
    }
    return nil
  }

  /// `paced` interrupts `feed`.
  package func interrupt() { paced.interrupt() }
}

/// Frames of a file from the last seek on, as fast as they are read.
private final class Feed: FrameSource, @unchecked Sendable {
  // @unchecked: `generation` belongs to the reading thread; all other variables are guarded by `condition`.
  private var source: any FrameSource
  private let seek: @Sendable (Double) throws -> any FrameSource
  /// Number of the seek to which the frames being read belong; 0: none.
  private var generation = 0

  private let condition = NSCondition()
  /// Pending seek position; nil: none.
  private var wanted: Double?
  /// Number of seeks requested.
  private var asked = 0
  private var isInterrupted = false
  private var isWaiting = false
  private var fault: (any Error)?
  /// Number of frames passed on, taken, and passed on before the last seek.
  private var (handed, taken, stale) = (0, 0, 0)

  init(_ source: any FrameSource, _ seek: @escaping @Sendable (Double) throws -> any FrameSource) {
    (self.source, self.seek) = (source, seek)
  }

  func ask(_ seconds: Double) {
    condition.withLock {
      (wanted, asked, stale) = (seconds, asked + 1, handed)
      condition.broadcast()
    }
  }

  var hasEnded: Bool { condition.withLock { isWaiting } }

  func takeFault() -> (any Error)? {
    condition.withLock {
      defer { fault = nil }
      return fault
    }
  }

  func takesNext() -> Bool {
    condition.withLock {
      taken += 1
      return taken > stale
    }
  }

  /// - Returns: false for an item from before the last seek.
  func hands(_ item: StreamItem) -> Bool {
    condition.withLock {
      guard generation == asked else { return false }
      if item.frame != nil { handed += 1 }
      return true
    }
  }

  func read() throws -> StreamItem? {
    while true {
      if let time = takeWanted() { go(to: time) }
      do {
        if let item = try present.read() { return item }
      } catch {
        keep(error)
      }
      guard waitForRequest() else { return nil }
    }
  }

  private var present: any FrameSource { condition.withLock { source } }

  /// Takes the last requested position, on the reading thread.
  private func takeWanted() -> Double? {
    condition.withLock {
      defer { wanted = nil }
      generation = asked
      return wanted
    }
  }

  /// Continues with the frame that is shown at a time; beyond the end, with the last one.
  private func go(to seconds: Double) {
    do {
      var back = Self.firstStep
      while !condition.withLock({ isInterrupted }) {
        let start = max(seconds - back, 0)
        let source = try seek(start)
        let (shown, next) = try source.frames(around: seconds + FrameSelection.tolerance)
        if shown != nil || start == 0 {
          return condition.withLock { self.source = Beginning([shown, next].compactMap(\.self), source) }
        }
        // Frames may last long, and a film may end long before the position.
        back *= 4
      }
    } catch {
      keep(error)
      // The position in the input is unknown now.
      condition.withLock { source = NoFrames() }
    }
  }

  /// Seconds before a time by which the frame shown then has usually started.
  private static let firstStep = 0.25

  private func keep(_ error: any Error) {
    condition.withLock { if !isInterrupted { fault = error } }
  }

  /// - Returns: false if it was interrupted.
  private func waitForRequest() -> Bool {
    condition.withLock {
      isWaiting = true
      while wanted == nil, !isInterrupted { condition.wait() }
      isWaiting = false
      return !isInterrupted
    }
  }

  func interrupt() {
    let source = condition.withLock {
      isInterrupted = true
      condition.broadcast()
      return self.source
    }
    source.interrupt()
  }
}

/// A source without frames.
private struct NoFrames: FrameSource {
  func read() -> StreamItem? { nil }
  func interrupt() {}
}

extension FrameSource {
  /// Returns the last frame that starts by a time in seconds, and the next one.
  fileprivate func frames(around seconds: Double) throws -> (shown: StreamItem?, next: StreamItem?) {
    var shown: StreamItem?
    while let item = try read() {
      guard let frame = item.frame else { continue }
      if frame.time.seconds > seconds { return (shown, item) }
      shown = item
    }
    return (shown, nil)
  }
}

/// A source whose first items have already been read.
private final class Beginning: FrameSource, @unchecked Sendable {
  // @unchecked: `first` belongs to the reading thread.
  private var first: [StreamItem]
  private let rest: any FrameSource

  init(_ first: [StreamItem], _ rest: any FrameSource) { (self.first, self.rest) = (first, rest) }

  func read() throws -> StreamItem? { first.isEmpty ? try rest.read() : first.removeFirst() }

  func interrupt() { rest.interrupt() }
}
