internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Rendering

extension StreamRenderer {
  /// The renderer of a transcode.
  /// - Parameters:
  ///   - first: The frame that the plan was made from.
  ///   - meter: Counts the light before it is mapped.
  convenience init(
    _ plan: TranscodePlan, first: CodedFrame, path: String, options: TranscodeOptions, meter: LightMeter? = nil,
    statistics: StatisticsReport? = nil, pool: WorkerPool
  ) throws {
    let settings = Settings(
      path: path, overrides: options.source.overrides, use: options.sceneUse, measured: plan.measured,
      processing: options.rendering.processing, filters: plan.filters, sdrWhite: options.mapping.sdrWhite,
      statistics: statistics)
    try self.init(first: first, source: plan.source, settings, meter: meter, pool: pool) { source in
      let target = try TargetPlan(
        source, options: options.mapping, asked: options.metadata, paints: !plan.filters.isEmpty)
      return Target(
        endpoint: FrameRenderer.Endpoint(format: plan.codedFormat, transfer: target.transfer, reach: target.reach),
        pictureSize: plan.geometry.orientation.turned(first.size), orientation: plan.geometry.orientation,
        dithers: options.rendering.dither, limit: plan.target.limit ?? target.limit, way: target.way)
    }
  }
}

extension TranscodePlan {
  /// What the encoder gets.
  var codedFormat: PixelFormat {
    PixelFormat(size: writer.size, layout: writer.layout, color: target.color)
  }
}
