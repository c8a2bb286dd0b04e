internal import Frames
internal import Rendering

/// Whole renders of other input and output formats, on one thread, compared with the standard case.
struct VariantSection {
  let resolution: Resolution

  private struct Key: Hashable {
    let variant: Int
    let tier: KernelTier
  }

  func measure(_ setting: Setting) throws -> [StageTime] {
    let variants = RenderCase.variants(resolution.size)
    let planar = try frames(.planar, setting)
    let semiplanar = try frames(.semiplanar, setting)
    let contestants = try KernelTier.supported.flatMap { tier in
      try variants.enumerated().map { index, variant in
        let frames = variant.described(variant.source.layout.packing == .planar ? planar : semiplanar)
        let target = variant.emptyTarget()
        let renderer = try variant.renderer(tier: tier, pool: WorkerPool(count: 1))
        let loop = try FrameLoop(frames) { try renderer.render($0, into: target) }
        return Rounds<Key>.Contestant(Key(variant: index, tier: tier)) { try loop.measure(.threadCPU) }
      }
    }
    let rounds = try Rounds(contestants, count: setting.rounds)
    let pixels = resolution.size.width * resolution.size.height
    return variants.enumerated().flatMap { index, variant in
      KernelTier.supported.compactMap { tier in
        rounds.summary(Key(variant: index, tier: tier)).map {
          StageTime(stage: variant.name, tier: tier, seconds: $0, pixels: pixels)
        }
      }
    }
  }

  private func frames(_ packing: PixelLayout.Packing, _ setting: Setting) throws -> [CodedFrame] {
    try setting.file(resolution.size, packing: packing, frameCount: resolution.frameCount).frames(in: setting.scratch)
  }
}
