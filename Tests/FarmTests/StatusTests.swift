import Farm
import Files
import Foundation
import TestSupport
import Testing

/// What a status says of a folder.
@Suite struct StatusTests {
  private static func film(_ count: Int, name: String = "film.mov", tries: Int = 3) -> FilmOutline {
    FilmOutline(
      name: name, output: "film.mkv", frames: Array(repeating: 100, count: count),
      seconds: Array(repeating: 4, count: count), framesPerSecond: 25, width: 1920, height: 1080, maximumTries: tries)
  }

  private func status(
    _ farm: FarmFixture, _ film: FilmOutline, queue: [QueueEntry] = []
  ) throws -> FarmStatus {
    try FarmStatus(farm.folder, film, plan: FarmFixture.plan, queue: queue)
  }

  private func end(
    _ farm: FarmFixture, _ number: Int, _ outcome: Try.Outcome?, host: String = "n1", token: String? = nil
  ) throws {
    let attempt = try Try.begin(number, by: FarmFixture.machine(host), token: token, in: farm.folder)
    if let outcome { try attempt.end(outcome, in: farm.folder) }
  }

  /// Each state once: 0 done, 1 running, 2 lost, 3 failed, 4 waiting after a failure, 5 waiting.
  private func mixed() throws -> FarmFixture {
    let farm = try FarmFixture()
    try farm.commit(0, seconds: 20)
    try farm.foreignClaim(1, host: "n2", token: "aa", frames: 40, rate: 5)
    try end(farm, 1, nil, host: "n2", token: "aa")
    try farm.foreignClaim(2, host: "n3", token: "bb", age: 70)
    try end(farm, 2, nil, host: "n3", token: "bb")
    for _ in 0..<3 { try end(farm, 3, .failed(words: "The decoder gave up.", isWorthRetrying: false)) }
    try end(farm, 4, .failed(words: "The disk is full.", isWorthRetrying: true))
    return farm
  }

  @Test func eachState() throws {
    let farm = try mixed()
    let status = try status(farm, Self.film(6))
    #expect(status.pieces.map(\.state.name) == ["done", "running", "lost", "failed", "waiting", "waiting"])
    let counts = status.counts
    #expect(counts.done == 1 && counts.running == 1 && counts.lost == 1 && counts.failed == 1 && counts.waiting == 2)
    #expect(counts.total == 6 && !status.isComplete && status.frames == 600 && status.framesDone == 140)
    // 60 + 3 × 100 frames at 5 a second; those of the failed piece are not waited for.
    #expect(status.secondsLeft == 72)
    #expect(status.pieces[3].words == "The decoder gave up" && status.pieces[4].words == "The disk is full")
    #expect(status.pieces[2].words?.hasPrefix("no sign of life for 1 min 1") == true)
    #expect(status.pieces[5].words == nil && status.pieces[1].begin == 4)
    let texts = status.events.map(\.text)
    #expect(texts.count == 5)
    // What happened first: the last sign of life.
    #expect(texts.first?.hasPrefix("Piece 2, try 1 on n3: no sign of life for 1 min 1") == true)
    #expect(texts.contains("Piece 3, try 2 on n1 failed: The decoder gave up."))
    #expect(texts.last == "Piece 4, try 1 on n1 failed: The disk is full. It does not count.")
  }

  @Test func timeLeft() throws {
    let farm = try FarmFixture()
    #expect(try status(farm, Self.film(3)).secondsLeft == nil)
    // Ten frames in 20 s, and a machine that has just begun.
    try farm.commit(0, seconds: 20)
    #expect(try status(farm, Self.film(3)).secondsLeft == nil)
    try farm.foreignClaim(1)
    #expect(try status(farm, Self.film(3)).secondsLeft == 400)
    // The last piece bounds it.
    try farm.foreignClaim(1, frames: 0, rate: 1)
    try farm.foreignClaim(2, frames: 50, rate: 49)
    #expect(try status(farm, Self.film(3)).secondsLeft == 100)
    try farm.commit(1)
    try farm.commit(2)
    let whole = try status(farm, Self.film(3))
    #expect(whole.isComplete && whole.secondsLeft == 0 && whole.counts.done == 3)
    #expect(try status(farm, Self.film(0)).isComplete)
  }

  @Test func rejectionsAndFaults() throws {
    let farm = try FarmFixture()
    try farm.commit(30)
    try farm.folder.reject(30, because: "its file has 1234 bytes, not 5678")
    try farm.commit(2)
    try FileManager.default.removeItem(atPath: farm.folder.piecePath("2.h1.mkv"))
    usleep(50_000)
    try farm.folder.cancel()
    usleep(50_000)
    try end(farm, 7, .failed(words: "late", isWorthRetrying: false))
    let status = try status(farm, Self.film(31))
    #expect(
      status.events.map(\.text) == [
        "Piece 30 was rejected: its file has 1234 bytes, not 5678.", "The work was cancelled.",
        "Piece 7, try 1 on n1 failed: late.",
        "Piece 2 will be rendered again: its file is missing.",
      ])
    #expect(status.counts.waiting == 31 && status.pieces[2].words == "its file is missing")
  }

  @Test func theQueueIsHeard() throws {
    let farm = try mixed()
    let queue = [
      QueueEntry(number: 4, job: "12_4", state: "PENDING", reason: "waits for a free machine"),
      QueueEntry(number: 5, job: "12_5", state: "RUNNING", node: "n7"),
      QueueEntry(number: 3, job: "12_3", state: "FAILED", node: "n1", reason: "was killed by signal 9"),
      QueueEntry(number: 99, job: "12_99", state: "RUNNING"), QueueEntry(number: -1, job: "x", state: ""),
    ]
    let status = try status(farm, Self.film(6), queue: queue)
    #expect(status.pieces[4].words == "The disk is full; job 12_4 waits for a free machine")
    #expect(status.pieces[5].words == "job 12_5 has been started on n7")
    #expect(status.pieces[3].words == "The decoder gave up; job 12_3 was killed by signal 9")
    #expect(status.lines().contains("  1 job: waits for a free machine"))
  }

  @Test func text() throws {
    let farm = try mixed()
    let lines = try status(farm, Self.film(6)).lines(width: 80)
    #expect(lines[0] == "film.mov → film.mkv")
    #expect(lines[1] == "[#>?!..]")
    #expect(lines[2] == "1 of 6 pieces done (#), 1 running (>), 2 waiting (.), 1 lost (?), 1 failed (!)")
    #expect(lines[3] == "140 of 600 frames (23.3 %), 1 min 12 s left")
    #expect(lines.contains { $0.hasPrefix("  1 on n2: 40 of 100 frames, 5.00 fps, heard of ") })
    #expect(lines.contains("  3 after 3 tries: The decoder gave up"))
    #expect(lines.contains("    to render it again: headroom chunk \(farm.folder.path) 3"))
    // Groups of pieces.
    let many = try status(farm, Self.film(1000)).lines(width: 60)
    #expect(many[1].count == 60 && many[1].hasPrefix("[!...") && many[1].hasSuffix(".]"))
    try farm.commit(1000)
    #expect(try status(farm, Self.film(1001)).lines(width: 60)[1].hasSuffix(".+]"))
  }

  /// A path that a shell would take for more than one word.
  @Test func commandsCanBePasted() throws {
    let scratch = try Scratch()
    let folder = WorkFolder(scratch.path("a film's $HOME"))
    try folder.create()
    for _ in 0..<2 {
      let attempt = try Try.begin(0, by: .current, token: nil, in: folder)
      try attempt.end(.failed(words: "x", isWorthRetrying: false), in: folder)
    }
    let status = try FarmStatus(folder, Self.film(1, tries: 2))
    let line = try #require(status.lines().first { $0.contains("headroom chunk") })
    #expect(line.hasSuffix("'\(scratch.path("a film'\\''s $HOME"))' 0"))
  }

  @Test func json() throws {
    let farm = try mixed()
    let status = try status(farm, Self.film(6))
    let object = try #require(try JSONSerialization.jsonObject(with: status.json) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "counts", "events", "film", "folder", "frames", "frames_done", "is_complete", "output", "pieces",
        "seconds_left", "time",
      ])
    #expect(object["seconds_left"] as? Double == 72 && object["is_complete"] as? Bool == false)
    #expect((object["counts"] as? [String: Int])?["waiting"] == 2)
    let pieces = try #require(object["pieces"] as? [[String: Any]])
    #expect(pieces[0]["peak_memory"] as? Int == 1000 && pieces[0]["frames_per_second"] as? Double == 0.5)
    #expect(pieces[1]["host"] as? String == "n2" && pieces[1]["frames_done"] as? Int == 40)
    #expect(pieces[3]["words"] as? String == "The decoder gave up" && pieces[3]["tries"] as? Int == 3)
    #expect((object["events"] as? [[String: Any]])?.first?["piece"] as? Int == 2)
  }

  /// Numbers of a plan that is not to be trusted.
  @Test func hostileFilms() throws {
    let farm = try FarmFixture()
    try farm.foreignClaim(1, frames: Int.max, rate: 1e-300)
    let film = FilmOutline(
      name: "\u{1B}[2J<script>", output: "\n", frames: [Int.max, Int.max, Int.min, 0], seconds: [.nan, .infinity, -1],
      framesPerSecond: .infinity, width: 0, height: 0, maximumTries: -1)
    let status = try FarmStatus(farm.folder, film)
    #expect(status.pieces.count == 4 && status.frames == 2_000_000_000)
    for width in [Int.min, 0, Int.max] {
      let lines = status.lines(width: width)
      #expect(lines.allSatisfy { line in !line.unicodeScalars.contains { $0.properties.generalCategory == .control } })
    }
    #expect(!status.html.isEmpty && !status.json.isEmpty)
  }

  @Test func twoThousandPieces() throws {
    let farm = try FarmFixture()
    for number in 0..<2000 {
      let record = farm.record(number)
      try farm.write("video", farm.folder.piecePath("\(number).h1.mkv"))
      try JSONEncoder().encode(record).write(to: URL(fileURLWithPath: farm.folder.piecePath("\(number).json")))
      try farm.write("{}", farm.folder.path(of: "tries/\(number).1.json"))
    }
    let began = ContinuousClock.now
    let status = try status(farm, Self.film(2001))
    let read = ContinuousClock.now
    #expect(status.counts.done == 2000 && status.counts.failed == 0 && status.counts.waiting == 1)
    #expect(status.lines(width: 100)[1].count == 100)
    #expect(status.html.components(separatedBy: "<div class=\"segment").count == 151)
    print("Status of 2,000 pieces: \(read - began), page and text: \(ContinuousClock.now - read)")
    #expect(try farm.next(of: 2001).text == "taken 2000")
  }
}
