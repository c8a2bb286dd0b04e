internal import FFmpegIO
internal import Frames
internal import Rendering

extension StreamRenderer {
  /// The renderer of a plan of pictures.
  /// - Parameters:
  ///   - first: The frame that the plan was made from.
  ///   - target: What it becomes.
  convenience init(
    _ plan: DumpPlan, first: CodedFrame, path: String, target: Target, statistics: StatisticsReport? = nil,
    pool: WorkerPool
  ) throws {
    let request = plan.request
    let settings = Settings(
      path: path, overrides: request.source.overrides, use: plan.picture.use, measured: plan.measured,
      processing: request.rendering.processing, filters: request.filters, sdrWhite: request.mapping.sdrWhite,
      statistics: statistics)
    try self.init(first: first, source: plan.source, settings, pool: pool) { source in
      // There is a target for every source where there is one for the first.
      try plan.picture.rendering(of: source, first, orientation: plan.orientation).target ?? target
    }
  }
}
