internal import ColorScience
internal import Frames
public import Measurement
internal import Media
internal import Rendering

extension Session {
  /// Measures the light of the selected frames.
  /// - Throws: `Refusal`, or the error of a library.
  public func run(_ request: MeasureRequest) throws -> MeasureResult {
    try request.validate()
    let state = InputState(request.input, request.selection)
    let reader = try request.input.open(threads: request.processing.threadCount)
    let pass = try measure(request, reader, of: state)
    var result = MeasureResult(
      measurement: pass?.content[.bilinear]?.measurement(
        excludesLetterbox: request.excludesLetterbox, coversFile: request.selection.isWhole))
    do {
      if result.measurement != nil { try reader.checkEnding(of: request.selection) }
    } catch {
      result.failure = error
    }
    return result
  }

  /// Measurements of the selected frames.
  struct LightPass {
    /// Light for each requested chroma upsampling.
    var content: [ChromaUpsampling: ContentLightAccumulator]
    /// Transfer function of the coded light.
    var transfer: TransferCharacteristics
  }

  /// Measures the selected frames.
  /// - Parameters:
  ///   - input: Its state before opening; nil: a later run checks it.
  ///   - readings: Chroma upsampling: interpolated for stated light, repeated where a row must not be lit by the next.
  ///   - black: Signal up to which samples count as black, to detect bars with repeated chroma; nil: no detection.
  ///   - purpose: Purpose of the first of two passes.
  /// - Returns: nil if `cancel()` ended it.
  func measure(
    _ request: MeasureRequest, _ reader: any MediaInput, of input: InputState? = nil,
    _ readings: Set<ChromaUpsampling> = [.bilinear], black: Double? = nil, for purpose: [Message] = []
  ) throws -> LightPass? {
    let first = try reader.firstFrame(of: request.selection)
    note(purpose)
    let follower = SourceFollower(reader.info.url, request.input, first: first.format)
    let source = try follower.source(first, use: nil)
    warn(reader.colorWarnings + source.warnings)
    note(reader.readerNotes + source.notes)
    let sink = try LightSink(self, request, readings, black, first, source, follower)
    // Measuring needs no rendering: the sink measures while the next frame is read.
    var run = Run(reader, SelectionPlan(request.selection), to: sink)
    run.input = input
    return try running {
      let done = try perform(run)
      if done.outcome == .cancelled {
        warn(reader.damage)
        warn(
          "measurement-stopped",
          "stopped after \(done.progress.frames.counting("frame")); an incomplete measurement is not written.")
        return nil
      }
      _ = try conclude(done, reader)
      return LightPass(content: sink.content, transfer: source.color.transfer)
    }
  }
}

/// The result of a measurement.
public struct MeasureResult: Sendable {
  /// nil if `cancel()` ended it: an incomplete measurement is discarded.
  public var measurement: ContentMeasurement?
  /// The error that ended the input before the end of the selection.
  public var failure: (any Error)?
}

/// Measures the frames it receives.
private final class LightSink: FrameSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses the variables until the run is over.
  private let session: Session
  private let request: MeasureRequest
  private let pool: WorkerPool
  private let readings: Set<ChromaUpsampling>
  private let black: Double?
  private var analyzers: [ChromaUpsampling: FrameLightAnalyzer] = [:]
  private var follower: SourceFollower
  /// The tags used to read frames.
  private var color: ColorDescription
  private(set) var content: [ChromaUpsampling: ContentLightAccumulator] = [:]

  init(
    _ session: Session, _ request: MeasureRequest, _ readings: Set<ChromaUpsampling>, _ black: Double?,
    _ first: CodedFrame, _ source: SourcePlan, _ follower: SourceFollower
  ) throws {
    self.black = black
    (self.session, self.request, self.readings, self.follower) = (session, request, readings, follower)
    pool = WorkerPool(count: request.processing.threads)
    color = source.color
    try begin(first, source)
  }

  private func begin(_ frame: CodedFrame, _ source: SourcePlan) throws {
    color = source.color
    for reading in readings {
      analyzers[reading] = try FrameLightAnalyzer(
        format: frame.described(as: color).format, content: source.interpretation, chroma: reading,
        black: reading == .nearest ? black.map { PictureArea.blackBarLight(color.transfer, signal: $0) } : nil,
        tier: request.processing.kernels, pool: pool)
    }
  }

  package func write(_ frame: CodedFrame) throws {
    if try follower.hasChanged(frame) {
      let source = try follower.source(frame, use: nil)
      SourceFollower.report(source, frame.size, session)
      try begin(frame, source)
    }
    for (reading, analyzer) in analyzers {
      let light = try analyzer.measure(frame.described(as: color))
      content[reading, default: ContentLightAccumulator(peakPercentile: request.peakPercentile)].add(
        light, time: frame.time.seconds)
    }
  }

  /// Ignores data other than frames.
  func pass(_ data: any PassingData) {}
}
