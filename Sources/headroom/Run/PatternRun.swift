internal import FFmpegIO
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Patterns
internal import StreamPipeline
internal import Synchronization

/// Makes one file of a pattern, or the numbered pictures of one.
final class PatternRun {
  private let plan: PatternPlan
  private let options: PatternOptions

  init(_ plan: PatternPlan, _ options: PatternOptions) {
    self.plan = plan
    self.options = options
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: What the pattern's pixels come to, and how the process should end where a signal came; what is there is
  ///   complete.
  func run() throws -> (PatternLight, ExitStatus?) {
    let stopper = Stopper()
    let interruption = Interruption(first: { stopper.stop() }, second: { stopper.discard() })
    let light = PatternLight(plan) { stopper.isStopped }
    if let status = interruption.status { return (light, status) }
    let metadata = plan.metadata(light)
    switch plan.form {
    case .video(var settings):
      settings.metadata = metadata
      let writer = try MediaWriter(settings)
      try run(metadata, writer, RunEnding(writer), stopper)
    case .pictures(let names, let format, let space, _):
      let writer = try ImageFileWriter(try settings(names, format, space))
      try run(metadata, writer, RunEnding(writer), stopper)
    }
    return (light, interruption.status)
  }

  /// What signals do, before there is a file and after.
  private final class Stopper: Sendable {
    private struct State {
      var isStopped = false
      var pipeline: StreamPipeline?
      var discard: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// A pipeline that is stopped already runs to no frame.
    func follow(_ pipeline: StreamPipeline, discard: @escaping @Sendable () -> Void) {
      state.withLock {
        ($0.pipeline, $0.discard) = (pipeline, discard)
        if $0.isStopped { pipeline.cancel() }
      }
    }

    func stop() {
      state.withLock {
        $0.isStopped = true
        $0.pipeline?.cancel()
      }
    }

    func discard() { state.withLock { $0.discard }?() }
  }

  private func run(_ metadata: HDRMetadata, _ sink: any FrameSink, _ ending: RunEnding, _ stopper: Stopper) throws {
    let pipeline = StreamPipeline(source: PatternSource(plan, metadata: metadata), sink: sink)
    stopper.follow(pipeline, discard: ending.discard)
    let reporter = ProgressReporter(
      pipeline: pipeline, size: ending.size, kind: options.messages.progress, total: plan.count,
      frameRate: plan.rate.value)
    reporter.begin()
    do {
      _ = try pipeline.run { $0 }
      if pipeline.progress.frames > 0 { try ending.finish() } else { ending.cancel() }
      reporter.end()
    } catch {
      reporter.end()
      ending.cancel()
      throw error
    }
    if !options.messages.quiet { Console.note(reporter.summary) }
  }

  private func settings(
    _ names: FileNames, _ format: ImageFormat, _ space: ImageSpace
  ) throws -> ImageFileWriter.Settings {
    var settings = ImageFileWriter.Settings(
      names: names, encoder: format.encoder(isLossless: true, pointScale: Int(plan.canvas.scale)))
    settings.replacesFiles = options.overwrite
    settings.threads = ProcessInfo.processInfo.activeProcessorCount
    if let raw = RawFormat(rawValue: format.rawValue) {
      let (size, unit) = (plan.canvas.size, space.isLinear ? plan.linearUnit : plan.canvas.signal.peak)
      settings.sidecar = { times in RawSidecar(size: size, format: raw, space: space, white: unit, times: times).json }
    }
    return settings
  }
}

extension PatternPlan {
  /// Luminance in cd/m² of 1.0 in samples of light.
  fileprivate var linearUnit: Double? {
    guard case .pictures(_, _, let space, _) = form, space.isLinear else { return nil }
    return PatternPicturePainter(signal: canvas.signal, space: space).unit
  }

  /// What files say of their light: HDR10 has the mastering display of its peak and the light of its pixels.
  fileprivate func metadata(_ light: PatternLight) -> HDRMetadata {
    var metadata = HDRMetadata(linearUnit: linearUnit)
    guard canvas.signal.kind == .hdr10 else { return metadata }
    metadata.masteringDisplay = .pattern(light)
    metadata.contentLight = light.contentLight
    return metadata
  }
}

extension MasteringDisplay {
  /// Peak in cd/m² of the display that patterns are made on, where they are not brighter.
  private static let usualPeak = 1000.0

  /// The display that a pattern is mastered on: of BT.2020, as bright as the pattern.
  static func pattern(_ light: PatternLight) -> MasteringDisplay {
    .bt2020(peak: max(usualPeak, Double(light.contentLight.maxCLL)))
  }
}
