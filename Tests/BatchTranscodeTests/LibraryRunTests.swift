import BatchTranscode
import Foundation
import Media
import Synchronization
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// The order of jobs, and what comes of their ends. Jobs are scripted.
@Suite struct LibraryRunTests {
  /// A job that ends when it is told to.
  private final class Job: FilmJob {
    let order: FilmOrder
    let ending: @Sendable (FilmOrder) -> FilmResult
    let isCancelled = Atomic(false)

    init(_ order: FilmOrder, _ ending: @escaping @Sendable (FilmOrder) -> FilmResult) {
      (self.order, self.ending) = (order, ending)
    }

    func run(_ hear: @escaping @Sendable (FilmEvent) -> Void) -> FilmResult {
      hear(.planned(summary: "does it"))
      return isCancelled.load(ordering: .relaxed) ? FilmResult(.stopped(partial: "p")) : ending(order)
    }
    func cancel() { isCancelled.store(true, ordering: .relaxed) }
    func discard() {}
  }

  private func plan(_ scratch: Scratch, count: Int, _ change: (inout LibraryRequest) -> Void = { _ in }) throws
    -> LibraryPlan
  {
    try FileManager.default.createDirectory(atPath: scratch.path("in"), withIntermediateDirectories: true)
    for number in 0..<count {
      try Data("\(number)".utf8).write(to: URL(fileURLWithPath: scratch.path("in/\(number).mkv")))
    }
    var request = LibraryRequest(
      [scratch.path("in")], folder: scratch.path("out"), transcode: TranscodeRequest(input: "", output: nil))
    change(&request)
    return try Session().plan(request)
  }

  private func number(_ order: FilmOrder) -> Int {
    Int(URL(fileURLWithPath: order.request.input.name).deletingPathExtension().lastPathComponent) ?? -1
  }

  @Test func aFailureDoesNotKeepOthersFromBeingConverted() throws {
    let scratch = try Scratch()
    let plan = try plan(scratch, count: 5)
    let summary = try Session().run(plan) { order in
      Job(order) { order in
        self.number(order) == 1 ? FilmResult(.failed(reason: "broken", .failed)) : FilmResult(.converted)
      }
    }
    #expect(summary.converted == 4 && summary.failed == 1 && summary.open == 0)
    #expect(summary.entries[1].result?.ending == .failed(reason: "broken", .failed))
  }

  /// As many at the same time as there are jobs, and each film once.
  @Test func jobsRunSideBySide() throws {
    let scratch = try Scratch()
    let plan = try plan(scratch, count: 12) { $0.jobs = 3 }
    let counts = Mutex((now: 0, most: 0, all: [Int]()))
    let summary = try Session().run(plan) { order in
      Job(order) { order in
        counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + [self.number(order)]) }
        // All three are here at once, or the test takes long.
        _ = comesTrue(every: 0.002) { counts.withLock { $0.most == 3 } }
        counts.withLock { $0.now -= 1 }
        return FilmResult(.converted)
      }
    }
    #expect(summary.converted == 12)
    #expect(counts.withLock { $0.most } == 3 && counts.withLock { $0.all.sorted() } == Array(0..<12))
  }

  @Test func cancellingEndsWhatRunsAndBeginsNoMore() throws {
    let scratch = try Scratch()
    let plan = try plan(scratch, count: 6) { $0.jobs = 2 }
    let session = Session()
    let begun = Atomic(0)
    let summary = try session.run(plan) { order in
      Job(order) { _ in
        if begun.add(1, ordering: .relaxed).newValue == 2 { session.cancel() }
        _ = comesTrue(every: 0.002) { session.isCancelled }
        return FilmResult(.stopped(partial: "p"))
      }
    }
    #expect(summary.stopped == 2 && summary.open == 4 && summary.converted == 0)
  }

  /// The next films would find no space either.
  @Test func aFullDiskEndsAll() throws {
    let scratch = try Scratch()
    let plan = try plan(scratch, count: 5)
    let heard = Heard()
    let summary = try Session(onEvent: heard.add).run(plan) { order in
      Job(order) { order in
        guard self.number(order) == 1 else { return FilmResult(.converted) }
        var result = FilmResult(.failed(reason: "full", .temporary))
        result.isOutOfSpace = true
        return result
      }
    }
    #expect(summary.converted == 1 && summary.failed == 1 && summary.open == 3 && summary.isOutOfSpace)
    #expect(heard.warnings.map(\.code) == ["output-folder-full"])
    #expect(heard.warnings.allSatisfy { $0.words.contains("'\(scratch.path("out"))'") }, "\(heard.warnings)")
  }

  /// A film that another run writes comes last: it is there by then, or is begun if the other has ended without it.
  @Test func filmsOfOthersAreWaitedFor() throws {
    let scratch = try Scratch()
    let plan = try plan(scratch, count: 3) { $0.skipsExisting = true }
    let tries = Mutex([Int]())
    let heard = Heard()
    let other = URL(fileURLWithPath: scratch.path("out/1.mkv"))
    let summary = try Session(onEvent: heard.add).run(plan) { order in
      Job(order) { order in
        let number = self.number(order)
        let count = tries.withLock { tries in
          tries.append(number)
          return tries.count { $0 == number }
        }
        switch number {
        case 0 where count == 1: return FilmResult(.isWrittenElsewhere)
        case 1:
          try? Data().write(to: other)
          return FilmResult(.isWrittenElsewhere)
        default: return FilmResult(.converted)
        }
      }
    }
    #expect(summary.converted == 2 && summary.skipped(.exists) == 1)
    #expect(tries.withLock { $0 } == [0, 1, 2, 0])
    #expect(heard.notes.map(\.code) == ["waiting-for-other-run"])
    #expect(heard.notes.allSatisfy { $0.words.hasPrefix("2 films are") }, "\(heard.notes)")
  }

  /// SDR is skipped in folders only, and the report of all has those of each.
  @Test func ordersAndReports() throws {
    let scratch = try Scratch()
    let plan = try plan(scratch, count: 2) {
      $0.inputs.append(scratch.path("in/1.mkv"))
      $0.report = scratch.path("report.json")
    }
    let orders = Mutex([FilmOrder]())
    try Session().run(plan) { order in
      Job(order) { order in
        orders.withLock { $0.append(order) }
        var result = FilmResult(.converted)
        result.report = #"{"frames": 23}"#
        return result
      }
    }
    #expect(orders.withLock { $0.allSatisfy { $0.skipsSDR && $0.request.report == "-" } })
    #expect(orders.withLock { $0.map(\.request.output) } == ["0", "1"].map { scratch.path("out/\($0).mkv") })
    let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path("report.json")))
    let report = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let files = try #require(report["files"] as? [[String: Any]])
    #expect(report["status"] as? String == "finished" && report["converted"] as? Int == 2)
    #expect(files.map { ($0["report"] as? [String: Any])?["frames"] as? Int } == [23, 23])
  }

  /// A film in this process: what it says, what comes of it.
  @Test func aSessionConverts() throws {
    let scratch = try Scratch()
    let input = try scratch.clip(
      "a.mkv", frames: 5, ["-pix_fmt", "yuv420p10le", "-color_trc", "smpte2084", "-c:v", "ffv1"])
    let sdr = try scratch.clip("b.mkv", frames: 5, ["-c:v", "ffv1"])
    func result(_ input: String, _ output: String, skipsSDR: Bool = true) -> FilmResult {
      var request = TranscodeRequest(input: input, output: scratch.path(output))
      request.report = "-"
      request.coding.encoder = "ffv1"
      return SessionJob(FilmOrder(request: request, skipsSDR: skipsSDR), wording: .plain).run { _ in }
    }
    let converted = result(input, "x.mkv")
    #expect(converted.ending == .converted && converted.progress?.frames == 5)
    #expect(converted.report?.contains(#""frames" : 5"#) ?? false)
    #expect(result(input, "x.mkv").ending == .skipped(.exists))
    #expect(result(sdr, "y.mkv").ending == .skipped(.isSDR))
    #expect(result(sdr, "y.mkv", skipsSDR: false).ending == .converted)
    guard case .failed = result(scratch.path("none.mkv"), "z.mkv").ending else {
      Issue.record("a file that is not there was converted")
      return
    }
    let job = SessionJob(
      FilmOrder(request: TranscodeRequest(input: input, output: scratch.path("w.mkv")), skipsSDR: false),
      wording: .plain)
    job.cancel()
    #expect(job.run { _ in }.ending == .stopped(partial: nil))
    #expect(Set(scratch.contents) == ["a.mkv", "b.mkv", "x.mkv", "y.mkv"])
  }

  /// Folders are made for films that can be converted, and for no others.
  @Test func foldersAreMadeWhenTheyAreNeeded() throws {
    let scratch = try Scratch()
    let film = try scratch.clip("a.mkv", frames: 2, ["-c:v", "ffv1"])
    func ending(_ input: String, _ output: String) -> FilmResult.Ending {
      var request = TranscodeRequest(input: input, output: scratch.path(output))
      request.coding.encoder = "ffv1"
      return SessionJob(FilmOrder(request: request, skipsSDR: false), wording: .plain).run { _ in }.ending
    }
    guard case .failed = ending(scratch.path("none.mkv"), "x/y/a.mkv") else {
      Issue.record("a film that is not there was converted")
      return
    }
    #expect(scratch.contents == ["a.mkv"])
    #expect(ending(film, "x/y/a.mkv") == .converted)
    try Data("file".utf8).write(to: URL(fileURLWithPath: scratch.path("z")))
    let words = "Cannot create the folder '\(scratch.path("z/y"))': Not a directory."
    guard case .failed(let reason, .failed) = ending(film, "z/y/a.mkv") else {
      Issue.record("a folder was made in a file")
      return
    }
    #expect(reason.contains(words), "\(reason)")
  }

  /// Programs that are not there, or end without a word.
  @Test func processesThatFail() {
    func ending(_ program: String, _ arguments: [String] = []) -> FilmResult.Ending {
      let order = FilmOrder(request: TranscodeRequest(input: "a.mkv", output: "b.mkv"), skipsSDR: false)
      return ProcessJob(order, program: program, arguments: arguments, wording: .plain).run { _ in }.ending
    }
    let missing = "'/none' cannot be started: No such file or directory."
    #expect(ending("/none") == .failed(reason: missing, .failed))
    let mute = "The process that converted it ended without a result (exit status 1)."
    #expect(ending("/bin/false") == .failed(reason: mute, .failed))
    let killed = "The process that converted it was ended by signal 9 (Killed)."
    #expect(ending("/bin/sh", ["-c", "kill -9 $$"]) == .failed(reason: killed, .failed))
  }
}
