internal import Foundation
internal import Rendering

/// The whole pixel stage with several workers, in wall-clock time.
struct ThreadSection {
  let resolution: Resolution

  func measure(_ setting: Setting) throws -> [ThreadTime] {
    let standard = RenderCase.standard(resolution.size)
    let frames = try setting.file(resolution.size, frameCount: resolution.frameCount).frames(in: setting.scratch)
    let counts = Set([1, 2, ProcessInfo.processInfo.activeProcessorCount]).sorted()
    let contestants = try counts.map { count in
      let target = standard.emptyTarget()
      let renderer = try standard.renderer(tier: .detected, pool: WorkerPool(count: count))
      let loop = try FrameLoop(frames) { try renderer.render($0, into: target) }
      return Rounds<Int>.Contestant(count) { try loop.measure(.monotonic) }
    }
    let rounds = try Rounds(contestants, count: setting.rounds)
    guard let one = rounds.summary(1) else { return [] }
    return counts.compactMap { count in
      rounds.summary(count).map {
        ThreadTime(
          size: "\(resolution.size)", tier: KernelTier.detected.rawValue, workers: count,
          wallMsPerFrame: $0 * 1e3, speedUp: one.ratio(to: $0))
      }
    }
  }
}
