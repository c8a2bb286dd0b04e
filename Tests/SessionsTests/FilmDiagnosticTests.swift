import Farm
import Foundation
import Frames
import TestSupport
import Testing

import Sessions

/// What is said about films in pieces, and what is refused.
@Suite struct FilmDiagnosticTests {
  private static func film(_ log: EventTests.Log) -> [Diagnostic] {
    log.events.compactMap { if case .diagnostic(.film(let diagnostic), _) = $0 { .film(diagnostic) } else { nil } }
  }

  private static func refused(_ body: () throws -> Void) -> Diagnostic? {
    do {
      try body()
      return nil
    } catch let refusal as Refusal {
      return refusal.diagnostic
    } catch {
      return nil
    }
  }

  /// A request for a film of three pieces.
  private static func request(_ scratch: Scratch, changing change: (inout FilmRequest) -> Void = { _ in }) throws
    -> FilmRequest
  {
    let input = scratch.path("in.mkv")
    if !FileManager.default.fileExists(atPath: input) {
      _ = try scratch.made("in.mkv", frames: 30, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-g", "5"] + Scratch.pq)
    }
    var request = FilmRequest(FilmTests.request(input, scratch.path("out.mkv")), folder: scratch.path("work"))
    request.division = .count(3)
    change(&request)
    return request
  }

  /// Plans the film.
  private static func planned(
    _ scratch: Scratch, _ session: Session = Session(), replaces: Bool = false,
    changing change: (inout FilmRequest) -> Void = { _ in }
  ) throws -> Film {
    let (plan, shots) = try session.plan(request(scratch, changing: change))
    return try session.write(plan, shots: shots, in: scratch.path("work"), replaces: replaces)
  }

  private static func obstacle(_ scratch: Scratch, _ change: (inout FilmRequest) -> Void) -> FilmObstacle? {
    guard case .film(.cannotBeDivided(_, let obstacle)) = refused({ _ = try planned(scratch, changing: change) }) else {
      return nil
    }
    return obstacle
  }

  @Test func aFilmTellsWhatHappens() throws {
    let scratch = try Scratch()
    let log = EventTests.Log()
    let session = Session(onEvent: log.add)
    let film = try Self.planned(scratch, session)
    let input = film.plan.input.path
    #expect(Self.film(log) == [.film(.readsPackets(name: input))])
    #expect(try session.render(.next, of: film) == .done)
    #expect(Self.film(log).contains(.film(.renders(number: 0, count: 3, from: 0, to: 0.4))))
    guard case .film(.rendered(number: 0, frames: 10, _)) = Self.film(log).last else { return #expect(Bool(false)) }
    try session.render(.number(0), of: film)
    #expect(Self.film(log).last == .film(.isRendered(number: 0)))
    // All of the pieces that are missing are named.
    let missing = Self.refused { _ = try session.assemble(film) }
    #expect(missing == .film(.isIncomplete(folder: scratch.path("work"), missing: [1, 2], rejected: [])))
    try session.render(.all, of: film)
    #expect(try film.isWhole() && !film.status().isComplete)
    try session.assemble(film)
    #expect(Self.film(log).contains(.film(.joins(count: 3, output: scratch.path("out.mkv")))))
    #expect(try film.status().isComplete)
    try session.assemble(film)
    #expect(Self.film(log).last == .film(.isAssembled(output: scratch.path("out.mkv"))))
    _ = try Self.planned(scratch, session)
    #expect(Self.film(log).last == .film(.isPlanned(folder: scratch.path("work"))))
    let other = Self.refused { _ = try Self.planned(scratch) { $0.division = .count(4) } }
    #expect(other == .film(.holdsAnotherPlan(folder: scratch.path("work"))))
    // Another plan's pieces do not count.
    let replaced = try Self.planned(scratch, replaces: true) { $0.division = .count(4) }
    #expect(try !replaced.isWhole())
    // Workers of the old plan stop, and leave the pieces of the new one alone.
    #expect(Self.refused { try session.render(.all, of: film) } == .film(.isReplaced(folder: scratch.path("work"))))
  }

  /// A plan that is replaced while a piece of it is rendered.
  @Test func aPieceOfAReplacedPlanIsNotKept() throws {
    let scratch = try Scratch()
    let film = try Self.planned(scratch)
    let (plan, shots) = try Session().plan(Self.request(scratch) { $0.division = .count(4) })
    let session = Session { [folder = scratch.path("work")] event in
      guard case .diagnostic(.film(.renders), _) = event else { return }
      #expect(throws: Never.self) { try Session().write(plan, shots: shots, in: folder, replaces: true) }
    }
    _ = try? session.render(.number(0), of: film)
    let pieces = try FileManager.default.subpathsOfDirectory(atPath: scratch.path("work")).filter {
      $0.hasSuffix(".mkv")
    }
    #expect(pieces == [])
  }

  @Test func dynamicMetadataIsFollowed() throws {
    guard let path = clip("hdr10plus_samsung") else { return }
    let scratch = try Scratch()
    let log = EventTests.Log()
    let session = Session(onEvent: log.add)
    _ = try session.plan(FilmRequest(FilmTests.request(path, scratch.path("out.mkv")), folder: scratch.path("work")))
    #expect(Self.film(log).contains(.film(.followsShots(name: path))))
  }

  /// A damaged piece is named, rejected and rendered again.
  @Test func damagedPiecesAreRejected() throws {
    let scratch = try Scratch()
    let log = EventTests.Log()
    let session = Session(onEvent: log.add)
    let film = try Self.planned(scratch, session)
    try session.render(.all, of: film)
    let record = try #require(try film.folder.record(1))
    let piece = URL(fileURLWithPath: film.folder.piecePath(try #require(record.file)))
    var bytes = try Data(contentsOf: piece)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: piece)
    guard case .film(.isIncomplete(_, [], let rejected)) = Self.refused({ try session.assemble(film) }) else {
      return #expect(Bool(false))
    }
    #expect(rejected.map(\.number) == [1] && rejected.map(\.fault) == [.contents])
    #expect(try film.folder.record(1) == nil)
    try session.render(.all, of: film)
    // A piece that is too short is seen at once.
    let second = try #require(try film.folder.record(2)?.file)
    try bytes.prefix(1000).write(to: URL(fileURLWithPath: film.folder.piecePath(second)))
    try session.render(.number(2), of: film)
    #expect(
      log.events.contains { if case .diagnostic(.film(.isRejected(number: 2, .file)), _) = $0 { true } else { false } })
    try session.assemble(film)
  }

  /// A piece of other frames than those between its neighbours is found by the frame at the seam.
  @Test func seamsAreProved() throws {
    let scratch = try Scratch()
    let session = Session()
    let film = try Self.planned(scratch, session)
    try session.render(.all, of: film)
    var record = try #require(try film.folder.record(1))
    record.first?.hash = "0123456789abcdef"
    let text = try JSONEncoder().encode(record)
    try text.write(to: URL(fileURLWithPath: film.folder.piecePath("1.json")))
    guard case .film(.isIncomplete(_, [], let rejected)) = Self.refused({ try session.assemble(film) }) else {
      return #expect(Bool(false))
    }
    #expect(rejected.first?.fault == .seam(before: 0.4, first: 0.4))
  }

  @Test func otherVersionsAreRefused() throws {
    let scratch = try Scratch()
    let log = EventTests.Log()
    let session = Session(onEvent: log.add)
    let film = try Self.planned(scratch, session)
    var plan = film.plan
    plan.versions = ToolVersions(plan.versions.versions.merging(["FFmpeg": "0.1"]) { $1 })
    let old = try session.write(plan, shots: nil, in: scratch.path("old"), replaces: false)
    guard
      case .film(.isOfOtherVersion(_, "FFmpeg", "0.1", _)) = Self.refused({ try session.render(.next, of: old) })
    else { return #expect(Bool(false)) }
    try session.render(.all, of: old, allowsMixed: true)
    #expect(log.events.contains { if case .diagnostic(.film(.mixesVersions), .warning) = $0 { true } else { false } })
    guard
      case .film(.isIncomplete(_, [], let rejected)) = Self.refused({ try session.assemble(old, allowsMixed: false) })
    else { return #expect(Self.refused { try session.assemble(old) } != nil) }
    #expect(rejected.count == 3)
  }

  /// A worker renders thousands of pieces, and each had a lock on a file.
  @Test func piecesLeaveNoFileOpen() throws {
    let scratch = try Scratch()
    let film = try Self.planned(scratch)
    let session = Session()
    #expect(try session.render(.all, of: film) == .done)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    withExtendedLifetime(session) {
      #expect(open.filter { $0.contains("/\(scratch.folder.lastPathComponent)/") } == [])
    }
  }

  /// It would fail for ever: it counts as no try of the piece.
  @Test func whatFailsBeforeATryEndsTheWork() throws {
    let scratch = try Scratch()
    let film = try Self.planned(scratch)
    // Nothing can be created in /proc.
    try FileManager.default.removeItem(atPath: scratch.path("work/tries"))
    try FileManager.default.createSymbolicLink(atPath: scratch.path("work/tries"), withDestinationPath: "/proc")
    let error = #expect(throws: FarmError.self) { try Session().render(.all, of: film) }
    guard case .failed(.create, _, ENOENT) = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  @Test func aPlanThatIsNotDeliveredIsNotDamaged() throws {
    let scratch = try Scratch()
    let path = scratch.path("plan.json")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "plan.json")
    #expect(throws: FarmError.failed(.read, path: path, code: ELOOP)) { try Film(scratch.folder.path) }
  }

  @Test func changedInputsAreNamed() throws {
    let scratch = try Scratch()
    let film = try Self.planned(scratch)
    let input = URL(fileURLWithPath: film.plan.input.path)
    let bytes = try Data(contentsOf: input)
    func change() -> InputFingerprint.Change? {
      guard case .film(.inputChanged(_, let change)) = Self.refused({ try Session().render(.next, of: film) }) else {
        return nil
      }
      return change
    }
    try (bytes + [0]).write(to: input)
    #expect(change() == .size(bytes.count, bytes.count + 1))
    var others = bytes
    others[others.count - 100] ^= 1
    try others.write(to: input)
    #expect(change() == .contents)
    try bytes.write(to: input)
    guard case .modified = change() else { return #expect(Bool(false)) }
    try FileManager.default.removeItem(at: input)
    guard case .film(.cannotRead) = Self.refused({ try Session().render(.next, of: film) }) else {
      return #expect(Bool(false))
    }
  }

  @Test func impossibleRequestsAreRefused() throws {
    let scratch = try Scratch()
    #expect(Self.refused { _ = try Film(scratch.path("none")) } == .film(.isNoFolder(folder: scratch.path("none"))))
    #expect(Self.refused { _ = try Film(scratch.folder.path) } == .film(.hasNoPlan(folder: scratch.folder.path)))
    let broken = scratch.path("broken")
    try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: false)
    _ = try scratch.file("broken/plan.json", Data("{}".utf8))
    #expect(Self.refused { _ = try Film(broken) } == .film(.isNoPlan(folder: broken)))
    let film = try Self.planned(scratch)
    #expect(
      Self.refused { try Session().render(.number(3), of: film) } == .film(.hasNoChunk(number: 3, count: 3)))
    let other = scratch.path("out.mp4")
    #expect(
      Self.refused { try Session().assemble(film, output: other) }
        == .film(.isOfOtherFormat(output: other, format: "matroska")))
    let fresh = try Scratch()
    let nowhere = fresh.path("none/work")
    #expect(
      Self.refused { _ = try Self.planned(fresh) { $0.folder = nowhere } } == .film(.cannotBeFolder(folder: nowhere)))
    #expect(
      Self.refused { _ = try Self.planned(fresh) { $0.folder = fresh.folder.path } }
        == .film(.folderHasOthers(folder: fresh.folder.path, name: "in.mkv")))
    #expect(Self.obstacle(fresh) { $0.transcode.report = fresh.path("report.json") } == .writesBeside(.report))
    #expect(Self.obstacle(fresh) { $0.transcode.statistics = fresh.path("stats") } == .writesBeside(.statistics))
    #expect(Self.obstacle(fresh) { $0.transcode.selection.at = 1 } == .isSingleFrame)
    #expect(
      Self.obstacle(fresh) {
        $0.transcode.output = "-"; $0.transcode.coding.format = "matroska"
      } == .writesStream)
    #expect(
      Self.obstacle(fresh) {
        $0.transcode.coding.encoder = "libx264"
        $0.transcode.coding.encoderOptions = [.init("bitrate", "1000")]
      } == .keepsBitRate(encoder: "libx264", option: "bitrate"))
    #expect(
      Self.obstacle(fresh) { $0.transcode.coding.encoder = "mpeg2video" }
        == .keepsBitRate(encoder: "mpeg2video", option: nil))
    let raw = try scratch.hevc("raw.hevc")
    guard case .hasNoTimes = Self.obstacle(fresh, { $0.transcode.input.name = raw }) else {
      return #expect(Bool(false))
    }
    let picture = try scratch.made("picture.png", frames: 1, [])
    #expect(Self.obstacle(fresh) { $0.transcode.input.name = picture } == .isOfPictures)
    for (parameter, change) in [
      (.chunkSeconds, { $0.division = .seconds(0) }),
      (.chunks, { $0.division = .count(0) }), (.maxTries, { $0.maximumTries = 0 }),
    ] as [(Parameter, (inout FilmRequest) -> Void)] {
      guard case .outOfRange(let named, _, _, _) = Self.refused({ _ = try Self.planned(fresh, changing: change) })
      else {
        return #expect(Bool(false))
      }
      #expect(named == parameter)
    }
  }

  /// What other machines render is waited for, or left to them.
  @Test func claimsAreRespected() throws {
    let scratch = try Scratch()
    let log = EventTests.Log()
    let session = Session(onEvent: log.add)
    let film = try Self.planned(scratch, session) { $0.division = .count(1) }
    let lease = try #require(
      try Lease.take(0, in: film.folder, by: Machine(host: "elsewhere", process: 7), lasting: 3600))
    #expect(
      Self.refused { try session.render(.next, of: film) } == .film(.nothingIsFree(folder: scratch.path("work"))))
    let release = Task.detached {
      try await Task.sleep(for: .seconds(0.5))
      lease.release()
    }
    try session.render(.number(0), of: film)
    #expect(Self.film(log).contains(.film(.isAwaited([FilmDiagnostic.Claimed(number: 0, host: "elsewhere")]))))
    #expect(!release.isCancelled)
    #expect(try film.isWhole())
  }

  @Test func triesAreCounted() throws {
    let scratch = try Scratch()
    let session = Session()
    let film = try Self.planned(scratch, session) { $0.maximumTries = 2 }
    for _ in 0..<2 {
      let attempt = try Try.begin(1, by: Machine(host: "there", process: 7), token: nil, in: film.folder)
      try attempt.end(.failed(words: "It is broken.", isWorthRetrying: false), in: film.folder)
    }
    let refused = Self.refused { try session.render(.all, of: film) }
    #expect(refused == .film(.hasFailed(folder: scratch.path("work"), numbers: [1], lastWords: "It is broken.")))
    // The others are there, and this one is tried when it is asked for.
    try session.render(.number(1), of: film)
    #expect(try film.isWhole())
  }

  /// A changed plan may have a changed checksum: numbers that do not follow from the request are found still.
  @Test func `Forged numbers of a plan are refused`() throws {
    let scratch = try Scratch()
    let film = try Self.planned(scratch)
    let file = URL(fileURLWithPath: film.folder.planPath)
    let sealed = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let numbers: [(String, Int)] = [
      ("transcode.video.size.width", 64), ("transcode.video.size.height", .max), ("transcode.decoded.size.width", 0),
      ("transcode.decoded.layout.bitDepth", -1), ("transcode.decoded.layout.bitDepth", 1),
      ("transcode.video.layout.bitDepth", 17), ("transcode.video.timeBase.denominator", 0),
      ("transcode.video.timeBase.numerator", .min), ("transcode.videoIndex", -1), ("transcode.target.display.peak", 0),
      ("transcode.request.selection.every", 0), ("chunks.0.count", .max), ("chunks.1.first", 0), ("chunks.2.start", -1),
      ("maximumTries", 0), ("inputTimeBase.denominator", 0),
    ]
    for (path, number) in numbers {
      let plan = try JSONSerialization.data(
        withJSONObject: try #require(Self.setting(path.split(separator: ".")[...], to: number, in: sealed["plan"])))
      // Some do not even decode.
      guard let forged = try? JSONDecoder().decode(FilmPlan.self, from: plan) else { continue }
      try forged.json().write(to: file)
      #expect(
        Self.refused { _ = try Film(film.folder.path) } == .film(.isNoPlan(folder: film.folder.path)),
        "\(path) \(number)")
    }
  }

  private static func setting(_ path: ArraySlice<Substring>, to number: Int, in value: Any?) -> Any? {
    guard let key = path.first else { return value is NSNumber ? number : nil }
    if var object = value as? [String: Any] {
      guard let changed = setting(path.dropFirst(), to: number, in: object[String(key)]) else { return nil }
      object[String(key)] = changed
      return object
    }
    guard var list = value as? [Any], let index = Int(key), list.indices.contains(index),
      let changed = setting(path.dropFirst(), to: number, in: list[index])
    else { return nil }
    list[index] = changed
    return list
  }
}
