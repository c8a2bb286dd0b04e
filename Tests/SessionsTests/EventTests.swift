internal import ColorScience
import Foundation
import Media
import Synchronization
import TestSupport
import Testing

import Sessions

/// The events of a session, and how it is stopped.
@Suite struct EventTests {
  /// What was told, in order.
  final class Log: Sendable {
    private let entries = Mutex<[Session.Event]>([])

    func add(_ event: Session.Event) { entries.withLock { $0.append(event) } }

    var events: [Session.Event] { entries.withLock { $0 } }

    var names: [String] {
      events.map { event in
        switch event {
        case .diagnostic(_, let severity): severity.rawValue
        case .began: "began"
        case .progress(let progress): progress.isLast ? "last" : "progress"
        case .finished: "finished"
        case .pipeline: "pipeline"
        case .changeFailed: "change failed"
        case .ended: "ended"
        }
      }
    }
  }

  private func request(_ scratch: Scratch) throws -> TranscodeRequest {
    let clip = try scratch.clip("in.mkv", frames: 12, ["-c:v", "ffv1"])
    var request = TranscodeRequest(input: clip, output: scratch.path("out.mkv"))
    request.coding.encoder = "ffv1"
    return request
  }

  @Test func comeInOrder() throws {
    let scratch = try Scratch()
    let log = Log()
    let session = Session(onEvent: log.add)
    let plan = try session.plan(request(scratch))
    // Not tagged: assumed to be BT.709.
    #expect(log.names.allSatisfy { ["note", "warning"].contains($0) } && log.names.contains("warning"))
    #expect(try session.run(plan) == .finished)
    let run = log.names.filter { !["note", "warning", "progress"].contains($0) }
    #expect(run == ["began", "last", "finished", "ended"])
    guard case .finished(let progress) = log.events.first(where: { if case .finished = $0 { true } else { false } })
    else { return }
    #expect(progress.frames == 12 && (progress.bytes ?? 0) > 0 && progress.totalFrames == 12)
  }

  @Test func comeAsASequence() async throws {
    let scratch = try Scratch()
    let request = try request(scratch)
    let session = Session()
    let run = Task.detached { try session.run(request) }
    var ended = false
    for await event in session.events {
      if case .ended = event {
        ended = true
        break
      }
    }
    #expect(ended)
    #expect(try await run.value == .finished)
  }

  /// A run that is stopped before its first frame leaves nothing.
  @Test func cancelledAtOnce() throws {
    let scratch = try Scratch()
    let session = Session()
    let plan = try session.plan(request(scratch))
    session.cancel()
    #expect(try session.run(plan) == .cancelled)
    #expect(scratch.contents == ["in.mkv"])
  }

  @Test func cancelledInAPass() throws {
    let scratch = try Scratch()
    var request = try request(scratch)
    request.input.overrides.transfer = .pq
    request.input.overrides.primaries = .bt2020
    request.metadata.inputLight = .measured
    let session = Session()
    session.cancel()
    #expect(throws: Session.Cancellation.self) { try session.plan(request) }
    #expect(scratch.contents == ["in.mkv"])
  }

  @Test func reportsHaveTheWordsThatAreGiven() throws {
    let scratch = try Scratch()
    var request = try request(scratch)
    request.report = scratch.path("report.json")
    let wording = Wording(diagnostic: { _ in "a diagnostic" }, error: { _ in "an error" })
    try Session(wording: wording).run(request)
    let report = try String(contentsOfFile: scratch.path("report.json"), encoding: .utf8)
    #expect(report.contains("\"a diagnostic\""))
    request.input.name = scratch.path("none.mkv")
    request.overwrites = true
    #expect(throws: (any Error).self) { try Session(wording: wording).run(request) }
    let failure = try String(contentsOfFile: scratch.path("report.json"), encoding: .utf8)
    #expect(failure.contains("\"an error\"") && failure.contains("\"failed\""))
  }
}
