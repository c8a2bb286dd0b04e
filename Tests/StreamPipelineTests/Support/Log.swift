import Frames
internal import Media
import StreamPipeline
import Testing

/// A sink that notes what it gets, after `onWrite` let it.
final class Log: FrameSink {
  enum Entry: Equatable, Sendable {
    case frame(Int)
    case data(Int)
  }

  let entries = Watched<[Entry]>([])
  private let last = Watched(-1)
  private let onWrite: @Sendable (Int) throws -> Void

  /// - Parameter onWrite: Gets each frame's number first; it may wait or fail.
  init(onWrite: @escaping @Sendable (Int) throws -> Void = { _ in }) { self.onWrite = onWrite }

  var frames: [Int] {
    entries.value.compactMap { if case .frame(let number) = $0 { number } else { nil } }
  }

  var data: [Int] {
    entries.value.compactMap { if case .data(let number) = $0 { number } else { nil } }
  }

  func write(_ frame: CodedFrame) throws {
    try onWrite(frame.number)
    entries.update { $0.append(.frame(frame.number)) }
    last.update { $0 = frame.number }
  }

  func pass(_ data: any PassingData) throws {
    guard let number = data as? Number else { throw Broken(place: "data") }
    entries.update { $0.append(.data(number.value)) }
  }

  func waitForFrame(_ number: Int) { last.wait { $0 >= number } }
}

/// Notes the events of a pipeline, in words that can be compared.
final class EventLog: Sendable {
  let words = Watched<[String]>([])

  @Sendable func note(_ event: StreamPipeline.Event) { words.update { $0.append(Self.word(event)) } }

  func wait(for word: String) { words.wait { $0.contains(word) } }

  private static func word(_ event: StreamPipeline.Event) -> String {
    switch event {
    case .dropped(let output, let time): "dropped \(output) \(time.presentation)"
    case .droppedBeforeRendering(let time, _): "dropped \(time.presentation)"
    case .lost(let count, let time): "lost \(count) before \(time.presentation)"
    case .failed(let output, let error): "failed \(output) \((error as? Broken)?.place ?? "?")"
    case .sourcePaused: "source paused"
    case .sourceResumed: "source resumed"
    case .changed(let name, let time): "changed \(name) before \(number(time))"
    case .changeFailed(let name, let error): "change failed \(name) \((error as? Broken)?.place ?? "?")"
    case .paused(let time): "paused after \(number(time))"
    case .stepped(let time): "stepped \(time.presentation)"
    case .resumed(let time): "resumed after \(number(time))"
    case .cancelled(let time): "cancelled after \(number(time))"
    }
  }

  private static func number(_ time: FrameTime?) -> String { time.map { "\($0.presentation)" } ?? "none" }
}
