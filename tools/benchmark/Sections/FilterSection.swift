internal import Filters
internal import Frames
internal import Rendering

/// The whole pixel stage with and without a filter, on one thread.
struct FilterSection {
  let resolution: Resolution

  /// The bars belong to the first one.
  private static let filters = [
    "highlight", "highlight=by=range", "highlight=by=luminance", "highlight=tint=orange", "false-color=legend=off",
    "clip-warning=legend=off",
  ]

  private struct Key: Hashable {
    /// nil: no filter.
    let filter: String?
    let tier: KernelTier
  }

  func measure(_ setting: Setting) throws -> [FilterTime] {
    let frames = try setting.file(resolution.size, frameCount: resolution.frameCount).frames(in: setting.scratch)
    let standard = RenderCase.standard(resolution.size)
    let pool = WorkerPool(count: 1)
    let contestants = try KernelTier.supported.flatMap { tier in
      try ([nil] + Self.filters).map { filter in
        let renderer = try standard.renderer(tier: tier, pool: pool, filters: filter.map { [try Filter($0)] } ?? [])
        let target = standard.emptyTarget()
        let loop = try FrameLoop(frames) { try renderer.render($0, into: target) }
        return Rounds<Key>.Contestant(Key(filter: filter, tier: tier)) { try loop.measure(.threadCPU) }
      }
    }
    let rounds = try Rounds(contestants, count: setting.rounds)
    return KernelTier.supported.flatMap { tier in
      Self.filters.compactMap { filter in
        guard let plain = rounds.summary(Key(filter: nil, tier: tier)),
          let filtered = rounds.summary(Key(filter: filter, tier: tier))
        else { return nil }
        return FilterTime(
          size: "\(resolution.size)", filter: filter, tier: tier.rawValue, plainMsPerFrame: plain * 1e3,
          cpuMsPerFrame: filtered * 1e3, timesPlain: filtered.ratio(to: plain))
      }
    }
  }
}
