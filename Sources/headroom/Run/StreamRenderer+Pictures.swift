internal import FFmpegIO
internal import Frames
internal import Rendering

extension StreamRenderer {
  /// The renderer of a plan of pictures.
  /// - Parameters:
  ///   - first: The frame that the plan was made from.
  ///   - target: What it becomes.
  convenience init(_ plan: DumpPlan, first: CodedFrame, path: String, target: Target, pool: WorkerPool) throws {
    let request = plan.request
    try self.init(
      first: first, source: plan.source, path: path, overrides: request.source.overrides, use: plan.picture.use,
      measured: plan.measured, processing: request.rendering.processing, pool: pool
    ) { source in
      // There is a target for every source where there is one for the first.
      try plan.picture.rendering(of: source, first, orientation: plan.orientation).target ?? target
    }
  }
}
