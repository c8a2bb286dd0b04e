internal import Frames
internal import Rendering

/// The pixel stage on one thread, by tier, compared with FFmpeg's filters on the same frames.
struct PixelStageSection {
  let resolution: Resolution
  /// Whether to measure the individual stages, too.
  var splitsStages = true
  let chains: [FilterChain]

  private enum Key: Hashable {
    case part(KernelTier, StageSplit.Part)
    case whole(KernelTier)
    case reading(program: String)
    case chain(Int)
  }

  func measure(_ setting: Setting) throws -> PixelStageReport {
    let file = try setting.file(resolution.size, frameCount: resolution.frameCount)
    let ours = try ourContestants(file.frames(in: setting.scratch))
    let rounds = try Rounds(ours + chainContestants(file, setting.scratch), count: setting.rounds)
    return report(rounds)
  }

  private func ourContestants(_ frames: [CodedFrame]) throws -> [Rounds<Key>.Contestant] {
    let standard = RenderCase.standard(resolution.size)
    return try KernelTier.supported.flatMap { tier in
      let target = standard.emptyTarget()
      let renderer = try standard.renderer(tier: tier, pool: WorkerPool(count: 1))
      let whole = try FrameLoop(frames) { try renderer.render($0, into: target) }
      let wholes = Rounds<Key>.Contestant(.whole(tier)) { try whole.measure(.threadCPU) }
      guard splitsStages else { return [wholes] }
      let split = try StageSplit(standard, tier: tier)
      let parts = try FrameLoop(frames, split.process)
      return [
        wholes,
        Rounds.Contestant {
          Dictionary(uniqueKeysWithValues: try split.measure(parts).map { (.part(tier, $0.key), $0.value) })
        },
      ]
    }
  }

  private func chainContestants(_ file: SampleFile, _ scratch: Scratch) -> [Rounds<Key>.Contestant] {
    let frames = Double(resolution.frameCount * resolution.loops)
    func contestant(_ key: Key, _ process: MeasuredProcess) -> Rounds<Key>.Contestant {
      Rounds.Contestant(key) { try process.run(in: scratch).cpuSeconds / frames }
    }
    var programs: Set<String> = []
    let readings = chains.filter { programs.insert($0.ffmpeg.program).inserted }.map {
      contestant(
        .reading(program: $0.ffmpeg.program), FilterChain.reading($0.ffmpeg, file, loops: resolution.loops))
    }
    return readings
      + chains.enumerated().map { contestant(.chain($0), $1.process(file, loops: resolution.loops)) }
  }

  private func report(_ rounds: Rounds<Key>) -> PixelStageReport {
    let pixels = resolution.size.width * resolution.size.height
    var report = PixelStageReport(
      size: "\(resolution.size)", frames: resolution.frameCount,
      chainFrames: resolution.frameCount * resolution.loops)
    for tier in KernelTier.supported {
      let parts = StageSplit.Part.allCases.map { ($0.rawValue, Key.part(tier, $0)) } + [("whole", .whole(tier))]
      report.stages += parts.compactMap { name, key in
        rounds.summary(key).map { StageTime(stage: name, tier: tier, seconds: $0, pixels: pixels) }
      }
    }
    for (index, chain) in chains.enumerated() {
      guard let run = rounds.summary(.chain(index)),
        let reading = rounds.summary(.reading(program: chain.ffmpeg.program))
      else { continue }
      let seconds = run - reading
      report.chains.append(ChainTime(chain, seconds: seconds))
      report.ratios += KernelTier.supported.compactMap { tier in
        rounds.summary(.whole(tier)).map {
          ChainRatio(chain: chain.name, tier: tier.rawValue, timesOurs: seconds.ratio(to: $0))
        }
      }
    }
    return report
  }
}
