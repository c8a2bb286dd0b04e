import Farm
import Foundation
import TestSupport
import Testing

/// Films on a real cluster of two nodes, started for each test by tools/slurm.
@Suite(.serialized, .enabled(if: LongTests.areWanted)) struct SlurmClusterTests {
  private func cluster(
    _ name: String, chunks: Int, _ environment: [String: String] = [:]
  ) throws -> SlurmTestCluster? {
    if let obstacle = SlurmTestCluster.obstacle {
      noteSkip("a cluster for \(name): \(obstacle)")
      return nil
    }
    let cluster = try SlurmTestCluster(film: name, environment: environment)
    try Data("\(chunks)".utf8).write(to: URL(fileURLWithPath: "\(cluster.film)/count"))
    return cluster
  }

  /// One chunk, the others in several arrays, and those once more that were killed.
  @Test(arguments: ["it's a \"film\" of 100% %A", #"back\slash"#, "two\nlines"])
  func aFilmIsRenderedWhateverIsKilled(_ name: String) throws {
    guard let cluster = try cluster(name, chunks: 6, ["HEADROOM_SLURM_ARRAY": "4"]) else { return }
    try cluster.plant("killed", in: 2)
    try cluster.plant("slow", in: 5)
    let submission = try cluster.submission()
    #expect(try submission.start(missing: Array(0..<6), cost: nil).map(\.numbers) == [[0], []])
    // The last chunk hangs until it is killed from outside.
    #expect(cluster.wait { !cluster.tries(of: 5).isEmpty })
    let entry = try #require(try submission.entries().first { $0.number == 5 })
    #expect(entry.state == "RUNNING" && entry.node?.hasPrefix("n") == true)
    try cluster.ask("scancel", ["--signal=KILL", entry.job])
    #expect(try cluster.waitUntilQueueIsEmpty())
    #expect(cluster.exists("film"), "\(cluster.logs)")
    #expect((0..<6).map { cluster.tries(of: $0).count } == [1, 1, 2, 1, 1, 2], "\(cluster.logs)")
    #expect(cluster.steps.map(\.missing) == [[1, 2, 3, 4, 5], [2, 5], []])
    let second = cluster.steps.dropFirst().first
    #expect(second?.entries.first { $0.number == 2 }?.reason == "was killed by signal 9")
    #expect(second?.entries.first { $0.number == 5 }?.reason == "was cancelled")
    // What a chunk took is what the others get: two processors.
    #expect(cluster.tries(of: 1).first?.last == "2")
    #expect(try submission.entries().allSatisfy { $0.state == "COMPLETED" && $0.reason == nil })
    #expect(cluster.logs.contains("step of job"), "logs are in the folder")
  }

  /// Slurm notices after some seconds and runs the task again on the other node.
  @Test func aNodeIsLost() throws {
    guard let cluster = try cluster("film", chunks: 3) else { return }
    try cluster.plant("slow", in: 1)
    let submission = try cluster.submission()
    let cost = PieceCost(peakMemory: 1, seconds: 1, processorSeconds: 2)
    try submission.start(missing: [0, 1, 2], cost: cost)
    #expect(cluster.wait { !cluster.tries(of: 1).isEmpty && cluster.exists("chunks/2") })
    let entry = try #require(try submission.entries().first { $0.number == 1 })
    try cluster.run("kill-node", [try #require(entry.node)])
    // Slurm waits two minutes before it begins a task again; the test does not.
    #expect(
      try cluster.wait {
        try cluster.ask("scontrol", ["update", "JobId=\(entry.job)", "StartTime=now"])
        return cluster.tries(of: 1).count > 1
      })
    #expect(try cluster.waitUntilQueueIsEmpty())
    #expect(cluster.exists("film"), "\(cluster.logs)")
    let tries = cluster.tries(of: 1)
    #expect(tries.map { $0[1] } == ["", "1"] || tries.map { $0[1] } == ["0", "1"])
    #expect(Set(tries.map { $0[2] }) == ["n1", "n2"])
    // It comes back as it was.
    try cluster.run("start-node", [try #require(entry.node)])
    #expect(try cluster.wait { try cluster.ask("sinfo", ["--noheader", "--states=idle", "--format=%D"]) == "2\n" })
  }

  @Test func aFilmIsCancelled() throws {
    guard let cluster = try cluster("film", chunks: 8) else { return }
    for number in 0..<8 { try cluster.plant("slow", in: number) }
    let submission = try cluster.submission()
    let jobs = try submission.start(
      missing: Array(0..<8), cost: PieceCost(peakMemory: 1, seconds: 1, processorSeconds: 2))
    #expect(cluster.wait { (0..<8).contains { !cluster.tries(of: $0).isEmpty } })
    // Not even the record of the jobs is needed.
    try FileManager.default.removeItem(atPath: "\(cluster.film)/slurm/jobs.jsonl")
    #expect(try submission.entries().count == 8)
    #expect(try submission.start(missing: Array(0..<8), cost: nil) == [])
    // Another folder's jobs stay.
    let script = cluster.scratch.path("other.sh")
    try Data("#!/bin/sh\nexec sleep 1000\n".utf8).write(to: URL(fileURLWithPath: script))
    let other = try cluster.slurm().submit(script: script, options: ["--output=/dev/null"])
    #expect(Set(try submission.cancel()) == Set(jobs.map(\.job)))
    #expect(try cluster.wait { try cluster.ask("squeue", ["--noheader", "--format=%i"]) == "\(other)\n" })
    try cluster.slurm().cancel([other])
    let ended = try cluster.slurm().entries(of: [SlurmArray(job: jobs[0].job)])
    #expect(ended.contains { $0.reason == "was cancelled" })
  }

  @Test func aChunkThatAlwaysFailsEndsTheRounds() throws {
    guard let cluster = try cluster("film", chunks: 3) else { return }
    try cluster.plant("always", in: 1)
    try cluster.submission(tries: 2).start(missing: [0, 1, 2], cost: nil)
    #expect(try cluster.wait { try cluster.ask("squeue", ["--noheader"]).isEmpty })
    #expect(cluster.steps.last?.failed == [1], "\(cluster.logs)")
    #expect(cluster.steps.last?.entries.first { $0.number == 1 }?.reason == "ended with exit status 4")
    #expect((0..<3).map { cluster.tries(of: $0).count } == [1, 2, 1])
    #expect(!cluster.exists("film"))
  }

  @Test func aControllerThatDoesNotAnswerIsNamed() throws {
    guard let cluster = try cluster("film", chunks: 1) else { return }
    let slurm = try cluster.slurm()
    #expect(throws: SlurmError.self) { try slurm.submit(script: "/none", options: ["--partition=none"]) }
    try cluster.killController()
    let error = #expect(throws: SlurmError.self) { try cluster.slurm() }
    guard case .noReply = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
