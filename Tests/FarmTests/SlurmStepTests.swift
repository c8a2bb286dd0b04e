import Farm
import Foundation
import Testing

/// What `assemble` does between rounds, run in a job of Slurm by `SlurmClusterTests`: not a test by itself.
@Suite struct SlurmStepTests {
  static let folder = ProcessInfo.processInfo.environment["HEADROOM_SLURM_STEP"]

  struct Record: Codable {
    var missing: [Int]
    var failed: [Int]
    var submitted: [SubmittedJob]
    var entries: [QueueEntry]
  }

  @Test(.enabled(if: folder != nil)) func step() throws {
    let folder = try #require(Self.folder)
    let submission = try #require(try SlurmSubmission(of: folder, slurm: try Slurm()))
    let count = try #require(Int(try String(contentsOfFile: "\(folder)/count", encoding: .utf8)))
    let done = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/chunks").compactMap { Int($0) }
    var record = Record(
      missing: (0..<count).filter { !done.contains($0) }, failed: [], submitted: [], entries: try submission.entries())
    let cost = done.isEmpty ? nil : PieceCost(peakMemory: 200 << 20, seconds: 10, processorSeconds: 11)
    switch try submission.proceed(missing: record.missing, cost: cost) {
    case .assemble: try Data().write(to: URL(fileURLWithPath: "\(folder)/film"))
    case .failed(let numbers): record.failed = numbers
    case .submitted(let jobs): record.submitted = jobs
    }
    let job = ProcessInfo.processInfo.environment["SLURM_JOB_ID"] ?? "0"
    try JSONEncoder().encode(record).write(to: URL(fileURLWithPath: "\(folder)/steps/\(job)"))
  }
}
