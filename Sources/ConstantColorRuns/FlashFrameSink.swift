internal import Capture
internal import ConstantColor
internal import Foundation
package import Frames
package import Media
package import Rendering
package import Sessions

/// Analyses every frame, and keeps the few that may form the pair. Frames of a device are metered.
package final class FlashFrameSink: FrameSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses the variables until the run is over.

  private let session: Session
  private let scene: Scene
  private let choice: FlashFrameChoice
  private let light: (any FlashFrameLight)?
  private let timeout: Double
  private let pool: WorkerPool
  private let interruption: @Sendable () -> Void
  private var follower: SourceFollower
  /// The reader for the current format; nil before the first frame.
  private var reading: (source: SourcePlan, summarizer: FrameSummarizer)?
  private var search = FlashPairSearch()
  private var kept: [Int: (frame: CodedFrame, source: SourcePlan)] = [:]
  private var damaged: Set<Int> = []
  /// Number of frames so far.
  package private(set) var count = 0
  private var round = Round()
  private var metering = FlashFrameMetering()
  /// The best pair of all rounds so far.
  private var best: FlashFrames?
  private var isOver = false

  /// The scene that a device captures.
  package struct Scene: Sendable {
    /// Name of the device.
    var name: String
    /// Rotation that makes the pictures upright.
    var orientation: Orientation
    /// Regions of interest in upright pictures; none: the whole picture.
    var regions: [PictureArea]

    /// By default, the whole picture without rotation.
    package init(name: String, orientation: Orientation = .identity, regions: [PictureArea] = []) {
      (self.name, self.orientation, self.regions) = (name, orientation, regions)
    }
  }

  /// The frames since the device was last set.
  private struct Round {
    /// Number of the first frame.
    var first = 0
    /// Time of the first frame, in seconds.
    var start: Double?
    /// Share of clipped pixels of each analysed frame.
    var clippedShares: [Double] = []
  }

  /// - Parameters:
  ///   - first: Format of the first frame, before overrides.
  ///   - light: The light of a device; nil: a clip.
  ///   - interruption: Stops reading.
  package init(
    _ session: Session, _ scene: Scene, _ input: InputRequest, _ choice: FlashFrameChoice, first: PixelFormat,
    _ light: (any FlashFrameLight)?, timeout: Double, pool: WorkerPool, interruption: @escaping @Sendable () -> Void
  ) {
    (self.session, self.scene, self.choice, self.light) = (session, scene, choice, light)
    (self.timeout, self.pool, self.interruption) = (timeout, pool, interruption)
    follower = SourceFollower(scene.name, input, first: first)
    follower.followsSize = true
  }

  /// Adds the next frame.
  package func write(_ frame: CodedFrame) throws {
    // More frames may come until reading stops.
    if isOver { return }
    let number = count
    count += 1
    try light?.advance(to: number - round.first)
    let reading = try self.reading(for: frame)
    switch choice {
    case .numbered(let ambient, let flash):
      guard number == ambient || number == flash else { return }
      if frame.isDamaged { damaged.insert(number) }
      keep(frame, number, reading.source)
    case .automatic:
      if !frame.isDamaged, light == nil || number - round.first >= PairLighting.settling {
        try look(at: frame, number, reading)
      }
      if let light { try meter(light, at: frame.time.seconds) }
    }
  }

  /// Ignores data other than frames.
  package func pass(_ data: any PassingData) {}

  private func look(at frame: CodedFrame, _ number: Int, _ reading: (source: SourcePlan, summarizer: FrameSummarizer))
    throws
  {
    let summary = try reading.summarizer.summary(of: frame.described(as: reading.source.color), index: number)
    search.add(summary)
    if light != nil { round.clippedShares.append(summary.clippedShare) }
    keep(frame, number, reading.source)
    kept = kept.filter { search.mayChoose($0.key) }
  }

  /// Keeps a frame; of a device, a copy, because the buffer goes back to it.
  private func keep(_ frame: CodedFrame, _ number: Int, _ source: SourcePlan) {
    kept[number] = (light == nil ? frame : frame.copied, source)
  }

  /// Returns the reader of a frame: the current one, unless tags or size differ.
  private func reading(for frame: CodedFrame) throws -> (source: SourcePlan, summarizer: FrameSummarizer) {
    let hasChanged = try follower.hasChanged(frame)
    if let reading, !hasChanged { return reading }
    search.interrupt()
    let source = try follower.source(frame, use: nil)
    if hasChanged {
      SourceFollower.report(source, frame.size, session)
    } else {
      session.warn(source.warnings)
      session.note(source.notes)
    }
    let made = (source, try source.frameSummarizer(of: frame.format, pool: pool))
    reading = made
    return made
  }

  /// Ends a round, or the run, when a pair is confirmed by later frames or time runs out.
  private func meter(_ light: any FlashFrameLight, at seconds: Double) throws {
    let start = round.start ?? seconds
    round.start = start
    let isConfirmed = search.best.map { count - 1 > max($0.ambient, $0.flash) + FlashPairSearch.reach } ?? false
    if isConfirmed || seconds - start >= timeout {
      try endRound(light, try takePair(search.best))
    } else if light.isDriven, search.best == nil, count - round.first == PairLighting.duration {
      let reading = MeteringReading(clippedShares: round.clippedShares)
      if let reading { _ = metering.add(reading, light.setting) }
      // Without a pair, the user may still switch a lamp.
      if reading != nil || best != nil { try endRound(light, reading) }
    }
  }

  private func endRound(_ light: any FlashFrameLight, _ reading: MeteringReading?) throws {
    guard try metering.continues(after: reading, light) else {
      isOver = true
      return interruption()
    }
    (search, kept, round) = (FlashPairSearch(), [:], Round(first: count))
  }

  /// Keeps a pair if it is the best of a device so far, or comes from a clip.
  /// - Returns: Light of its region of interest, for a device.
  private func takePair(_ pair: FlashPair?) throws -> MeteringReading? {
    guard let pair, let ambient = kept[pair.ambient], let flash = kept[pair.flash] else { return nil }
    guard ambient.frame.format == flash.frame.format else {
      throw Refusal.failed(
        "pair-formats-differ",
        "Frames \(pair.ambient) and \(pair.flash) of '\(scene.name)' differ in size, samples or colours: choose others "
          + "with \(.flashFrames).")
    }
    let setting = light?.setting
    let taken = FlashFrames(
      ambient: ambient.frame, flash: flash.frame, pair: pair, source: flash.source, setting: setting,
      orientation: scene.orientation)
    guard let setting, let reading = try taken.reading(scene.regions, pool: pool) else {
      best = taken
      return nil
    }
    if metering.add(reading, setting) { best = taken }
    return reading
  }

  /// The metering result; nil for a clip, or without light to meter.
  package var metered: FlashFrameMetering.Result? { metering.result }

  /// Returns the pair after the run; nil if no two frames differ by a flash.
  /// - Throws: `Refusal` if requested frames are not available, or the error of a library.
  package func finish() throws -> FlashFrames? {
    search.interrupt()
    switch choice {
    case .automatic: if best == nil { _ = try takePair(search.best) }
    case .numbered(let ambient, let flash):
      for number in [ambient, flash] {
        if damaged.contains(number) {
          throw Refusal.failed(
            "frame-damaged", "Frame \(number) of '\(scene.name)' is damaged: choose another with \(.flashFrames).")
        }
        if kept[number] == nil {
          throw Refusal.failed(
            "no-such-frame", "'\(scene.name)' has no frame \(number): choose others with \(.flashFrames).")
        }
      }
      _ = try takePair(FlashPair(ambient: ambient, flash: flash, reason: .stated))
    }
    return best
  }
}

extension CodedFrame {
  /// A copy with separate memory.
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
