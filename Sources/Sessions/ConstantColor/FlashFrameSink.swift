internal import Capture
internal import ConstantColor
internal import Foundation
internal import Frames
internal import Media
internal import Rendering

/// Looks at every frame, and keeps the few that may be the pair.
final class FlashFrameSink: FrameSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses the variables until the run is over.

  /// A pair, and how both frames are interpreted.
  typealias Found = (ambient: CodedFrame, flash: CodedFrame, pair: FlashPair, source: SourcePlan)

  private let session: Session
  private let reader: any MediaInput
  private let choice: FlashFrameChoice
  private let lighting: PairLighting?
  private let patience: Double
  private let pool: WorkerPool
  private var follower: SourceFollower
  /// How frames of the present format are read; nil before the first.
  private var reading: (source: SourcePlan, summarizer: FrameSummarizer)?
  private var search = FlashPairSearch()
  private var kept: [Int: (frame: CodedFrame, source: SourcePlan)] = [:]
  private var damaged: Set<Int> = []
  /// Frames so far.
  private(set) var count = 0
  private var start: Double?

  init(
    _ session: Session, _ reader: any MediaInput, _ input: InputRequest, _ choice: FlashFrameChoice,
    first: PixelFormat, _ lighting: PairLighting?, patience: Double, pool: WorkerPool
  ) {
    (self.session, self.reader, self.choice, self.lighting) = (session, reader, choice, lighting)
    (self.patience, self.pool) = (patience, pool)
    follower = SourceFollower(reader.info.url, input, first: first)
    follower.followsSize = true
  }

  func write(_ frame: CodedFrame) throws {
    let number = count
    count += 1
    try lighting?.advance(to: number)
    let reading = try self.reading(for: frame)
    switch choice {
    case .numbered(let ambient, let flash):
      guard number == ambient || number == flash else { return }
      if frame.isDamaged { damaged.insert(number) }
      keep(frame, number, reading.source)
    case .automatic:
      if !frame.isDamaged, lighting == nil || number >= PairLighting.settling {
        try look(at: frame, number, reading)
      }
      if lighting != nil, isEnough(at: frame.time.seconds) { reader.interrupt() }
    }
  }

  /// Only frames are looked at.
  func pass(_ data: any PassingData) {}

  private func look(at frame: CodedFrame, _ number: Int, _ reading: (source: SourcePlan, summarizer: FrameSummarizer))
    throws
  {
    search.add(try reading.summarizer.summary(of: frame.described(as: reading.source.color), index: number))
    keep(frame, number, reading.source)
    kept = kept.filter { search.mayChoose($0.key) }
  }

  /// A device's buffers go back to it.
  private func keep(_ frame: CodedFrame, _ number: Int, _ source: SourcePlan) {
    kept[number] = (lighting == nil ? frame : frame.copied, source)
  }

  /// How a frame is read: as those before it, unless its tags or its size differ.
  private func reading(for frame: CodedFrame) throws -> (source: SourcePlan, summarizer: FrameSummarizer) {
    let hasChanged = try follower.hasChanged(frame)
    if let reading, !hasChanged { return reading }
    search.interrupt()
    let source = try follower.source(frame, use: nil)
    if hasChanged {
      SourceFollower.report(source, session)
    } else {
      session.warn(source.warnings)
      session.note(source.notes)
    }
    let made = (source, try source.frameSummarizer(of: frame.format, pool: pool))
    reading = made
    return made
  }

  /// Whether there is a pair that the frames after it confirm, or no time left.
  private func isEnough(at seconds: Double) -> Bool {
    let first = start ?? seconds
    start = first
    if seconds - first >= patience { return true }
    return search.best.map { count - 1 > max($0.ambient, $0.flash) + FlashPairSearch.reach } ?? false
  }

  /// The pair, once the run is over; nil if no flash told two frames apart.
  /// - Throws: `FlashFrameFailure` if named frames cannot be had.
  func finish() throws(FlashFrameFailure) -> Found? {
    search.interrupt()
    let name = reader.info.url
    let pair: FlashPair
    switch choice {
    case .automatic:
      guard let best = search.best else { return nil }
      pair = best
    case .numbered(let ambient, let flash): pair = FlashPair(ambient: ambient, flash: flash, reason: .stated)
    }
    for number in [pair.ambient, pair.flash] {
      if damaged.contains(number) { throw .isDamaged(name: name, number: number) }
      if kept[number] == nil { throw .hasNoFrame(name: name, number: number) }
    }
    guard let ambient = kept[pair.ambient], let flash = kept[pair.flash] else { return nil }
    guard ambient.frame.format == flash.frame.format else {
      throw .formatsDiffer(name: name, ambient: pair.ambient, flash: pair.flash)
    }
    return (ambient.frame, flash.frame, pair, flash.source)
  }
}

extension CodedFrame {
  /// The same picture in memory of its own.
  fileprivate var copied: CodedFrame {
    let copy = CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, fieldOrder: fieldOrder)
    for index in 0..<layout.planeCount {
      unsafe withPlane(index) { source in
        unsafe copy.withPlane(index) { target in
          for y in unsafe 0..<target.size.height {
            unsafe target.row(y).copyMemory(from: source.row(y), byteCount: target.size.width * layout.bytesPerSample)
          }
        }
      }
    }
    return copy
  }
}
