internal import Frames
public import Measurement
internal import Media
internal import Rendering

extension Session {
  /// Measures the light of the selected frames.
  /// - Throws: `Refusal`, or the error of a library.
  public func run(_ request: MeasureRequest) throws -> MeasureResult {
    try request.validate()
    let reader = try request.input.open(threads: request.processing.threadCount)
    var result = MeasureResult(measurement: try measure(request, reader))
    do {
      if result.measurement != nil { try reader.checkEnding(of: request.selection) }
    } catch {
      result.failure = error
    }
    return result
  }

  /// The light of the selected frames, if requested: from a measurement file, or from a pass over the input.
  /// - Throws: `Cancellation`.
  func measureInput(
    _ input: InputRequest, _ selection: FrameSelection, _ metadata: MetadataRequest, _ processing: ProcessingRequest,
    _ open: () throws -> any MediaInput
  ) throws -> MeasuredLight? {
    switch metadata.inputLight {
    case nil: return nil
    case .file(let path): return MeasuredLight(try ContentMeasurement(jsonFile: path))
    case .measured:
      var request = MeasureRequest(input: input.name)
      (request.input, request.selection, request.processing) = (input, selection, processing)
      let reader = try open()
      guard let measurement = try measure(request, reader, isPass: true) else { throw Cancellation() }
      return MeasuredLight(measurement)
    }
  }

  /// - Parameter isPass: Whether this is the first of two passes.
  private func measure(
    _ request: MeasureRequest, _ reader: any MediaInput, isPass: Bool = false
  ) throws -> ContentMeasurement? {
    let first = try reader.firstFrame(of: request.selection)
    if isPass { note([.run(.measuresInput(name: request.input.name))]) }
    let follower = SourceFollower(reader.info.url, request.input, first: first.format)
    let source = try follower.source(first, use: nil)
    warn(reader.colorWarnings + source.warnings)
    note(reader.readerNotes + source.notes)
    let sink = try LightSink(self, request, first, source, follower)
    // Measuring needs no rendering: the sink does it while the next frame is read.
    let run = Run(reader, SelectionPlan(request.selection), to: sink)
    return try running {
      let done = try perform(run)
      if done.outcome == .cancelled {
        warn(reader.damage + [.run(.stoppedMeasuring(frames: done.progress.frames))])
        return nil
      }
      _ = try conclude(done, reader)
      return sink.content.measurement(
        excludesLetterbox: request.excludesLetterbox, coversFile: request.selection.isWhole)
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
  private var analyzer: FrameLightAnalyzer
  private var follower: SourceFollower
  private(set) var content = ContentLightAccumulator()

  init(
    _ session: Session, _ request: MeasureRequest, _ first: CodedFrame, _ source: SourcePlan,
    _ follower: SourceFollower
  ) throws {
    (self.session, self.request, self.follower) = (session, request, follower)
    pool = WorkerPool(count: request.processing.threads)
    analyzer = try Self.analyzer(first, source, request, pool)
  }

  private static func analyzer(
    _ frame: CodedFrame, _ source: SourcePlan, _ request: MeasureRequest, _ pool: WorkerPool
  ) throws -> FrameLightAnalyzer {
    try FrameLightAnalyzer(
      format: frame.described(as: source.color).format, content: source.interpretation,
      tier: request.processing.kernels,
      pool: pool)
  }

  func write(_ frame: CodedFrame) throws {
    if try follower.hasChanged(frame) {
      let source = try follower.source(frame, use: nil)
      SourceFollower.report(source, session)
      analyzer = try Self.analyzer(frame, source, request, pool)
    }
    let light = try analyzer.measure(frame.described(as: analyzer.format.color))
    content.add(light, time: frame.time.seconds)
  }

  /// Only frames are measured.
  func pass(_ data: any PassingData) {}
}
