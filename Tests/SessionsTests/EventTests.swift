internal import ColorScience
import Foundation
import ImageFiles
import Media
import StreamPipeline
import Synchronization
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// The events of a session, and how it is stopped.
@Suite struct EventTests {
  /// Every verb ends alike, and a pass has events of its own.
  @Test func everyVerbEndsAlike() throws {
    let scratch = try Scratch()
    let ends = ["began", "last", "finished", "ended"]
    func expectSteps(_ steps: [String], _ body: (Session) throws -> Void) rethrows {
      let log = EventLog()
      try body(Session(onEvent: log.add))
      #expect(log.steps == steps)
    }
    let ramp = scratch.path("ramp.png")
    try expectSteps(ends) { try $0.run($0.plan(PatternRequest("ramp", output: ramp))) }
    try expectSteps(ends) { _ = try $0.run(VerifyRequest(input: ramp, pattern: "ramp")) }
    try expectSteps(ends) { _ = try $0.run(MeasureRequest(input: ramp)) }
    try expectSteps(ends) { try $0.run(ScopesRequest(input: ramp, output: scratch.path("scopes.png"))) }
    var pictures = PictureRequest(input: ramp, output: scratch.path("copy.png"), format: .png)
    try expectSteps(ends) { try $0.run(pictures) }
    pictures.output = scratch.path("sheet.png")
    pictures.contact = PictureRequest.Grid(columns: 1, rows: 1)
    try expectSteps(ends) { try $0.run(pictures) }
    var request = try request(scratch)
    (request.input.overrides.transfer, request.input.overrides.primaries) = (.pq, .bt2020)
    request.metadata.inputLight = .measured
    try expectSteps(ends + ends) { try $0.run(request) }
  }

  /// Nothing is committed if there is nothing.
  @Test func cancelledBeforeStatistics() throws {
    let scratch = try Scratch()
    var request = try request(scratch)
    (request.statistics, request.report) = (scratch.path("stats.jsonl"), scratch.path("report.json"))
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let plan = try session.plan(request)
    session.cancel()
    #expect(try session.run(plan) == .cancelled)
    #expect(log.steps == ["began", "last", "ended"])
    #expect(Set(scratch.contents) == ["in.mkv", "report.json"])
    let report = try String(contentsOfFile: scratch.path("report.json"), encoding: .utf8)
    #expect(report.contains("\"interrupted\""))
  }

  /// A pause that is asked for before the run holds its first frame.
  @Test func beginsPaused() throws {
    let scratch = try Scratch()
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let plan = try session.plan(request(scratch))
    session.pause()
    let ended = Mutex(false)
    Thread {
      _ = try? session.run(plan)
      ended.withLock { $0 = true }
    }.start()
    try #require(comesTrue { log.names.contains("pipeline") })
    let pauses = log.events.compactMap { event in
      if case .pipeline(.paused(after: let time)) = event { [time] } else { nil }
    }
    #expect(pauses == [[nil]])
    #expect(!ended.withLock { $0 })
    session.resume()
    try #require(comesTrue { ended.withLock { $0 } })
    #expect(log.steps == ["began", "last", "finished", "ended"])
  }

  private func request(_ scratch: Scratch) throws -> TranscodeRequest {
    let clip = try scratch.clip("in.mkv", frames: 12, ["-c:v", "ffv1"])
    var request = TranscodeRequest(input: clip, output: scratch.path("out.mkv"))
    request.coding.encoder = "ffv1"
    return request
  }

  @Test func comeInOrder() throws {
    let scratch = try Scratch()
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let plan = try session.plan(request(scratch))
    // Not tagged: assumed to be BT.709.
    #expect(log.names.allSatisfy { ["note", "warning"].contains($0) } && log.names.contains("warning"))
    #expect(try session.run(plan) == .finished)
    #expect(log.steps == ["began", "last", "finished", "ended"])
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
    let wording = Wording(parameter: { _, _ in "a parameter" }, error: { _ in "an error" })
    try Session(wording: wording).run(request)
    let report = try String(contentsOfFile: scratch.path("report.json"), encoding: .utf8)
    #expect(report.contains("a parameter"))
    request.input.name = scratch.path("none.mkv")
    request.overwrites = true
    #expect(throws: (any Error).self) { try Session(wording: wording).run(request) }
    let failure = try String(contentsOfFile: scratch.path("report.json"), encoding: .utf8)
    #expect(failure.contains("\"an error\"") && failure.contains("\"failed\""))
  }
}
