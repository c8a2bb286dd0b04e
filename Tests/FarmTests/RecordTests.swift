import Farm
import Files
import Foundation
import TestSupport
import Testing

/// A piece is whole or not there.
@Suite struct RecordTests {
  @Test func aCommittedPieceIsThere() throws {
    let farm = try FarmFixture()
    #expect(try farm.folder.record(0) == nil)
    try farm.commit(0)
    #expect(try farm.folder.record(0) == farm.record(0))
    #expect(farm.folder.fault(farm.record(0), plan: FarmFixture.plan) == nil)
    #expect(farm.folder.fault(farm.record(0), plan: "other") == "it was rendered for another plan")
    #expect(farm.names("chunks") == ["0.h1.mkv", "0.json"])
  }

  @Test func aPieceWithoutFrames() throws {
    let farm = try FarmFixture()
    let record = farm.record(4, bytes: 0, frames: 0)
    try farm.folder.commit(part: nil, record: record)
    #expect(try farm.folder.record(4) == record)
    #expect(farm.folder.fault(record, plan: FarmFixture.plan) == nil)
    #expect(try farm.next(of: 5).text == "taken 0")
  }

  /// A machine is killed after each step of a commit.
  @Test(arguments: ["part", "piece", "half a temporary record", "half a record", "no bytes", "another's record"])
  func whatIsHalfWrittenIsNotThere(_ step: String) throws {
    let farm = try FarmFixture()
    switch step {
    case "part": try farm.write("vide", farm.folder.partPath(0, token: "t"))
    case "piece": try farm.write("video", farm.folder.piecePath("0.h1.mkv"))
    case "half a temporary record":
      try farm.write("video", farm.folder.piecePath("0.h1.mkv"))
      try farm.write("{\"number\":0", farm.folder.piecePath(".0.json.feed.tmp"))
    case "another's record":
      try farm.commit(1)
      try FileManager.default.copyItem(atPath: farm.folder.piecePath("1.json"), toPath: farm.folder.piecePath("0.json"))
    default:
      try farm.commit(0)
      let whole = try farm.text(farm.folder.piecePath("0.json"))
      try farm.write(step == "no bytes" ? "" : String(whole.prefix(whole.count / 2)), farm.folder.piecePath("0.json"))
    }
    #expect(try farm.folder.record(0) == nil)
    try farm.commit(1)
    #expect(try farm.next(of: 2).text == "taken 0")
    try farm.commit(0)
    #expect(try farm.next(of: 2).text == "finished")
  }

  /// A piece whose record is fine, and which is not.
  @Test(arguments: ["short", "long", "missing", "folder", "link", "other plan"])
  func faultsAreFound(_ kind: String) throws {
    let farm = try FarmFixture()
    try farm.commit(0)
    let piece = farm.folder.piecePath("0.h1.mkv")
    let files = FileManager.default
    switch kind {
    case "short": try farm.write("vid", piece)
    case "long": try farm.write("video and more", piece)
    case "missing": try files.removeItem(atPath: piece)
    case "folder":
      try files.removeItem(atPath: piece)
      unsafe mkdir(piece, 0o777)
    case "link":
      try files.moveItem(atPath: piece, toPath: farm.scratch.path("video"))
      unsafe symlink(farm.scratch.path("video"), piece)
    default: try farm.folder.commit(part: piece, record: farm.record(0, plan: "old"))
    }
    let record = try #require(try farm.folder.record(0))
    #expect(farm.folder.fault(record, plan: FarmFixture.plan) != nil)
    // The piece is rejected, rendered again, and then all is well.
    #expect(try farm.next(of: 1).text == "taken 0")
    #expect(try farm.folder.record(0) == nil)
    try farm.commit(0, hash: "h2")
    #expect(try farm.next(of: 1).text == "finished")
  }

  @Test func aPartMustBeWhatTheRecordSays() throws {
    let farm = try FarmFixture()
    let part = farm.folder.partPath(0, token: "t")
    try farm.write("video", part)
    func refuses(_ part: String?, _ record: PieceRecord) -> Bool {
      do throws(FarmError) {
        try farm.folder.commit(part: part, record: record)
        return false
      } catch {
        return { if case .notPiece = $0 { true } else { false } }(error) && !error.isWorthRetrying
      }
    }
    #expect(refuses(part, farm.record(0, bytes: 6)))
    #expect(refuses(part, farm.record(0, frames: 0)))
    #expect(refuses(nil, farm.record(0)))
    #expect(refuses(part, farm.record(-1)))
    #expect(refuses(part, farm.record(0, seconds: .nan)))
    var elsewhere = farm.record(0)
    for name in ["../0.h.mkv", "0.../../x.mkv", "/tmp/0.h.mkv", "1.h.mkv", "0.json", "0.t.part.mkv", "00.h.mkv", ""] {
      elsewhere.file = name
      #expect(refuses(part, elsewhere), "\(name)")
    }
    #expect(farm.names("chunks") == ["0.t.part.mkv"])
    try farm.folder.commit(part: part, record: farm.record(0))
  }

  /// Records that someone has made to do harm.
  @Test(arguments: [
    ("\"number\":0", "\"number\":-1"), ("\"number\":0", "\"number\":1e300"),
    ("\"file\":\"0.h1.mkv\"", "\"file\":\"../plan.json\""), ("\"file\":\"0.h1.mkv\"", "\"file\":null"),
    ("\"file\":\"0.h1.mkv\"", "\"file\":\"0.\\u0000.mkv\""), ("\"frames\":10", "\"frames\":-10"),
    ("\"frames\":10", "\"frames\":9223372036854775807"), ("\"bytes\":5", "\"bytes\":-5"),
    ("\"seconds\":2", "\"seconds\":-1"), ("\"seconds\":2", "\"seconds\":1e999"),
    ("\"damaged\":0", "\"damaged\":[[[[]]]]"), ("\"peakMemory\":1000", "\"peakMemory\":-1"),
    ("\"times\":", "\"thumbnail\":\"../../x.png\",\"times\":"),
  ])
  func hostileRecords(_ part: String, _ other: String) throws {
    let farm = try FarmFixture()
    try farm.commit(0)
    let path = farm.folder.piecePath("0.json")
    let whole = try farm.text(path)
    try #require(whole.contains(part))
    try farm.write(whole.replacingOccurrences(of: part, with: other), path)
    #expect(try farm.folder.record(0) == nil)
    #expect(try farm.next(of: 1).text == "taken 0")
  }

  @Test func recordsThatAreNoRecords() throws {
    let farm = try FarmFixture()
    let path = farm.folder.piecePath("0.json")
    try farm.write(String(repeating: "{\"a\":", count: 200_000), path)
    #expect(try farm.folder.record(0) == nil)
    // A gigabyte of nothing.
    _ = unsafe truncate(path, 1 << 30)
    #expect(try farm.folder.record(0) == nil)
    try FileManager.default.removeItem(atPath: path)
    unsafe mkfifo(path, 0o666)
    #expect(try farm.folder.record(0) == nil)
    #expect(try farm.next(of: 1).text == "taken 0")
  }

  @Test func aRejectedPieceIsMovedAside() throws {
    let farm = try FarmFixture()
    try farm.commit(0)
    try farm.folder.reject(0, because: "its hash is wrong")
    #expect(try farm.folder.record(0) == nil)
    let names = farm.names("chunks")
    #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("0.") && $0.contains(".rejected.") })
    // Nothing is left to reject.
    try farm.folder.reject(0, because: "again")
    #expect(farm.names("chunks") == names)
  }

  /// Another machine has committed the piece again while this one looked at it.
  @Test func onlyTheRecordThatWasFoundWrongIsRejected() throws {
    let farm = try FarmFixture()
    try farm.commit(0)
    let wrong = try #require(try farm.folder.record(0))
    try farm.commit(0, "better", hash: "h2")
    try farm.folder.reject(0, because: "it is wrong", record: wrong)
    #expect(try farm.folder.record(0)?.hash == "h2")
    try farm.folder.reject(0, because: "it is wrong", record: farm.folder.record(0))
    #expect(try farm.folder.record(0) == nil)
  }

  @Test func leftoversOfTheDeadGo() throws {
    let farm = try FarmFixture()
    let lease = try #require(try Lease.take(1, in: farm.folder, by: .current))
    let kept = [
      "0.h1.mkv", "0.json", "1.\(lease.token).part.mkv", "3.h1.mkv", "notes.txt", "4.h1.mkv", "4.json", "6.h1.mkv",
      "6.json", "6.h2.mkv", "5.h.mkv",
      "5.x.png",
    ]
    try farm.commit(0, "old", hash: "h0")
    try farm.commit(0)
    try farm.commit(4)
    for name in [
      "0.x.png", "1.\(lease.token).part.mkv", "1.feed.part.mkv", "2.feed.part.mkv", ".0.json.feed.tmp", "3.h1.mkv",
      "notes.txt", "0.feed.rejected.mkv", "5.h.mkv", "5.x.png",
    ] {
      try farm.write("x", farm.folder.piecePath(name))
    }
    try farm.write("x", farm.folder.path(of: "claims/.7.feed.new"))
    try farm.foreignClaim(5)
    // A machine that renders it again is about to write its record.
    try farm.commit(6)
    try farm.write("x", farm.folder.piecePath("6.h2.mkv"))
    try farm.foreignClaim(6)
    // Whatever is young may be in use.
    farm.folder.removeLeftovers()
    #expect(farm.names("chunks").count == 18)
    farm.folder.removeLeftovers(olderThan: 0)
    #expect(farm.names("chunks") == kept.sorted())
    #expect(farm.names("claims") == ["1", "5", "6"])
  }
}
