internal import FFmpegIO
internal import Farm
internal import Files
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Media
internal import Rendering
internal import Sessions

/// Renders a chunk to a piece and checks it.
final class PieceRun {
  private let session: Session
  private let film: Film
  private let number: Int
  private let lease: Lease
  private let start = ContinuousClock.now
  private let usage = ProcessUsage.current

  private var plan: FilmPlan { film.plan }
  private var chunk: FilmPlan.Chunk { plan.chunks[number] }

  init(_ session: Session, _ film: Film, _ number: Int, _ lease: Lease) {
    (self.session, self.film, self.number, self.lease) = (session, film, number, lease)
  }

  /// - Returns: nil if `cancel()` stopped it and the piece was dropped.
  /// - Throws: `PieceFault`, or the error of a library.
  func run(_ heartbeat: Heartbeat) throws -> PieceRecord? {
    let part = film.folder.partPath(number, token: lease.token)
    defer { unsafe unlink(part.systemName) }
    guard var record = try render(to: part, heartbeat) else { return nil }
    if record.file != nil {
      try check(part, record)
      if session.isCancelled { return nil }
      guard let hash = try ContentHash.of(file: part, isStopped: { session.isCancelled }) else { return nil }
      (record.hash, record.bytes) = (hash.text, FileStatus(part)?.byteCount ?? 0)
      record.file = WorkFolder.pieceName(number, hash: hash.text)
      record.thumbnail = makeThumbnail(of: part, hash: hash.text)
    }
    measure(&record)
    // A piece of a replaced plan must not overwrite another.
    if heartbeat.ending != nil || !film.isCurrent { return nil }
    try film.folder.commit(part: record.file == nil ? nil : part, record: record)
    return record
  }

  /// Renders the frames, if any.
  private func render(to part: String, _ heartbeat: Heartbeat) throws -> PieceRecord? {
    let plan = plan
    var transcode = plan.transcode
    transcode.source.shotState = try film.shotState(number)
    let request = transcode.request
    guard let reader = try transcode.openPictures() as? MediaReader else {
      throw Refusal.failed(.inputDiffersFromPlan(request.input.name))
    }
    if plan.avoidsSeeking { reader.avoidSeeking() }
    // The first chunk starts where an undivided run does.
    if number == 0 { _ = try reader.firstFrame(of: request.selection) } else { try reader.seek(to: chunk.start) }
    let source = PieceSource(reader, plan, number)
    var times = PieceTimes()
    if try reader.peekFrame() != nil {
      let pool = WorkerPool(count: request.processing.threads)
      let renderer = try StreamRenderer(session, transcode, pool: pool)
      let writer = try MediaWriter(plan.pieceSettings(part))
      let sink = PieceSink(writer, end: plan.outputEnd(of: number)) { [session] in session.isCancelled }
      var run = Session.Run(source: source, to: sink)
      (run.totalFrames, run.frameRate) = (plan.outputFrames(of: chunk), transcode.video.frameRate?.value)
      var watch = FrameWatch(transcode)
      let done = try session.perform(run) { [session, transcode] frame in
        try session.warn(watch.surprises(in: frame), isStrict: transcode.request.input.isStrict)
        let result = try transcode.makeFrame(for: frame, by: writer)
        try renderer.render(frame, into: result)
        heartbeat.countFrame()
        return result
      }
      if done.outcome == .cancelled { return nil }
      if done.progress.frames > 0 { times = writer.pieceTimes ?? times }
    }
    try checkSource(source, reader)
    return record(source, reader, times)
  }

  /// Checks that the input's frames match its packets, unless some are damaged.
  private func checkSource(_ source: PieceSource, _ reader: MediaReader) throws {
    let statistics = reader.statistics
    session.warn(reader.damage)
    let isDamaged = statistics.decodeErrors + statistics.damagedFrames > 0
    guard plan.isCounted, !isDamaged, !statistics.endsEarly, source.count != chunk.count else { return }
    throw PieceFault.frames(expected: chunk.count, found: source.count)
  }

  private func record(
    _ source: PieceSource, _ reader: MediaReader, _ times: PieceTimes
  ) -> PieceRecord {
    PieceRecord(
      number: number, plan: film.checksum, file: times.presentations.count > 0 ? "" : nil, bytes: 0, hash: "",
      frames: times.presentations.count,
      first: source.first, next: source.next, source: source.sourceHash, times: times.presentations.text,
      durations: times.durations.text, damaged: reader.statistics.damagedFrames + reader.statistics.decodeErrors,
      versions: ToolVersions(encoder: plan.transcode.video.encoder).versions, machine: .current, seconds: 0,
      processorSeconds: 0, peakMemory: 0, thumbnail: nil)
  }

  /// Width of a thumbnail in pixels.
  private static let thumbnailWidth = 160

  /// Makes a picture of the first frame for the film's map; errors are ignored.
  /// - Returns: The name of its file.
  private func makeThumbnail(of piece: String, hash: String) -> String? {
    let name = WorkFolder.thumbnailName(number, hash: hash)
    var request = PictureRequest(input: piece, output: film.folder.piecePath(name), format: .png)
    (request.space, request.bitDepth, request.overwrites) = (.sRGB, 8, true)
    request.selection.range = FrameRange(first: 0, last: 0)
    request.geometry.scale = PictureScaling(width: .samples(Self.thumbnailWidth), height: .ratio(multiple: 2))
    request.processing = plan.transcode.request.processing
    let session = Session()
    return (try? session.run(session.plan(request))) == nil ? nil : name
  }

  private func measure(_ record: inout PieceRecord) {
    let now = ProcessUsage.current
    record.seconds = (ContinuousClock.now - start) / .seconds(1)
    record.processorSeconds = now.processorSeconds - usage.processorSeconds
    record.peakMemory = now.peakMemory
  }

  /// Decodes the piece and checks that all frames are present, without errors, and with the tags of the plan.
  private func check(_ path: String, _ record: PieceRecord) throws {
    let reader = try MediaReader(url: path, threads: plan.transcode.request.processing.threadCount)
    // Opening it checks its order, times and first picture.
    _ = try film.reader(record, path: path)
    let (size, color) = (plan.transcode.video.size, plan.transcode.video.color)
    var count = 0
    while let frame = try reader.readFrame() {
      if session.isCancelled { return }
      if frame.size != size { throw PieceFault.tags }
      if count == 0, frame.color.transfer != color.transfer || frame.color.primaries != color.primaries {
        throw PieceFault.tags
      }
      count += 1
    }
    let statistics = reader.statistics
    if statistics.decodeErrors + statistics.damagedFrames > 0 {
      throw PieceFault.isDamaged(packets: statistics.decodeErrors + statistics.damagedFrames)
    }
    if count != record.frames { throw PieceFault.frames(expected: record.frames, found: count) }
  }
}

/// CPU time and memory of this process.
struct ProcessUsage {
  /// CPU seconds of all threads.
  let processorSeconds: Double
  /// Peak resident memory in bytes.
  let peakMemory: Int

  static var current: ProcessUsage {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return ProcessUsage(
      processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakMemory: Int(usage.ru_maxrss) * 1024)
  }
}

/// The frames of a chunk with their output times.
final class PieceSource: FrameSource, @unchecked Sendable {
  // @unchecked: only the reading thread uses the variables until the run is over.
  private let reader: MediaReader
  private let start: Int64
  private let end: Int64?
  private let every: Int
  /// Number of frames after the last that the encoder sees.
  private let ahead: Int
  private let zero: FrameTime?
  private var hash = ContentHash()
  /// Number of input frames.
  private(set) var count = 0
  private(set) var first: PieceRecord.Seam?
  /// The frame after the last, with which the next piece starts.
  private(set) var next: PieceRecord.Seam?
  /// Number of frames after the last.
  private var later = 0
  /// Time of the first frame after the film.
  private let limit: Int64?
  private var isOver = false

  init(_ reader: MediaReader, _ plan: FilmPlan, _ number: Int) {
    self.reader = reader
    ahead = plan.lookahead * plan.transcode.request.selection.every
    limit = plan.end
    (start, end) = (plan.chunks[number].start, plan.end(of: number))
    every = plan.transcode.request.selection.every
    zero = plan.transcode.selection.zero(plan.firstTime)
  }

  func interrupt() { reader.interrupt() }

  func read() throws -> StreamItem? {
    while !isOver, let frame = try reader.readFrame() {
      // A selection may skip the first frames of the input.
      if frame.time.presentation < start { continue }
      let isLater = end.map { frame.time.presentation >= $0 } ?? false
      if !isLater || next == nil {
        let own = frame.contentHash
        let seam = PieceRecord.Seam(time: frame.time.presentation, hash: own.text)
        if isLater { next = seam } else { first = first ?? seam }
        if !isLater { hash.add(own) }
      }
      if isLater, later >= ahead || limit.map({ frame.time.presentation >= $0 }) ?? false { break }
      // The next piece counts from its first frame.
      let place = isLater ? later : count
      if isLater { later += 1 } else { count += 1 }
      if place % every == 0 { return StreamItem(frame: zero.map { frame.at(frame.time.counted(from: $0)) } ?? frame) }
    }
    isOver = true
    return nil
  }

  /// Hash of all frames.
  var sourceHash: String { hash.text }
}

/// Writes a piece: frames after its end only reach the encoder.
final class PieceSink: OutputSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses the variables.
  private let writer: MediaWriter
  /// The first time after the piece; nil: writes everything.
  private let end: Int64?
  /// The piece is dropped, so the encoder need not be drained.
  private let isDropped: @Sendable () -> Bool
  /// A frame held back because it may be the last.
  private var held: CodedFrame?

  /// - Parameter end: In ticks of the frames; nil: the piece is the last.
  init(_ writer: MediaWriter, end: Int64?, isDropped: @escaping @Sendable () -> Bool) {
    (self.writer, self.end, self.isDropped) = (writer, end, isDropped)
  }

  func write(_ frame: CodedFrame) throws {
    let isLater = end.map { frame.time.presentation >= $0 } ?? false
    if let held {
      self.held = nil
      try writer.write(held, as: isLater ? .lastShown : .shown)
    }
    if isLater { try writer.write(frame, as: .ahead) } else { held = frame }
  }

  func pass(_ data: any PassingData) {}

  func finish() throws -> OutputLosses {
    if isDropped() {
      writer.cancel()
      return OutputLosses()
    }
    if let held {
      self.held = nil
      try writer.write(held)
    }
    return try writer.finish()
  }

  func cancel() { writer.cancel() }

  func discard() { writer.discard() }

  func interrupt() {}

  var bytesWritten: Int { writer.bytesWritten }
}
