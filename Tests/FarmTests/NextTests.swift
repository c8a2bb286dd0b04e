import Farm
import Files
import Foundation
import Synchronization
import TestSupport
import Testing

/// Which chunk a machine renders next.
@Suite struct NextTests {
  @Test func theLowestFreeNumberComesFirst() throws {
    let farm = try FarmFixture()
    try farm.commit(0)
    let first = try farm.next(of: 4)
    #expect(first.text == "taken 1")
    let second = try farm.next(of: 4)
    #expect(second.text == "taken 2")
    first.lease?.release()
    let again = try farm.next(of: 4)
    #expect(again.text == "taken 1")
    let last = try farm.next(of: 4)
    #expect(last.text == "taken 3")
    #expect(try farm.next(of: 4).text == "wait")
    for number in 1...3 { try farm.commit(number) }
    // Claims of pieces that are there do not matter.
    #expect(try farm.next(of: 4).text == "finished")
    #expect(try farm.next(of: 0).text == "finished")
  }

  private func fail(_ farm: FarmFixture, _ number: Int, isWorthRetrying: Bool = false) throws {
    let attempt = try Try.begin(number, by: FarmFixture.machine("n1"), token: nil, in: farm.folder)
    try attempt.end(.failed(words: "it broke", isWorthRetrying: isWorthRetrying), in: farm.folder)
  }

  @Test func triesAreUsedUp() throws {
    let farm = try FarmFixture()
    try farm.commit(1)
    for count in 0..<3 {
      let next = try farm.next(of: 2)
      #expect(next.text == "taken 0", "after \(count) tries")
      next.lease?.release()
      try fail(farm, 0)
    }
    #expect(try farm.next(of: 2).text == "failed [0]")
    #expect(try farm.folder.tries(0).map(\.index) == [1, 2, 3])
    #expect(try farm.next(of: 3).text == "taken 2")
    // Someone renders it all the same: it may come yet.
    let lease = try Lease.take(0, in: farm.folder, by: .current)
    try farm.commit(2)
    #expect(try farm.next(of: 3).text == "wait")
    lease?.release()
    // It has come.
    try farm.commit(0)
    #expect(try farm.next(of: 3).text == "finished")
  }

  @Test func triesThatTheChunkIsNotToBlameForDoNotCount() throws {
    let farm = try FarmFixture()
    for _ in 0..<5 { try fail(farm, 0, isWorthRetrying: true) }
    try fail(farm, 0)
    try fail(farm, 0)
    let next = try farm.next(of: 1)
    #expect(next.text == "taken 0")
    next.lease?.release()
    try fail(farm, 0)
    #expect(try farm.next(of: 1).text == "failed [0]")
  }

  /// A try that ended without a word counts as soon as its claim is gone or has expired.
  @Test func silentTriesCount() throws {
    let farm = try FarmFixture()
    let lease = try #require(try farm.next(of: 1, tries: 1).lease)
    let attempt = try Try.begin(0, by: FarmFixture.machine("n1"), token: lease.token, in: farm.folder)
    #expect(attempt.isLiving(farm.folder.claim(0)))
    #expect(try farm.next(of: 1, tries: 1).text == "wait")
    farm.age(farm.claimPath(0), 100)
    #expect(!attempt.isLiving(farm.folder.claim(0)) && attempt.counts(farm.folder.claim(0)))
    #expect(try farm.next(of: 1, tries: 1).text == "failed [0]")
    #expect(try farm.next(of: 1, tries: 2).text == "taken 0")
  }

  @Test func triesOfManyMachinesHaveNumbersOfTheirOwn() throws {
    let farm = try FarmFixture()
    DispatchQueue.concurrentPerform(iterations: 40) { index in
      let attempt = try? Try.begin(0, by: FarmFixture.machine("n\(index)"), token: nil, in: farm.folder)
      try? attempt?.end(.done, in: farm.folder)
    }
    let tries = try farm.folder.tries(0)
    #expect(tries.map(\.index) == Array(1...40))
    #expect(Set(tries.compactMap { $0.machine?.host }).count == 40 && tries.allSatisfy { $0.outcome == .done })
    #expect(farm.names("tries").count == 40)
  }

  @Test(arguments: [
    "", "{\"machine\":7}", String(repeating: "[", count: 60_000), String(repeating: " ", count: 100_000),
  ])
  func aDamagedTryCounts(_ text: String) throws {
    let farm = try FarmFixture()
    try farm.write(text, farm.folder.path(of: "tries/0.1.json"))
    for name in ["0.-1.json", "0.01.json", "0.9223372036854775807.json", "0.1.2.json", "x.1.json", "-1.1.json"] {
      try farm.write("{}", farm.folder.path(of: "tries/\(name)"))
    }
    #expect(try farm.folder.tries(0).map(\.index) == [1])
    #expect(try farm.next(of: 1, tries: 1).text == "failed [0]")
  }

  @Test func wordsOfFailuresAreCut() throws {
    let farm = try FarmFixture()
    let attempt = try Try.begin(0, by: .current, token: nil, in: farm.folder)
    try attempt.end(
      .failed(words: String(repeating: "\u{1F600}", count: 100_000), isWorthRetrying: false), in: farm.folder)
    guard case .failed(let words, _) = try farm.folder.tries(0).first?.outcome else {
      Issue.record("it has no outcome")
      return
    }
    #expect(words.count == 1001)
  }

  /// Machines work until nothing is left: every chunk is rendered once.
  @Test func machinesShareTheWork() throws {
    let farm = try FarmFixture()
    let count = 60
    let rendered = Mutex<[Int: Int]>([:])
    DispatchQueue.concurrentPerform(iterations: 6) { index in
      let machine = FarmFixture.machine("n\(index)")
      while let next = try? farm.next(of: count, by: machine) {
        switch next {
        case .taken(let lease, let number):
          rendered.withLock { $0[number, default: 0] += 1 }
          let part = farm.folder.partPath(number, token: lease.token)
          try? farm.write("video", part)
          try? farm.folder.commit(part: part, record: farm.record(number))
          lease.release()
        case .wait: usleep(1000)
        case .finished, .failed: return
        }
      }
    }
    #expect(rendered.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, 1) }))
    #expect(farm.names("claims").isEmpty && farm.names("chunks").count == count * 2)
  }

  @Test func cancellingEndsWhatHasBegun() throws {
    let farm = try FarmFixture()
    let start = try farm.folder.now()
    let lease = try #require(try farm.next(of: 2, since: start).lease)
    #expect(!farm.folder.wasCancelled(since: lease) && farm.folder.cancelTime == nil)
    // Clocks of file systems may tick every few milliseconds.
    usleep(50_000)
    try farm.folder.cancel()
    #expect(farm.folder.wasCancelled(since: lease))
    #expect(throws: FarmError.cancelled(path: farm.folder.path)) { try farm.next(of: 2, since: start) }
    usleep(50_000)
    let later = try farm.folder.now()
    #expect(try farm.next(of: 2, since: later).text == "taken 1")
    #expect(!farm.folder.wasCancelled(since: later))
    usleep(50_000)
    try farm.folder.cancel()
    #expect(farm.folder.wasCancelled(since: later))
  }

  @Test func whatIsNoWorkFolder() throws {
    let farm = try FarmFixture()
    let missing = WorkFolder(farm.scratch.path("none"))
    func isRefused(_ folder: WorkFolder) -> Bool {
      do throws(FarmError) {
        _ = try folder.next(of: 1, maximumTries: 1, by: .current)
        return false
      } catch {
        return { if case .notWorkFolder = $0 { true } else { false } }(error)
      }
    }
    #expect(isRefused(missing))
    #expect(throws: FarmError.self) { try missing.cancel() }
    #expect(!farm.exists(missing.path))
    try FileManager.default.removeItem(atPath: farm.folder.path(of: "tries"))
    #expect(isRefused(farm.folder))
    try farm.folder.create()
    #expect(!isRefused(farm.folder))
    try farm.write("x", farm.scratch.path("file"))
    #expect(throws: FarmError.failed(.create, path: farm.scratch.path("file"), code: ENOTDIR)) {
      try WorkFolder(farm.scratch.path("file")).create()
    }
  }

  /// Names are bytes.
  @Test func aFolderWhoseNameIsNoText() throws {
    let scratch = try Scratch()
    let folder = WorkFolder(scratch.path("film") + String(systemBytes: [0xFF, 0x20, 0xE9]))
    try folder.create()
    #expect(try folder.next(of: 1, maximumTries: 1, by: .current).text == "taken 0")
  }
}
