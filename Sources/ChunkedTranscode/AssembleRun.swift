internal import FFmpegIO
internal import Farm
internal import Files
internal import Foundation
internal import Frames
internal import Media
public import Sessions

/// Joins the pieces of a film, and adds everything else from its input.
final class AssembleRun {
  private let session: Session
  private let film: Film
  private let pieces: PieceSequence
  private let output: String
  private let overwrites: Bool
  private let start = ContinuousClock.now
  private var frames = 0
  private var lastReport = -Double.infinity

  private var plan: FilmPlan { film.plan }

  init(
    _ session: Session, _ film: Film, follows: Bool, allowsMixed: Bool, output: String, overwrites: Bool
  ) throws(FarmError) {
    (self.output, self.overwrites) = (output, overwrites)
    (self.session, self.film) = (session, film)
    pieces = try PieceSequence(session, film, follows: follows, allowsMixed: allowsMixed)
  }

  /// - Throws: `Refusal` that lists missing or invalid pieces, or the error of a library.
  func run() throws -> Session.Outcome {
    guard let first = try firstPiece() else { return .cancelled }
    return try session.running { try join(first) }
  }

  /// The first piece with frames: its encoder configuration becomes the film's.
  private func firstPiece() throws -> PieceReader? {
    for number in plan.chunks.indices {
      guard let record = try pieces.record(number) else { return nil }
      if record.file != nil { return try film.reader(record) }
    }
    throw Refusal.failed(.noFramesSelected(plan.input.path))
  }

  private func join(_ first: PieceReader) throws -> Session.Outcome {
    try film.folder.beginAssembly(of: output)
    session.note("joining-pieces", "Joining \(plan.chunks.count.counting("piece")) to '\(output)'.")
    do {
      // The decoding delay is set by the piece with the most reordering.
      var reordering = first.reordering
      while true {
        let needed = try join(like: first, reordering: reordering)
        guard let needed else { break }
        if needed <= reordering { return .finished }
        reordering = needed
      }
    } catch {
      film.folder.forgetBeginning()
      throw error
    }
    film.folder.forgetBeginning()
    return .cancelled
  }

  /// Joins the pieces unless one needs more reordering.
  /// - Returns: The required reordering; nil if `cancel()` was called.
  private func join(like first: PieceReader, reordering: Int) throws -> Int? {
    let transcode = plan.transcode
    let reader = try transcode.openReader()
    _ = try reader.firstFrame(of: transcode.request.selection)
    var settings = plan.outputSettings(try transcode.streams.outputStreams(of: reader))
    (settings.url, settings.replacesFile) = (output, overwrites)
    let joiner = try MediaJoiner(settings, like: first.stream, reordering: reordering)
    session.removing { joiner.discard() }
    defer { joiner.cancel() }
    let needed = try write(to: joiner, reader, like: first, reordering: reordering)
    if let needed, needed <= reordering { try finish(joiner, reader) }
    return needed
  }

  /// Writes the output.
  /// - Returns: The reordering that the pieces require; nil if cancelled.
  private func write(
    to joiner: MediaJoiner, _ reader: any MediaInput, like first: PieceReader, reordering: Int
  ) throws -> Int? {
    var side = SidePackets(reader, plan)
    var times = FilmTimes(reordering: reordering)
    var last: Int64?
    frames = 0
    for number in plan.chunks.indices {
      guard let record = try pieces.record(number) else { return nil }
      guard record.file != nil else { continue }
      var piece = try film.reader(record, after: last)
      last = piece.times.presentations.last
      if piece.reordering > reordering { return piece.reordering }
      guard PieceReader.sameConfiguration(first.stream, piece.stream) else {
        throw try pieces.reject(number, because: .configuration)
      }
      guard try times.reach(frames + piece.count, plan.chunks.count, pieces) else { return nil }
      while let picture = try piece.next(), let decoding = times.decoding.next() {
        if session.isCancelled { return nil }
        for batch in try side.batches(upTo: Double(decoding) * plan.transcode.video.timeBase.value) {
          try joiner.pass(batch)
        }
        try joiner.write(
          picture.packet, presentation: picture.presentation, decoding: decoding, duration: picture.duration)
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

  private func finish(_ joiner: MediaJoiner, _ reader: any MediaInput) throws {
    let losses = try joiner.finish()
    report(joiner, isLast: true)
    session.warn(losses.messages + reader.damage)
    if let failure = losses.failure { throw failure }
    try film.folder.endAssembly(of: output, plan: film.checksum)
    film.removeLeftovers()
    session.emit(.finished(progress(joiner, (ContinuousClock.now - start) / .seconds(1), isLast: true)))
  }
}

/// Decoding times of the film: each depends on a few following pictures, which may be in the next pieces.
private struct FilmTimes {
  var decoding: DecodingTimes
  private let reordering: Int
  /// Number of pieces and frames with known times.
  private var (pieceCount, frameCount) = (0, 0)
  private var last: Int64?

  init(reordering: Int) { (decoding, self.reordering) = (DecodingTimes(reordering: reordering), reordering) }

  /// Adds times piece by piece until enough frames have one, or the film ends.
  /// - Parameter frames: Frames about to be written.
  /// - Returns: false if `cancel()` was called.
  mutating func reach(_ frames: Int, _ count: Int, _ pieces: PieceSequence) throws -> Bool {
    while frameCount <= frames + reordering, pieceCount < count {
      guard let record = try pieces.record(pieceCount) else { return false }
      let times = try CodedTimes(parsing: record.times).increasing(after: last)
      decoding.append(times)
      last = times.last ?? last
      (pieceCount, frameCount) = (pieceCount + 1, frameCount + times.count)
    }
    return true
  }
}

/// Packets of the input's other streams, in step with the joined pictures.
private struct SidePackets {
  private let reader: any MediaInput
  private var passing: PassingPackets
  private let cutsAt: Double?
  private let precedingSeconds: Double?
  private let zero: Double
  /// Latest output time in seconds.
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
    precedingSeconds = start ?? (selection.selection.isWhole ? nil : plan.precedingSeconds)
    zero = passing.zero?.seconds ?? 0
    isOver = !passing.hasOthers
    reader.stopDecoding(limit: passing.end.map { $0 + PassingPackets.interleaving } ?? .infinity)
  }

  /// Returns the packets up to an output time in seconds, and slightly beyond.
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
      if let batch = passing.batch(kept.filter(isSelected), endingAt: cutsAt) { batches.append(batch) }
    }
    return batches
  }

  /// Returns whether a packet belongs to the selection: one that ends before the first selected frame does not.
  private func isSelected(_ packet: Packet) -> Bool {
    guard let precedingSeconds, let seconds = packet.seconds else { return true }
    return seconds + packet.duration > precedingSeconds
  }
}

extension Film {
  /// Opens a piece.
  /// - Parameters:
  ///   - path: nil: the committed file.
  ///   - previous: Presentation time of the frame before the piece.
  /// - Throws: `FFmpegError` if the file does not match its record.
  func reader(_ record: PieceRecord, path: String? = nil, after previous: Int64? = nil) throws(FFmpegError)
    -> PieceReader
  {
    let times = PieceTimes(
      presentations: try CodedTimes(parsing: record.times), durations: try CodedTimes(parsing: record.durations))
    return try PieceReader(
      path: path ?? folder.piecePath(record.file ?? ""), times: times, timeBase: plan.transcode.video.timeBase,
      after: previous)
  }
}

extension Session {
  /// Joins the pieces of a film to its output, and adds everything else from its input.
  /// - Parameters:
  ///   - film: The film.
  ///   - follows: Waits for missing pieces; otherwise they are an error.
  ///   - allowsMixed: Accepts versions other than the plan's.
  ///   - output: Another file with the same container; nil: the plan's output.
  ///   - overwrites: Replaces an existing file.
  /// - Throws: `Refusal` that lists missing or invalid pieces, `FarmError`, or the error of a library.
  @discardableResult
  public func assemble(
    _ film: Film, follows: Bool = false, allowsMixed: Bool = false, output: String? = nil, overwrites: Bool = false
  ) throws -> Outcome {
    let output = output ?? film.plan.transcode.video.url
    if !overwrites, film.folder.assembledOutput(of: film.checksum)?.isSameName(as: output) ?? false {
      note("film-complete", "'\(output)' is complete already.")
      return .finished
    }
    warn(try film.check(allowsMixed: allowsMixed))
    let overwrites = overwrites || film.plan.transcode.request.overwrites || film.folder.hasBegun(output)
    try OutputPath(output).check(reading: [film.plan.input.path], overwrites: overwrites)
    let format = film.plan.transcode.video.format
    let (planned, requested) = try (
      MediaWriter.formatName(url: film.plan.transcode.video.url, format: format),
      MediaWriter.formatName(url: output, format: format)
    )
    if planned != requested {
      throw Refusal.invalid(
        "output-of-other-container",
        "'\(output)' has a different container from the plan's (\(planned)): choose a name with the same suffix.")
    }
    return try AssembleRun(
      self, film, follows: follows, allowsMixed: allowsMixed, output: output, overwrites: overwrites
    ).run()
  }
}

/// The folder's record of a film's output.
struct Assembly: Codable {
  /// The output file, and its length in bytes.
  let output: String
  let bytes: Int
  /// Checksum of the plan.
  let plan: String
}

extension WorkFolder {
  private var beginningPath: String { path(of: "assembling") }
  private var assemblyPath: String { path(of: "assembled.json") }

  /// Returns whether an interrupted run of this film began to write an output: a file with that name may be its result.
  /// - Parameter output: Name of the output.
  func hasBegun(_ output: String) -> Bool {
    (try? SmallFile.bytes(of: beginningPath, upTo: 1 << 16)).map { String(systemBytes: $0).isSameName(as: output) }
      ?? false
  }

  /// - Throws: `OutputError`.
  func beginAssembly(of output: String) throws(OutputError) {
    if hasBegun(output) { return }
    let file = try OutputFile(beginningPath, replaces: true)
    try file.fill([output.systemBytes])
    try file.commit()
  }

  /// Forgets the beginning once the output is removed or complete: a file with its name is foreign from then on.
  func forgetBeginning() { unsafe unlink(beginningPath.systemName) }

  /// Records that the output is complete.
  /// - Parameter plan: Checksum of the plan.
  /// - Throws: `OutputError`, `EncodingError`.
  func endAssembly(of output: String, plan: String) throws {
    let assembly = Assembly(output: output, bytes: FileStatus(output)?.byteCount ?? 0, plan: plan)
    let text = String(decoding: try JSONEncoder().encode(assembly), as: UTF8.self)
    try OutputFile(assemblyPath, replaces: true).write(text + "\n")
    forgetBeginning()
  }

  /// Returns the complete output if the file still exists; nil: none.
  /// - Parameter plan: Checksum of the plan.
  func assembledOutput(of plan: String) -> String? {
    guard let bytes = try? SmallFile.bytes(of: assemblyPath, upTo: 1 << 16),
      let assembly = try? JSONDecoder().decode(Assembly.self, from: Data(bytes)), assembly.plan == plan,
      FileStatus(assembly.output)?.byteCount == assembly.bytes
    else { return nil }
    return assembly.output
  }

  /// Returns whether a chunk has exhausted its tries.
  func hasFailed(_ number: Int, maximumTries: Int) throws(FarmError) -> Bool {
    let claim = claim(number)
    let tries = try tries(number)
    return !tries.contains { $0.isLiving(claim) } && tries.count { $0.counts(claim) } >= maximumTries
  }
}
