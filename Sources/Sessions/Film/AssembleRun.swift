internal import Farm
internal import FFmpegIO
internal import Files
internal import Foundation
internal import Frames
internal import Media

/// Joins the pieces of a film, and adds everything else from its input.
final class AssembleRun {
  private let session: Session
  private let film: Film
  private let follows: Bool
  private let allowsMixed: Bool
  private let start = ContinuousClock.now
  private var frames = 0
  private var lastReport = -Double.infinity

  private var plan: FilmPlan { film.plan }

  init(_ session: Session, _ film: Film, follows: Bool, allowsMixed: Bool) {
    (self.session, self.film, self.follows, self.allowsMixed) = (session, film, follows, allowsMixed)
  }

  /// - Throws: `Refusal` that names pieces which are missing or not valid, or the error of a library.
  func run() throws -> Session.Outcome {
    if !follows { try checkAll() }
    guard let first = try waitForFirst() else { return .cancelled }
    let reader = try plan.transcode.openReader()
    _ = try reader.firstFrame(of: plan.transcode.request.selection)
    return try session.running { try join(first, reader) }
  }

  // MARK: - Checking

  /// Checks every piece, so that all that are missing or wrong are named at once.
  private func checkAll() throws {
    var (missing, rejected): ([Int], [FilmDiagnostic.Rejection]) = ([], [])
    var previous: PieceRecord?
    for number in plan.chunks.indices {
      if session.isCancelled { throw Session.Cancellation() }
      guard let record = try film.folder.record(number) else {
        missing.append(number)
        previous = nil
        continue
      }
      if let fault = try deepFault(record, after: previous) {
        rejected.append(FilmDiagnostic.Rejection(number: number, fault: fault))
        previous = nil
      } else {
        previous = record
      }
    }
    try film.reject(rejected)
    guard missing.isEmpty, rejected.isEmpty else {
      throw Refusal.failed(.film(.isIncomplete(folder: film.folder.path, missing: missing, rejected: rejected)))
    }
  }

  /// What is wrong with a piece; nil: nothing.
  /// - Parameter previous: The piece before it, if that is valid.
  private func deepFault(_ record: PieceRecord, after previous: PieceRecord?) throws -> PieceFault? {
    if let fault = film.fault(record) { return fault }
    if let (tool, planned, found) = plan.versions.difference(from: ToolVersions(record.versions)) {
      if !allowsMixed { return .version(tool: tool, planned: planned, found: found) }
      session.warn([.film(.mixesVersions(tool: tool, planned: planned, own: found))])
    }
    if let name = record.file {
      do {
        guard let hash = try ContentHash.of(file: film.folder.piecePath(name), isStopped: { session.isCancelled })
        else { throw Session.Cancellation() }
        if hash.text != record.hash { return .contents }
      } catch let failure as SmallFile.Failure {
        return .isUnreadable(failure.description)
      }
    }
    return previous.flatMap { seamFault(record, after: $0) }
  }

  /// Both pieces have decoded the frame where they meet, from different places of the input.
  private func seamFault(_ record: PieceRecord, after previous: PieceRecord) -> PieceFault? {
    // Frames that do not exist are between the two.
    guard let first = record.first, let before = previous.next else {
      return record.first != nil && previous.next == nil ? .seam(before: nil, first: record.first.map(seconds)) : nil
    }
    if before == first || record.damaged + previous.damaged > 0 && before.time == first.time { return nil }
    return .seam(before: seconds(before), first: seconds(first))
  }

  private func seconds(_ seam: PieceRecord.Seam) -> Double { Double(seam.time) * plan.inputTimeBase.value }

  // MARK: - Joining

  /// The record of a piece, once it is there.
  /// - Returns: nil if `cancel()` was called.
  private func wait(for number: Int, after previous: PieceRecord?) throws -> PieceRecord? {
    while !session.isCancelled {
      if let record = try film.folder.record(number) {
        // Without following, all were checked.
        guard follows, let fault = try deepFault(record, after: previous) else { return record }
        let rejection = FilmDiagnostic.Rejection(number: number, fault: fault)
        session.warn([.film(.isRejected(number: number, fault))])
        try film.reject([rejection])
      }
      guard follows else {
        throw Refusal.failed(.film(.isIncomplete(folder: film.folder.path, missing: [number], rejected: [])))
      }
      if try film.folder.hasFailed(number, maximumTries: plan.maximumTries) {
        throw Refusal.failed(
          .film(.hasFailed(folder: film.folder.path, numbers: [number], lastWords: film.lastWords(number))))
      }
      Thread.sleep(forTimeInterval: 1)
    }
    return nil
  }

  /// The first piece that has frames: its encoder's configuration is that of the film.
  private func waitForFirst() throws -> PieceReader? {
    var previous: PieceRecord?
    for number in plan.chunks.indices {
      guard let record = try wait(for: number, after: previous) else { return nil }
      if record.file != nil { return try film.reader(record) }
      previous = record
    }
    throw Refusal.failed(.input(.nothingSelected(name: plan.input.path)))
  }

  private func join(_ first: PieceReader, _ reader: any MediaInput) throws -> Session.Outcome {
    let transcode = plan.transcode
    var settings = plan.outputSettings(try transcode.streams.outputStreams(of: reader))
    settings.replacesFile = settings.replacesFile || film.folder.hasBegunAssembly
    try film.folder.beginAssembly()
    // Decoding is delayed by what the piece with the most reordering needs.
    var reordering = first.reordering
    session.note([.film(.joins(count: plan.chunks.count, output: transcode.video.url))])
    while true {
      let joiner = try MediaJoiner(settings, like: first.picture)
      session.removing { joiner.discard() }
      do {
        let needed = try write(to: joiner, reader, like: first, reordering: reordering)
        guard let needed else {
          joiner.cancel()
          return .cancelled
        }
        if needed <= reordering { return try finish(joiner, reader) }
        joiner.cancel()
        reordering = needed
      } catch {
        joiner.cancel()
        throw error
      }
    }
  }

  /// Writes everything.
  /// - Returns: The reordering that the pieces need; nil if it was cancelled.
  private func write(
    to joiner: MediaJoiner, _ reader: any MediaInput, like first: PieceReader, reordering: Int
  ) throws -> Int? {
    var side = SidePackets(reader, plan)
    var times = DecodingTimes(reordering: reordering)
    var clock = SeamClock()
    var previous: PieceRecord?
    frames = 0
    for number in plan.chunks.indices {
      guard let record = try wait(for: number, after: previous) else { return nil }
      previous = record
      guard record.file != nil else { continue }
      let piece = try film.reader(record)
      if piece.reordering > reordering { return piece.reordering }
      guard first.picture.hasSameConfiguration(as: piece.picture) else {
        let rejection = FilmDiagnostic.Rejection(number: number, fault: .configuration)
        try film.reject([rejection])
        throw Refusal.failed(.film(.isIncomplete(folder: film.folder.path, missing: [], rejected: [rejection])))
      }
      times.append(clock.increasing(piece.presentations))
      while let picture = try piece.next() {
        if session.isCancelled { return nil }
        let presentation = clock.increased(picture.presentation)
        let decoding = times.next(presentation: presentation)
        for batch in try side.batches(upTo: Double(decoding) * plan.transcode.video.timeBase.value) {
          try joiner.pass(batch)
        }
        try joiner.write(
          picture.packet, presentation: presentation, decoding: decoding, duration: picture.duration)
        frames += 1
        report(joiner)
      }
    }
    for batch in try side.batches(upTo: .infinity) { try joiner.pass(batch) }
    return reordering
  }

  private func report(_ joiner: MediaJoiner, isLast: Bool = false) {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard isLast || seconds - lastReport > 0.5 else { return }
    lastReport = seconds
    session.emit(.progress(progress(joiner, seconds, isLast: isLast)))
  }

  private func progress(_ joiner: MediaJoiner, _ seconds: Double, isLast: Bool) -> Session.Progress {
    Session.Progress(
      frames: frames, seconds: seconds, totalFrames: plan.chunks.reduce(0) { $0 + plan.outputFrames(of: $1) },
      frameRate: plan.transcode.video.frameRate?.value, bytes: joiner.bytesWritten, isLast: isLast)
  }

  private func finish(_ joiner: MediaJoiner, _ reader: any MediaInput) throws -> Session.Outcome {
    let losses = try joiner.finish()
    report(joiner, isLast: true)
    session.warn(losses.diagnostics + reader.damage)
    try film.folder.endAssembly(of: plan.transcode.video.url)
    film.folder.removeLeftovers()
    if let failure = losses.failure { throw failure }
    session.emit(.finished(progress(joiner, (ContinuousClock.now - start) / .seconds(1), isLast: true)))
    return .finished
  }
}

/// Keeps times increasing where pieces meet. A time base that counts frames may round two times of the input to one,
/// which a single run moves apart.
private struct SeamClock {
  private var last: Int64?
  private var moved: [Int64: Int64] = [:]

  /// The times of the next piece, in presentation order, after those of the pieces before it.
  mutating func increasing(_ times: [Int64]) -> [Int64] {
    moved = [:]
    return times.map { time in
      let placed = last.map { max(time, $0 + 1) } ?? time
      if placed != time { moved[time] = placed }
      last = placed
      return placed
    }
  }

  /// Where a time of that piece has gone.
  func increased(_ time: Int64) -> Int64 { moved[time] ?? time }
}

/// The packets of the input's other streams, in step with the pictures that are joined.
private struct SidePackets {
  private let reader: any MediaInput
  private var passing: PassingPackets
  private let cutsAt: Double?
  private let precedingSeconds: Double?
  private let zero: Double
  /// Latest time in seconds of the output.
  private var reached = -Double.infinity
  private var isOver: Bool

  init(_ reader: any MediaInput, _ plan: FilmPlan) {
    self.reader = reader
    let selection = plan.transcode.selection
    passing = PassingPackets(reader, selection, passed: plan.transcode.streams.passed)
    passing.first = plan.firstTime
    let duration = selection.selection.duration
    cutsAt = duration.map { plan.firstTime.seconds + $0 }
    passing.end = cutsAt ?? (selection.selection.range?.last == nil ? nil : plan.end.map { plan.time($0).seconds })
    let start = selection.selection.start.map { $0 + (reader.info.startTime ?? 0) }
    precedingSeconds = selection.selection.isWhole ? nil : plan.precedingSeconds ?? start
    zero = passing.zero?.seconds ?? 0
    isOver = !passing.hasOthers
    reader.stopDecoding(limit: passing.end.map { $0 + PassingPackets.interleaving } ?? .infinity)
  }

  /// The packets up to a time in seconds of the output, and a little later.
  mutating func batches(upTo seconds: Double) throws -> [PacketBatch] {
    var batches: [PacketBatch] = []
    while !isOver, reached < seconds {
      guard let item = try reader.read(), let packets = (item.passing as? PacketBatch)?.packets else {
        isOver = true
        break
      }
      reached = packets.compactMap(\.seconds).reduce(reached) { max($0, $1 - zero) }
      guard let kept = passing.trimmedAtEnd(packets) else {
        isOver = true
        break
      }
      if let batch = passing.batch(kept.filter(isHeard), endingAt: cutsAt) { batches.append(batch) }
    }
    return batches
  }

  /// A packet that ends before the first selected frame begins belongs to none.
  private func isHeard(_ packet: Packet) -> Bool {
    guard let precedingSeconds, let seconds = packet.seconds else { return true }
    return seconds + packet.duration > precedingSeconds
  }
}

extension Film {
  /// Opens a piece.
  func reader(_ record: PieceRecord) throws -> PieceReader {
    guard let file = record.file, let times = CodedTimes(record.times), let durations = CodedTimes(record.durations)
    else {
      throw Refusal.failed(.film(.isFaulty(number: record.number, .contents)))
    }
    return try PieceReader(url: folder.piecePath(file), times: times, durations: durations)
  }

  /// Rejects pieces, so that they are rendered again.
  func reject(_ rejected: [FilmDiagnostic.Rejection]) throws {
    for each in rejected {
      // Versions may be accepted next time.
      if case .version = each.fault { continue }
      try folder.reject(each.number, because: "\(each.fault)")
    }
  }
}
