internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Rendering

/// Measures the frames that it is given.
final class MeterSink: FrameSink, @unchecked Sendable {
  // @unchecked: the thread that writes is the only one to touch the variables until the run is over.
  private let path: String
  private let input: InputOptions
  private let tier: KernelTier
  private let pool: WorkerPool
  private var meter: FrameMeter
  /// Tags of the frames that `meter` was made for, before overrides.
  private var taggedFormat: PixelFormat
  private(set) var content = ContentMeter()

  init(
    _ first: CodedFrame, _ source: SourcePlan, path: String, input: InputOptions, processing: ProcessingOptions
  ) throws {
    self.path = path
    self.input = input
    tier = processing.kernels
    pool = WorkerPool(count: processing.threads)
    meter = try Self.meter(first, source, tier, pool)
    taggedFormat = first.format
  }

  private static func meter(
    _ frame: CodedFrame, _ source: SourcePlan, _ tier: KernelTier, _ pool: WorkerPool
  ) throws -> FrameMeter {
    try FrameMeter(
      format: frame.described(as: source.color).format,
      content: source.interpretation, tier: tier, pool: pool)
  }

  func write(_ frame: CodedFrame) throws {
    if frame.format != taggedFormat { try adapt(to: frame) }
    let light = try meter.measure(frame.described(as: meter.format.color))
    content.add(light, time: frame.time.seconds)
  }

  /// Nothing beside frames is measured.
  func pass(_ data: any PassingData) {}

  /// The stream has changed in the middle: other tags are followed, another size cannot be.
  private func adapt(to frame: CodedFrame) throws {
    guard frame.size == taggedFormat.size else {
      throw RenderingError.formatMismatch(expected: taggedFormat, actual: frame.format)
    }
    let source = try SourcePlan(frame: frame, path: path, overrides: input.overrides, use: nil)
    Console.warning("The video changes in the middle: now \(source.color.words).")
    source.warnings.forEach(Console.warning)
    meter = try Self.meter(frame, source, tier, pool)
    taggedFormat = frame.format
  }
}
