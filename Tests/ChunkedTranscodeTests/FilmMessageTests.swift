import ChunkedTranscode
import Displays
import Farm
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// What is said about films in pieces, and what is refused.
@Suite struct FilmMessageTests {
  private static func told(_ log: EventLog) -> [Message] {
    log.events.compactMap { if case .message(let message, _) = $0 { message } else { nil } }
  }

  private static func refused(_ body: () throws -> Void) -> Message? {
    do {
      try body()
      return nil
    } catch let refusal as Refusal {
      return refusal.message
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
    var request = FilmRequest(TranscodeRequest.replacing(input, scratch.path("out.mkv")), folder: scratch.path("work"))
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

  /// Expects that a film cannot be divided.
  private static func expectObstacle(
    _ code: Message.Code, _ part: String, _ scratch: Scratch, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout FilmRequest) -> Void
  ) {
    let refused = Self.refused { _ = try planned(scratch, changing: change) }
    #expect(
      refused?.says(code, "cannot be rendered in pieces: ", part) == true, "\(refused?.words ?? "nothing")",
      sourceLocation: sourceLocation)
  }

  /// How many pieces a film that cannot be assembled has rejected; nil: pieces are missing, or something else is wrong.
  private static func rejections(_ refused: Message?) -> Int? {
    guard let refused, refused.code == "film-incomplete", !refused.words.contains("not rendered yet") else {
      return nil
    }
    return refused.words.components(separatedBy: " failed verification: ").count - 1
  }

  @Test func aFilmTellsWhatHappens() throws {
    let scratch = try Scratch()
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let film = try Self.planned(scratch, session)
    let input = film.plan.input.path
    let (folder, output) = ("'\(scratch.path("work"))'", "'\(scratch.path("out.mkv"))'")
    let planning: [Message.Code?] = [
      "reading-packets", "following-dynamic-metadata", "pieces-differ-where-damaged", "already-planned",
    ]
    let begun = Self.told(log).filter { planning.contains($0.code) }
    #expect(begun.count == 1 && begun.first?.says("reading-packets", "'\(input)'") == true)
    #expect(try session.render(.next, of: film) == .done)
    #expect(Self.told(log).contains { $0.says("rendering-piece", "piece 0 (1 of 3), from 0:00.0 to 0:00.4") })
    #expect(Self.told(log).last?.says("piece-complete", "Piece 0 ", "10 frames") == true)
    try session.render(.number(0), of: film)
    #expect(Self.told(log).last?.says("piece-already-rendered", "Piece 0 ") == true)
    // All of the pieces that are missing are named.
    let missing = Self.refused { _ = try session.assemble(film) }
    #expect(missing?.says("film-incomplete", "Pieces 1 to 2 of \(folder) are not rendered yet.") == true)
    #expect(missing?.words.contains("failed") == false)
    try session.render(.all, of: film)
    #expect(try film.isWhole() && !film.status().isComplete)
    try session.assemble(film)
    #expect(Self.told(log).contains { $0.says("joining-pieces", "3 pieces", output) })
    #expect(try film.status().isComplete)
    try session.assemble(film)
    #expect(Self.told(log).last?.says("film-complete", output) == true)
    _ = try Self.planned(scratch, session)
    #expect(Self.told(log).last?.says("already-planned", folder) == true)
    let other = Self.refused { _ = try Self.planned(scratch) { $0.division = .count(4) } }
    #expect(other?.says("other-plan-exists", folder) == true)
    // Another plan's pieces do not count.
    let replaced = try Self.planned(scratch, replaces: true) { $0.division = .count(4) }
    #expect(try !replaced.isWhole())
    // Workers of the old plan stop, and leave the pieces of the new one alone.
    #expect(Self.refused { try session.render(.all, of: film) }?.says("plan-replaced", folder) == true)
  }

  /// A plan that is replaced while a piece of it is rendered.
  @Test func aPieceOfAReplacedPlanIsNotKept() throws {
    let scratch = try Scratch()
    let film = try Self.planned(scratch)
    let (plan, shots) = try Session().plan(Self.request(scratch) { $0.division = .count(4) })
    let session = Session { [folder = scratch.path("work")] event in
      guard case .message(let message, _) = event, message.code == "rendering-piece" else { return }
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
    let log = EventLog()
    let session = Session(onEvent: log.add)
    _ = try session.plan(
      FilmRequest(TranscodeRequest.replacing(path, scratch.path("out.mkv")), folder: scratch.path("work")))
    #expect(Self.told(log).contains { $0.says("following-dynamic-metadata", "'\(path)'") })
  }

  /// A damaged piece is named, rejected and rendered again.
  @Test func damagedPiecesAreRejected() throws {
    let scratch = try Scratch()
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let film = try Self.planned(scratch, session)
    try session.render(.all, of: film)
    let record = try #require(try film.folder.record(1))
    let piece = URL(fileURLWithPath: film.folder.piecePath(try #require(record.file)))
    var bytes = try Data(contentsOf: piece)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: piece)
    let refused = Self.refused { try session.assemble(film) }
    #expect(Self.rejections(refused) == 1)
    #expect(refused?.words.hasPrefix("Piece 1 failed verification: its bytes are not those that were written.") == true)
    #expect(try film.folder.record(1) == nil)
    try session.render(.all, of: film)
    // A piece that is too short is seen at once.
    let second = try #require(try film.folder.record(2)?.file)
    try bytes.prefix(1000).write(to: URL(fileURLWithPath: film.folder.piecePath(second)))
    try session.render(.number(2), of: film)
    #expect(Self.told(log).contains { $0.says("piece-rejected", "Piece 2 ", "its file has 1000 bytes") })
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
    let refused = Self.refused { try session.assemble(film) }
    #expect(Self.rejections(refused) != nil)
    let seam = "its first frame, at 0.4 s of the input, does not match"
    #expect(refused?.words.hasPrefix("Piece 0 failed verification: \(seam)") == true)
  }

  @Test func otherVersionsAreRefused() throws {
    let scratch = try Scratch()
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let film = try Self.planned(scratch, session)
    var plan = film.plan
    plan.versions = ToolVersions(plan.versions.versions.merging(["FFmpeg": "0.1"]) { $1 })
    let old = try session.write(plan, shots: nil, in: scratch.path("old"), replaces: false)
    #expect(Self.refused { try session.render(.next, of: old) }?.says("plan-of-other-version", "FFmpeg 0.1,") == true)
    try session.render(.all, of: old, allowsMixed: true)
    #expect(
      log.events.contains { event in
        if case .message(let told, .warning) = event { told.code == "versions-mixed" } else { false }
      })
    let refused = Self.refused { try session.assemble(old, allowsMixed: false) }
    guard let rejections = Self.rejections(refused) else {
      return #expect(Self.refused { try session.assemble(old) } != nil)
    }
    #expect(rejections == 3)
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
    func isRefused(_ code: Message.Code, _ part: String) -> Bool {
      Self.refused { try Session().render(.next, of: film) }?.says(code, "'\(input.path)'", part) == true
    }
    try (bytes + [0]).write(to: input)
    #expect(isRefused("film-input-changed", "it has \(bytes.count + 1) bytes, and had \(bytes.count)."))
    var others = bytes
    others[others.count - 100] ^= 1
    try others.write(to: input)
    #expect(isRefused("film-input-changed", "its contents differ"))
    try bytes.write(to: input)
    #expect(isRefused("film-input-changed", "it was modified"))
    try FileManager.default.removeItem(at: input)
    #expect(isRefused("film-input-unreadable", "No such file"))
  }

  @Test func impossibleRequestsAreRefused() throws {
    let scratch = try Scratch()
    func expect(
      _ code: Message.Code, _ part: String, sourceLocation: SourceLocation = #_sourceLocation,
      _ body: () throws -> Void
    ) {
      let refused = Self.refused(body)
      #expect(refused?.says(code, part) == true, "\(refused?.words ?? "nothing")", sourceLocation: sourceLocation)
    }
    expect("no-work-folder", "'\(scratch.path("none"))'") { _ = try Film(scratch.path("none")) }
    expect("no-plan", "'\(scratch.folder.path)'") { _ = try Film(scratch.folder.path) }
    let broken = scratch.path("broken")
    try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: false)
    _ = try scratch.file("broken/plan.json", Data("{}".utf8))
    expect("plan-damaged", "'\(broken)'") { _ = try Film(broken) }
    let film = try Self.planned(scratch)
    expect("no-such-piece", "pieces 0 to 2, not 3") { try Session().render(.number(3), of: film) }
    let other = scratch.path("out.mp4")
    expect("output-of-other-container", "'\(other)' has a different container from the plan's (matroska)") {
      try Session().assemble(film, output: other)
    }
    let fresh = try Scratch()
    let nowhere = fresh.path("none/work")
    expect("impossible-work-folder", "'\(nowhere)'") { _ = try Self.planned(fresh) { $0.folder = nowhere } }
    let others = "'\(fresh.folder.path)' is not a work folder, it has other files such as 'in.mkv'"
    expect("work-folder-has-other-files", others) { _ = try Self.planned(fresh) { $0.folder = fresh.folder.path } }
    Self.expectObstacle("pieces-of-whole-film", ": report is", fresh) {
      $0.transcode.report = fresh.path("report.json")
    }
    Self.expectObstacle("pieces-of-whole-film", ": statistics is", fresh) {
      $0.transcode.statistics = fresh.path("stats")
    }
    Self.expectObstacle("pieces-of-one-frame", ": at selects", fresh) { $0.transcode.selection.at = 1 }
    Self.expectObstacle("pieces-to-stream", "the output is not a file", fresh) {
      $0.transcode.output = "-"; $0.transcode.coding.format = "matroska"
    }
    Self.expectObstacle("pieces-with-rate-option", "the option bitrate makes libx264", fresh) {
      $0.transcode.coding.encoder = "libx264"
      $0.transcode.coding.encoderOptions = [.init("bitrate", "1000")]
    }
    Self.expectObstacle("pieces-with-bit-rate", ": mpeg2video keeps to", fresh) {
      $0.transcode.coding.encoder = "mpeg2video"
    }
    Self.expectObstacle("pieces-of-stream", "which cannot be read twice", fresh) { $0.transcode.input.name = "-" }
    Self.expectObstacle("pieces-following-display", ": follow depends", fresh) {
      $0.transcode.mapping.display = DisplayModel.presets.first.map { DisplayStatus($0) }
      $0.transcode.following = DisplayFollowing(.live(.file(path: fresh.path("display.json"))))
    }
    Self.expectObstacle("pieces-not-in-matroska", "cannot be kept in pieces", fresh) {
      $0.transcode.coding.format = "framemd5"
    }
    let raw = try scratch.hevc("raw.hevc")
    Self.expectObstacle("pieces-without-times", "no times", fresh) { $0.transcode.input.name = raw }
    let picture = try scratch.made("picture.png", frames: 1, [])
    Self.expectObstacle("pieces-of-pictures", "made of pictures", fresh) { $0.transcode.input.name = picture }
    for (parameter, change) in [
      (.chunkSeconds, { $0.division = .seconds(0) }),
      (.chunks, { $0.division = .count(0) }), (.maxTries, { $0.maximumTries = 0 }),
    ] as [(Parameter, (inout FilmRequest) -> Void)] {
      let refused = Self.refused({ _ = try Self.planned(fresh, changing: change) })
      #expect(refused?.says("out-of-range", "\(parameter.rawValue) takes") == true, "\(refused?.words ?? "nothing")")
    }
  }

  @Test func piecesShareNoBits() {
    for (parameter, rate) in [(Parameter.bitrate, \RateControl.average), (.maxBitrate, \.maximum)] {
      var request = TranscodeRequest(input: Sample.hdr10, output: "/tmp/nowhere-\(getpid()).mkv")
      request.coding.rate[keyPath: rate] = 1_000_000
      var film = FilmRequest(request, folder: "/tmp/nowhere-\(getpid())")
      film.division = .count(2)
      expectRefusal("pieces-of-whole-film", "'\(Sample.hdr10)'", ": \(parameter.rawValue) is", "Use crf") {
        try $0.plan(film)
      }
    }
  }

  /// What other machines render is waited for, or left to them.
  @Test func claimsAreRespected() throws {
    let scratch = try Scratch()
    let log = EventLog()
    let session = Session(onEvent: log.add)
    let film = try Self.planned(scratch, session) { $0.division = .count(1) }
    let lease = try #require(
      try Lease.take(0, in: film.folder, by: Machine(host: "elsewhere", process: 7), lasting: 3600))
    let refused = Self.refused { try session.render(.next, of: film) }
    #expect(refused?.says("no-piece-free", "'\(scratch.path("work"))'") == true)
    let release = Task.detached {
      try await Task.sleep(for: .seconds(0.5))
      lease.release()
    }
    try session.render(.number(0), of: film)
    #expect(Self.told(log).contains { $0.says("waiting-for-pieces", "Waiting for piece 0 on elsewhere.") })
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
    #expect(refused?.says("tries-exhausted", "Piece 1 of '\(scratch.path("work"))'", "It is broken.") == true)
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
        Self.refused { _ = try Film(film.folder.path) }?.says("plan-damaged", "'\(film.folder.path)'") == true,
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
