import Farm
import Files
import Foundation
import TestSupport

/// A work folder in a temporary one, and what tests do to it. The temporary folder is the same for all threads.
struct FarmFixture: @unchecked Sendable {
  let scratch: Scratch
  let folder: WorkFolder
  static let plan = "abc"

  init() throws {
    scratch = try Scratch()
    folder = WorkFolder(scratch.path("film"))
    try folder.create()
  }

  static func machine(_ host: String, process: Int = 1, job: String? = nil) -> Machine {
    Machine(host: host, process: process, job: job)
  }

  func record(
    _ number: Int, bytes: Int = 5, hash: String = "h1", frames: Int = 10, seconds: Double = 2, plan: String = plan,
    thumbnail: String? = nil
  ) -> PieceRecord {
    PieceRecord(
      number: number, plan: plan, file: frames == 0 ? nil : "\(number).\(hash).mkv", bytes: bytes, hash: hash,
      frames: frames, first: .init(time: 0, hash: "a"), next: nil, source: "s", times: "0 1*9", durations: "1*10",
      damaged: 0, versions: ["headroom": "1"], machine: Self.machine("n1"), seconds: seconds, processorSeconds: 1,
      peakMemory: 1000, thumbnail: thumbnail)
  }

  func write(_ text: String, _ path: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

  func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// A piece as a machine commits it.
  func commit(_ number: Int, _ text: String = "video", hash: String = "h1", seconds: Double = 2) throws {
    let part = folder.partPath(number, token: "t\(number)")
    try write(text, part)
    try folder.commit(part: part, record: record(number, bytes: text.utf8.count, hash: hash, seconds: seconds))
  }

  func exists(_ path: String) -> Bool { FileStatus(path, followsLinks: false) != nil }

  func claimPath(_ number: Int) -> String { folder.path(of: "claims/\(number)") }

  func names(_ subfolder: String) -> [String] { (FileLocation.names(in: folder.path(of: subfolder)) ?? []).sorted() }

  /// Makes a file look as if it had been written some time ago.
  func age(_ path: String, _ seconds: Int) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    var time = timeval()
    _ = unsafe gettimeofday(&time, nil)
    let past = timespec(tv_sec: time.tv_sec - seconds, tv_nsec: 0)
    _ = unsafe utimensat(AT_FDCWD, path, [past, past], 0)
  }

  /// A claim as another machine has left it.
  func foreignClaim(
    _ number: Int, host: String = "far", job: String? = nil, token: String = "feed", age seconds: Int = 0,
    frames: Int = 0, rate: Double = 0
  ) throws {
    let job = job.map { ",\"job\":\"\($0)\"" } ?? ""
    try write(
      """
      {"token":"\(token)","machine":{"host":"\(host)","process":7\(job)},"duration":60,"frames":\(frames),\
      "framesPerSecond":\(rate)}
      """, claimPath(number))
    if seconds > 0 { age(claimPath(number), seconds) }
  }

  func next(
    of count: Int, tries: Int = 3, by machine: Machine = machine("n1"), since start: ServerTime? = nil
  ) throws -> Next {
    try folder.next(of: count, maximumTries: tries, by: machine, plan: Self.plan, since: start)
  }
}

extension Next {
  /// Comparable in expectations.
  var text: String {
    switch self {
    case .taken(_, let number): "taken \(number)"
    case .wait: "wait"
    case .finished: "finished"
    case .failed(let numbers): "failed \(numbers)"
    }
  }

  var lease: Lease? { if case .taken(let lease, _) = self { lease } else { nil } }
}
