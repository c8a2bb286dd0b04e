internal import Farm
internal import FFmpegIO
internal import Files
public import Foundation
internal import Frames
internal import Media
internal import Rendering
public import Sessions
internal import ToneMapping

extension Session {
  /// Resolves a request against its input, divides it into chunks, and settles all state that spans frames.
  ///
  /// Reads all packets of the input. Decodes frames only to measure them or to track dynamic metadata.
  /// - Parameter request: The transcode, and how the film is divided.
  /// - Returns: The plan, and its shot file; nil if it needs none.
  /// - Throws: `Refusal` for impossible requests, `Cancellation`, or the error of a library.
  public func plan(_ request: FilmRequest) throws -> (plan: FilmPlan, shots: Data?) {
    try request.validate()
    let input = try InputFingerprint(request.transcode.input.name)
    let transcode = try plan(request.transcode)
    try refuse(transcode.filmObstacle, transcode)
    let countsFields = transcode.geometry.deinterlacing == .field
    let opened = try takeInput(of: transcode)
    guard let reader = opened.reader as? MediaReader, !reader.isStill else {
      let obstacle = FilmObstacle("pieces-of-pictures", "it is made of pictures. Make a film of them first.")
      throw Refusal.invalid(obstacle.message(input.path))
    }
    note("reading-packets", "Reading the packets of '\(input.path)' to find its frames.")
    let index = try pictureIndex(transcode)
    if index.untimed > 0 { try refuse(Self.untimed(index.untimed), transcode) }
    if index.endsEarly, !request.transcode.input.acceptsTruncation {
      throw FFmpegError.endsEarly(
        path: input.path, seconds: index.pictures.last.map { Double($0.presentation) * index.timeBase.value } ?? 0)
    }
    if index.clockJumps > 0 { warn([.clockJumps(input.path, count: index.clockJumps)]) }
    if index.errors > 0 {
      warn(
        "pieces-differ-where-damaged",
        "'\(input.path)' has \(index.errors.counting("damaged packet")): frames near them may differ from those of a "
          + "single run, because a decoder conceals damage with the pictures that it has.")
    }
    let timeBase = reader.video.timeBase
    let division = FilmDivision(
      index, first: opened.first, transcode.selection.selection, request.division, timeBase: timeBase)
    guard let last = division.chunks.last else { throw Refusal.failed(.noFramesSelected(input.path)) }
    // Pictures with two frames are known only after decoding.
    let isCounted = try !countsFields && Self.matches(reader, index, from: opened.first)
    if index.clockJumps == 0 { try checkSeeking(to: last.start, transcode, timeBase) }
    let follows = index.hasDynamicMetadata || opened.first.metadata.hasDynamicMetadata
    let shots = follows ? try shots(transcode, division.chunks) : nil
    try input.checkUnchanged()
    let plan = FilmPlan(
      transcode, input, division, timeBase: timeBase, isCounted: isCounted, avoidsSeeking: index.clockJumps > 0,
      maximumTries: request.maximumTries, shots: try shots.map { try Checksum.of($0) })
    return (plan, try shots.map { try JSONEncoder().encode($0) })
  }

  private func refuse(_ obstacle: FilmObstacle?, _ transcode: TranscodePlan) throws(Refusal) {
    if let obstacle { throw .failed(obstacle.message(transcode.request.input.name)) }
  }

  /// The obstacle that frames cannot be distinguished without decoding.
  private static func untimed(_ packets: Int) -> FilmObstacle {
    FilmObstacle(
      "pieces-without-times",
      "\(packets) of its packets \(packets == 1 ? "has" : "have") no times. Put it into a container first: "
        + "mkvmerge -o OUTPUT.mkv INPUT.")
  }

  private func pictureIndex(_ plan: TranscodePlan) throws -> PictureIndex {
    guard
      let index = try PictureIndex.read(
        url: plan.request.input.name, format: plan.request.input.format, videoIndex: plan.videoIndex,
        limits: plan.request.input.limits, proceed: { _ in !isCancelled })
    else { throw Cancellation() }
    return index.deinterlaced(plan.geometry.deinterlacing)
  }

  /// Number of frames compared with the packets.
  private static let sample = 24

  /// Returns whether the first decoded frames match the packets one to one.
  private static func matches(_ reader: MediaReader, _ index: PictureIndex, from first: CodedFrame) throws -> Bool {
    var place = index.pictures.firstIndex { $0.presentation >= first.time.presentation } ?? index.pictures.count
    for _ in 0..<sample {
      guard let frame = try reader.readFrame() else { return true }
      guard place < index.pictures.count, index.pictures[place].presentation == frame.time.presentation else {
        return false
      }
      place += 1
    }
    return true
  }

  /// Checks that seeking finds the first frame of a chunk: timestamps and indices of files may be wrong.
  private func checkSeeking(to start: Int64, _ plan: TranscodePlan, _ timeBase: Rational) throws {
    guard let reader = try plan.openPictures() as? MediaReader else { return }
    try reader.seek(to: start)
    let found = try reader.peekFrame()?.time.presentation
    if found == start { return }
    func words(_ ticks: Int64) -> String { (Double(ticks) * timeBase.value).words(decimals: 3) }
    let given = found.map { "that at \(words($0)) s" } ?? "none"
    let obstacle = FilmObstacle(
      "inexact-seeking",
      "asked for the frame at \(words(start)) s, it gives \(given). Copy it to another container first: "
        + "ffmpeg -i INPUT -map 0 -c copy OUTPUT.mkv.")
    try refuse(obstacle, plan)
  }

  /// Returns the state of the dynamic metadata at the start of each chunk.
  private func shots(_ plan: TranscodePlan, _ chunks: [FilmPlan.Chunk]) throws -> FilmShots? {
    guard let tracker = plan.source.makeTracker() else { return nil }
    note(
      "following-dynamic-metadata",
      "Decoding '\(plan.request.input.name)' once, because its dynamic metadata runs over frames.")
    let input = try openInput(of: plan)
    let follower = SourceFollower(input.reader.info.url, plan.request.input, first: plan.decoded)
    let sink = ShotSink(tracker, follower, chunks.map(\.start))
    let selection = SelectionPlan(plan.selection.selection)
    let outcome = try running { try perform(Run(input.reader, selection, to: sink)).outcome }
    if outcome == .cancelled { throw Cancellation() }
    return sink.finished
  }

  /// Encodes one frame and begins the output, both in the output folder, to detect errors that would stop every machine
  /// later: options, sizes, containers, a missing folder.
  private func tryOut(_ plan: FilmPlan) throws {
    let pool = WorkerPool(count: plan.transcode.request.processing.threads)
    _ = try StreamRenderer(self, plan.transcode, pool: pool)
    let output = plan.transcode.video.url
    let path = FileLocation.path(FileLocation(output).folder, ".\(getpid()).headroom-trial.mkv")
    defer { unsafe unlink(path.systemName) }
    let writer = try MediaWriter(plan.pieceSettings(path))
    try writer.write(try writer.makeFrame(time: plan.timeOrigin, fieldOrder: plan.transcode.video.fieldOrder))
    try writer.finish()
    let piece = try PieceReader(
      path: path, times: writer.pieceTimes ?? PieceTimes(), timeBase: plan.transcode.video.timeBase)
    let reader = try plan.transcode.openReader()
    var settings = plan.outputSettings(try plan.transcode.streams.outputStreams(of: reader))
    settings.replacesFile = true
    let joiner = try MediaJoiner(settings, like: piece.stream, reordering: piece.reordering)
    defer { joiner.cancel() }
    var pictures = piece
    if let picture = try pictures.next() {
      try joiner.write(
        picture.packet, presentation: picture.presentation, decoding: picture.presentation, duration: picture.duration)
    }
  }

  /// Writes a plan into its work folder. Replaces a different plan only if requested. Encodes one frame and begins the
  /// output first, to detect errors that would stop every machine.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - shots: The shot file that `plan(_:)` returned.
  ///   - folder: The work folder.
  ///   - replaces: Replaces another plan and rejects its pieces.
  /// - Throws: `Refusal` if the folder has another plan, `FarmError` or `OutputError` if it cannot be written.
  public func write(_ plan: FilmPlan, shots: Data?, in folder: String, replaces: Bool) throws -> Film {
    let work = WorkFolder(folder)
    let film = Film(work, try SealedPlan(plan))
    try work.create()
    let old: Film?
    do { old = try Film(folder) } catch is Refusal { old = nil }
    if let old {
      if old.checksum == film.checksum {
        note("already-planned", "'\(folder)' has this plan already.")
        return film
      }
      if !replaces { throw Self.otherPlan(in: folder) }
    } else if FileStatus(work.planPath) != nil, !replaces {
      throw Self.otherPlan(in: folder)
    }
    try tryOut(plan)
    // Tries of the previous plan do not count.
    work.forgetTries()
    // The plan is written last: a folder with a plan is complete.
    if let shots {
      try OutputFile(work.path(of: FilmPlan.shotsName), replaces: true).write(String(decoding: shots, as: UTF8.self))
    }
    let json = try SealedPlan(plan).json()
    try OutputFile(work.planPath, replaces: true).write(String(decoding: json, as: UTF8.self) + "\n")
    return film
  }

  private static func otherPlan(in folder: String) -> Refusal {
    .failed(
      "other-plan-exists",
      "'\(folder)' has another plan: choose another \(.workFolder), or replace it with \(.overwrite), which rejects "
        + "its pieces.")
  }
}

extension HDRMetadata {
  fileprivate var hasDynamicMetadata: Bool { hdr10Plus != nil || adaptiveToneMap != nil }
}

/// Tracks dynamic metadata, and keeps its state at the start of each chunk.
private final class ShotSink: FrameSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses the variables until the run is over.
  private var tracker: ShotTracker
  private var follower: SourceFollower
  private let starts: [Int64]
  private var shots = FilmShots()

  init(_ tracker: ShotTracker, _ follower: SourceFollower, _ starts: [Int64]) {
    (self.tracker, self.follower, self.starts) = (tracker, follower, starts)
  }

  package func write(_ frame: CodedFrame) throws {
    if try follower.hasChanged(frame) {
      let obstacle = FilmObstacle(
        "pieces-with-tag-change",
        "its tags change at \(frame.time.seconds.words(decimals: 3)) s, and its dynamic metadata is used. Use "
          + "\(.dynamicMetadata, "ignore").")
      throw Refusal.failed(obstacle.message(follower.name))
    }
    while shots.count < starts.count, frame.time.presentation >= starts[shots.count] { shots.append(tracker.state) }
    _ = tracker.parameters(for: frame.metadata)
  }

  /// Ignores data other than frames.
  func pass(_ data: any PassingData) {}

  /// A state for every chunk, including chunks without frames.
  var finished: FilmShots {
    while shots.count < starts.count { shots.append(tracker.state) }
    return shots
  }
}
